// Blueprints: the parts of spawned entities, prepared once for each context.
//
//   kin_context.blueprints[number]
//     pool     the slots of its entities
//     parts    [ id | size | value ] …       by id, each value once, as the schema has it
//     row      a bit a component, as the rows of its entities begin
//
//   make, unique, refusals         blueprint.c
//   keys of indices                blueprint_keys.c
//   spawn one, nothing notified    <kin/generated/blueprint.h>, inlined
//   spawn one by one, all checks   spawn.c
//   spawn in bulk                  spawn_fast.c
//   spawn with children            spawn_tree.h
//   apply to an existing entity    apply.c
//   copy to an existing entity     copy.c, as if the source were a blueprint
//
// Spawning and applying check all steps first, then reserve all of them: slots, and a plan (plan.h).
#ifndef KIN_SRC_BLUEPRINT_H
#define KIN_SRC_BLUEPRINT_H

#include "create/plan.h"
#include "store/store.h"

#include <kin/generated/blueprint.h>

// Makes the blueprints of the context's info. False when out of memory.
bool kin__blueprints_make(kin_context *context);
void kin__blueprints_release(kin_context *context);

// Whether their watchers are counted as notify.h says.
bool kin__blueprints_are_valid(const kin_context *context);

// Returns the bytes in use.
size_t kin__blueprints_used(const kin_context *context);

// The value of a part for the `index`-th entity of the batch, or of the blueprint without a batch. NULL for a flag.
static inline const void *kin__part_value(const kin__blueprint *blueprint, const kin__batch *batch, uint32_t part,
                                          uint32_t index)
{
    const kin__part *place = &blueprint->parts[part];
    if (batch == NULL || batch->values == NULL || batch->values[part] == NULL || place->size == 0)
        return place->value;
    return (const char *)batch->values[part] + (size_t)index * place->size;
}

// A use of a blueprint: spawning a batch, or applying it to an entity. A copy of components is applied too; its
// blueprint has only parts and items, in the memory of the plan.
typedef struct kin__blueprint_use {
    const kin__blueprint *blueprint; // without info: a copy, or a merge
    const kin__batch *batch;         // NULL: apply
    kin_entity entity;               // to this entity
    kin__plan *plan;                 // of an apply or a tree; ends before a refusal is reported
    bool adds;                       // parts are added and never replaced
    bool merges;                     // the blueprint is an entity of a snapshot, without info
    kin_entity merged;               // that entity; 0: all of them
} kin__blueprint_use;

// Reports that the use is refused because of a part (KIN__NO_PART: as a whole), and returns the status. `reason` as in
// kin__attempt.
#define KIN__NO_PART UINT32_MAX
kin_status kin__blueprint_use_report_error(const kin_context *context, const kin__blueprint_use *use, kin_status status,
                                           uint32_t part, const char *reason);

// Entities of several blueprints, in the order in which one call spawns them. `use_of` returns a use that spawns the
// entity `number` alone; it is valid until the next call with the same role.
typedef enum kin__entity_role { KIN__CURRENT_ENTITY, KIN__EARLIER_ENTITY } kin__entity_role;

typedef struct kin__entity_list {
    uint32_t count;
    const uint64_t *row;             // components that any of them has
    const kin__blueprint_use *whole; // the call, for its errors
    const kin__blueprint_use *(*use_of)(void *data, uint32_t number, kin__entity_role role);
    void *data;
} kin__entity_list;

// Checks the keys of the entities, each also against those before it. The context has indices. Reports an error.
kin_status kin__entity_list_check_keys(kin_context *context, const kin__entity_list *list);

// Check that unique components, the targets of relations and the keys of indices allow the use. Report an error if not.
kin_status kin__blueprint_use_check_unique(const kin_context *context, const kin__blueprint_use *use);
kin_status kin__blueprint_use_check_relations(kin_context *context, const kin__blueprint_use *use);
kin_status kin__blueprint_use_check_keys(kin_context *context, const kin__blueprint_use *use);

// Checks applying to a living entity. Then reserves all parts in the plan, which has begun, replaces or adds each, and
// ends the plan. Report an error if refused.
kin_status kin__apply_check(kin_context *context, const kin__blueprint_use *use);
kin_status kin__apply_parts(const kin__blueprint_use *use);

#endif
