// Plan: several changes of one call, all reserved before the first is written.
//
//   steps    [ committed … | reserved … |          ]
//            0             done         count      capacity
//
//   begin → append, once for each step → commit, in the same order → end
//
// Each commit checks its step again, as listeners of the steps before may have done anything. When one has become
// impossible the caller ends the plan, which releases the storage of all steps that are not committed, and reports
// last.
//
// Invariants:
//   1. done <= count; the plan owns the storage of the steps from `done` to `count`, the entities own that of the
//      steps before
//   2. `size` is 0 while `steps` is the caller's array
#ifndef KIN_SRC_PLAN_H
#define KIN_SRC_PLAN_H

#include "change/change.h"
#include "lookup/lookup.h"
#include "store/store.h"

enum { KIN__FEW_STEPS = 16 };

typedef struct kin__plan_step {
    kin__value_storage storage;
    kin_component_id id;
    bool replaces; // the entity has the component
} kin__plan_step;

// Before kin__plan_begin, set the context, and `steps` to an array of KIN__FEW_STEPS elements that outlives the plan.
typedef struct kin__plan {
    kin_context *context;
    kin__plan_step *steps;
    uint64_t epoch; // of the dispatch when the entity was checked or made
    size_t count, done;
    size_t size; // bytes of an allocated array, with the values that follow it
} kin__plan;

// Makes space for so many steps, and for values that live as long as the plan. `*values` is where those begin. False
// without memory.
bool kin__plan_begin(kin__plan *plan, size_t capacity, size_t values_size, char **values);

// Reserves a checked step on the entity of a slot. KIN__NO_SLOT: the column and the index entries are reserved already.
// False when out of memory: the plan has ended.
bool kin__plan_append(kin__plan *plan, const kin__step *step, uint32_t slot);

// Commits the next step on the entity, as kin__change_commit. Unless it returns KIN_OK the step remains the next one.
kin_status kin__plan_commit(kin__plan *plan, kin_entity entity);

// Releases the storage of the next step, and continues with the one after it.
void kin__plan_skip(kin__plan *plan);

// Removes all steps, which are committed, to make space for others.
void kin__plan_restart(kin__plan *plan);

// Releases everything that is reserved and not committed. An ended plan may be ended again.
void kin__plan_end(kin__plan *plan);

// Returns the opaque values that a committed step gave the entity to the caller, during a loan (store.h).
void kin__plan_return_opaque(kin__plan *plan, size_t number, kin_entity entity);

// Creates an entity in the reserved slot of the pool and commits the next `step_count` steps on it. `*made` is the
// entity, also when a step could not be committed.
kin_status kin__plan_make(kin__plan *plan, kin__pool *pool, size_t step_count, kin_entity *made);

// Why a step could not be committed.
typedef struct kin__plan_failure {
    kin_component_id id;
    bool is_about_target; // an entity that the value names forbids it, for the reason below
    char reason[KIN__RELATION_REASON_SIZE];
} kin__plan_failure;

// Describes the failure of the next step, which could not be committed on the entity.
void kin__plan_describe(const kin__plan *plan, kin_entity entity, kin_status status, kin__plan_failure *failure);

// Reports the attempt, of a component, and returns the status.
kin_status kin__plan_report_failure(const kin_context *context, kin_status status, const kin__plan_failure *failure,
                                    kin__attempt attempt);

// The same as kin__plan_make with all steps, then ends the plan. When a step could not be committed, destroys the
// entity and describes the failure.
kin_status kin__plan_make_all(kin__plan *plan, kin__pool *pool, kin_entity *made, kin__plan_failure *failure);

#endif
