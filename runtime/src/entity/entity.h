// entity: every change of an entity: its components, its destruction, its creation
//
// Owns the order of every change: check, reserve, write, notify (DSP-01 to DSP-04). Nothing that can fail comes after
// the first write; what listeners may have made impossible is checked again and given back. A destroy reserves nothing
// and removes all components at once (ENT-11 to ENT-18). What gives an entity several components does first all that
// can fail; if a listener then makes one impossible, the entity is destroyed again.
//
//   spawn, clone, blueprint, entity  →  change  →  lookup, notify, store
//   destroy, cascade, group_destroy  →  lookup, notify, store
//
// Cycle: blueprint.c, prefab.c, spawn.c and spawn_tree.c. A blueprint with children, and a prefab, is one of several
// blueprints; a prefab without children spawns as a blueprint does.
// Cycle: cascade.c and destroy.c. Destroying an entity destroys its holders.
#ifndef KIN_SRC_ENTITY_H
#define KIN_SRC_ENTITY_H

#include "lookup/lookup.h"
#include "notify/notify.h"

#include <kin/generated/blueprint.h>

// Change: one component that is added to, replaced on or removed from one entity.
//
//   change_check           alive, has or lacks the component, unique, named entities, keys, depth of nesting (DSP-01)
//   kin__change_reserve    the column, index entries, links of relations and the value's storage
//   change_write           indices, relations, bits and value, then the notifications; cannot fail
//
//   change_make            all three: a change on its own
//   kin__change_commit     a reserved change after listeners were called: checks again, then writes
//
// Invariants:
//   1. A refused change writes nothing. It keeps no more than a column and index entries, which a later change uses.
//   2. The caller owns a value's storage from its reservation until change_write, and releases it if that is never
//      called.
//   3. Nothing here reports an error: the caller does so last, after it has released everything, because on_error may
//      call Kin.

// Whether a change of the component on the entity may have subscribers or collectors to notify.
static inline bool kin__is_watched(const kin_context *context, kin_entity entity, kin_component_id id)
{
    return context->core->watches[id].count > 0 || kin__has_change_subscribers(context, kin_entity_slot(entity));
}

// Reserves the column of a slot and index entries for `count` adds in its chunk. False when out of memory.
bool kin__change_reserve_entries(kin_context *context, uint32_t slot, kin_component_id id, uint32_t count);

// Reserves all that a checked step needs; an added component also gets its entries. `slot` is that of the entity, which
// need not exist yet. The value is copied to `*storage` if it owns anything. False when out of memory, with nothing to
// release.
bool kin__change_reserve(kin_context *context, uint32_t slot, const kin__step *step, kin__value_storage *storage);

// Writes the reason why the step was refused, if that is a key or an entity that the value names. False otherwise: the
// status says all.
enum { KIN__CHANGE_REASON_SIZE = KIN__KEY_REASON_SIZE };
bool kin__change_describe(const kin_context *context, kin_status status, const kin__step *step,
                          char reason[KIN__CHANGE_REASON_SIZE]);

// Writes a replace whose value owns what the old value owns: it differs in other fields alone. Cannot fail, and needs
// no memory.
void kin__change_overwrite(kin_context *context, const kin__step *step);

// Writes a reserved step if it is still possible: a listener may have reset the context, destroyed or changed the
// entity, taken the key or trimmed what was reserved. `epoch` is that of the dispatch when the entity was checked or
// made. If it returns anything but KIN_OK, the caller still owns the storage.
kin_status kin__change_commit(kin_context *context, const kin__step *step, const kin__value_storage *storage,
                              uint64_t epoch);

// Components: the operations of storage.h on one component of one entity, in the general case. The fast paths
// call these for all other cases.

kin_status kin__component_replace(kin_context *context, kin_entity entity, kin_component_id id, const void *value);
kin_status kin__component_remove(kin_context *context, kin_entity entity, kin_component_id id);

// Replaces or adds like kin__component_replace without a report. Sets the kind of the step, which describes a refusal.
kin_status kin__component_try_replace(kin_context *context, kin__step *step);

// The two halves of a touch. The first does all that can fail: it checks the step, a replace without a value, and
// updates the keys that functions give. It does not report. The second notifies.
kin_status kin__component_begin_touch(kin_context *context, const kin__step *step);
void kin__component_end_touch(kin_context *context, kin_entity entity, kin_component_id id);

// Reports why a step cannot be made, and returns the status.
kin_status kin__component_report_error(const kin_context *context, kin_status status, const char *verb,
                                       const kin__step *step);

// Fast paths: operations whose effects are bits, values and handles alone. They reserve nothing and cannot fail.
//
//   kin__component_add_fast, _replace_fast, _remove_fast         change.c   note in journals, notify or collect
//   kin__entity_clone_fast                                       clone.c    notifies nothing, as all below
//   spawn_many_fast, with storage that was made before           spawn.c
//   kin__entity_destroy_checked_fast, kin__entity_destroy_fast   destroy.c
//   kin__group_destroy_fast                                      group_destroy.c
//
// A change that is not fast goes to the operation of the same name without the suffix. The accessors that are inlined
// into generated code (storage.h, create.h, blueprint.h, lookup.h) make changes that notify nothing, and call the
// fast paths for all others.
//
// Conditions:
//   1. a component is not unique, boxed, stashable or keyed by an index, owns nothing and has one column for all fields
//      (kin__watch.is_fast); spawn and destroy allow a column for each field
//   2. the depth of nesting is below the limit: each change may nest, and the next one too
//   3. the column and the slot of a new entity exist
//   4. nothing waits for last values of a component that is removed (store.h)
//   5. where nothing is notified: no component concerned has watchers, nor has being alive; destroys have no
//      subscribers, and no entity is about to be destroyed

// A change for which conditions 1 and 2 are checked; `chunk` is NULL if one of them fails or the entity is not alive.
typedef struct kin__fast_change {
    kin__chunk *chunk;
    kin__column *column;
    kin__watch *watch;
    uint32_t place;
    bool has;
} kin__fast_change;

static inline kin__fast_change kin__fast_change_of(const kin_context *context, kin_entity entity, kin_component_id id)
{
    const kin__core *core = context->core;
    kin__fast_change change = {.watch = &core->watches[id], .place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS};
    if (!change.watch->is_fast || context->depth + 1 >= KIN__MAX_DEPTH)
        return change;
    change.chunk = kin__chunk_of(context, entity);
    if (change.chunk == NULL)
        return change;
    change.column = kin__chunk_columns(change.chunk, context->row_words)[id];
    change.has = kin__column_has(change.column, change.place);
    return change;
}

static inline uint64_t *kin__fast_change_row(const kin_context *context, const kin__fast_change *change)
{
    return kin__chunk_row(change->chunk, context->row_words, change->place);
}

// Destroys a living entity, by the general case (kin__entity_destroy_checked) if need be. The caller has checked that
// the change may nest and the entity is not about to be destroyed: this does not fail.
void kin__entity_destroy_checked_fast(kin_context *context, kin_entity entity);

// Stash: values that were removed from their entities and are kept, to be added again. The stash is one of the users
// of a component's last values (store.h), until the value is restored or discarded: by adding the
// component, or with the entity.
//
// Invariants, checked by kin__last_values_are_valid():
//   1. a stashed value is kept and held; its entity is alive and lacks the component
//   2. core.stashed counts the stashed values; core.events.destroy_subscribers counts each of them too

// Discards the stashed values of all components. Does nothing where none is stashed.
void kin__stash_discard_all(kin_context *context, uint32_t slot);

// Cascades: destroys an entity that has holders. Only destroy.c and cascade.c call this.
//
//   announce the entity → destroy each holder of `destroy`, with its own cascade → remove the component of each holder
//   of `remove`, and clear the field of all others → destroy the entity itself
//
// So entities are destroyed from the leaves up. The walk goes down to a holder, marks it with the slot to which it
// returns (store/store.h), and destroys it when it has no more holders. After each step it reads the lists from the
// beginning: holders that listeners add are destroyed too, and holders that they detach stay alive. It needs neither
// memory nor recursion, and the whole cascade is one level of nesting.
//
// In a circle, a holder that is marked already is not visited again. When its target is destroyed first, its field is
// cleared.
//
// Invariant: an entity is destroyed only when it has no holders.

// Destroys a living entity that is not about to be destroyed, with its cascade. The caller must check the limit of
// nested changes. Does not check relations of `refuse`. Returns KIN_OK.
kin_status kin__cascade(kin_context *context, kin_entity entity);

// The same if relations of `refuse` allow it; else reports KIN_ERROR_REFERENCED.
kin_status kin__cascade_if_allowed(kin_context *context, kin_entity entity);

// Detaches all holders of an entity that will be destroyed. False if a listener has reset the context.
bool kin__cascade_detach_all(kin_context *context, kin_entity entity);

// Destroys an entity in the general case, with subscribers to notify. Only destroy.c calls it. The steps:
//
//   mark the entity dead → erase its keys → free its unique components → notify the removal of each component, by id
//   → drop its values → free its slot
//
// All components are removed at once, then notified one by one (ENT-13 to ENT-15). So a destroy is one change, not one
// removal for each component. It needs no memory and reserves nothing (DSP-12).
//
// Invariant: while components are notified, no query, group or index finds the entity.

// Destroys a living entity. The caller has called the listeners of KIN_ENTITY_WILL_BE_DESTROYED, if there are any, and
// has checked the limit of nested changes (DSP-13). Cannot fail.
void kin__entity_destroy_announced(kin_context *context, kin_entity entity);

// Destroying an entity: notifies that it will be destroyed, then destroys it: silently if its death notifies
// nothing, else by the general case.

// Destroys a living entity, or reports why not.
kin_status kin__entity_destroy(kin_context *context, kin_entity entity);

// Removes one component of an entity that is destroyed: clears its bit in the column, and counts the change.
static inline void kin__column_withdraw(kin_context *context, const kin__chunk *chunk, uint32_t id, uint32_t place,
                                        uint32_t row_words)
{
    kin__column *column = kin__chunk_columns(chunk, row_words)[id];
    KIN_ASSERT(kin__column_has(column, place));
    column->has[place / 64] ^= (uint64_t)1 << (place % 64);
    kin__component_of(context, id)->changes++;
}

// Destroys an entity whose death notifies nothing, like most: clears its bits and frees its slot.

// Returns whether the death of the entity has no watchers and notifies no subscribers (`subscribers` is 0). At the
// limit of nesting, being alive has a watcher.
static inline bool kin__entity_is_unwatched(const kin_context *context, const kin__chunk *chunk, uint32_t place,
                                            uint32_t subscribers)
{
    const kin__core *core = context->core;
    subscribers |= core->alive->watchers | core->listeners.count | core->slots.about_to_be_destroyed;
    return subscribers == 0 && context->row_words == 1 && (*kin__chunk_row(chunk, 1, place) & context->watched[0]) == 0;
}

// Returns whether the death of the entity notifies nothing and its slot becomes free at once, as the context has no
// owners.
static inline bool kin__entity_is_silent(const kin_context *context, const kin__chunk *chunk, uint32_t place,
                                         uint32_t subscribers)
{
    return kin__entity_is_unwatched(context, chunk, place, subscribers) && chunk->holders == NULL;
}

static inline void kin__entity_destroy_silently(kin_context *context, kin__chunk *chunk, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    KIN_ASSERT(kin__chunk_of(context, entity) == chunk &&
               slot / KIN__CHUNK_SLOTS < context->core->slots.assigned_chunks);
    kin__chunk_mark_dead(context, chunk, slot);
    for (uint64_t bits = *kin__chunk_row(chunk, 1, place); bits != 0; bits &= bits - 1)
        kin__column_withdraw(context, chunk, kin__lowest_bit(bits), place, 1);
    kin__pool_put(chunk, slot, 1);
    KIN_VALIDATE(kin__slot_is_valid(context, slot));
}

// Destroys entities silently in a context with relations: also removes them from the lists of their targets.
//
// The components of relations have one watcher for the relations. For a silent destroy they must have no other watcher
// and be simple (kin__relations.simple), so that nothing but bits, lists and the slot changes.
//
// Invariant: the destroyed entity has no holders.

// The components whose removal with their entity calls a listener or has other effects; all bits if every death has. A
// listener may change them. Contexts with rows of several words destroy no entity silently.
typedef uint64_t kin__loud;

#define KIN__ALL_LOUD UINT64_MAX

static inline kin__loud kin__loud_components(const kin_context *context)
{
    const kin__core *core = context->core;
    kin__loud loud = context->watched[0];
    uint32_t subscribers = core->events.destroy_subscribers - KIN__RELATIONS_AS_SUBSCRIBERS;
    if ((subscribers | core->alive->watchers | core->listeners.count) != 0 || core->dispatch.frames != NULL ||
        context->row_words != 1)
        return KIN__ALL_LOUD;
    for (uint64_t bits = loud & core->relations->simple; bits != 0; bits &= bits - 1)
        if (kin__component_of(context, kin__lowest_bit(bits))->watchers == 1)
            loud ^= bits & (0 - bits);
    return loud;
}

// Returns whether the death of the entity in a slot changes nothing but bits, lists and the slot.
static inline bool kin__holder_is_silent(const kin_context *context, const kin__chunk *chunk, uint32_t slot,
                                         kin__loud loud)
{
    return loud != KIN__ALL_LOUD && (*kin__chunk_row(chunk, 1, slot % KIN__CHUNK_SLOTS) & loud) == 0 &&
           !kin__is_held(context, slot);
}

// Destroys a silent entity without holders. For each of its components in the row `components`, removes it from the
// lists of their relations.
static inline void kin__holder_destroy_silently(kin_context *context, kin__chunk *chunk, uint32_t slot,
                                                uint64_t components)
{
    const uint32_t *first = context->core->relations->first;
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    for (uint64_t bits = *kin__chunk_row(chunk, 1, place) & components; bits != 0; bits &= bits - 1)
        for (uint32_t id = kin__lowest_bit(bits), number = first[id]; number < first[id + 1]; number++) {
            kin__relation *relation = &context->relations[number];
            kin_entity target = kin__relation_target_of_slot(context, relation, slot);
            if (target != 0)
                kin__relation_withdraw(relation, slot, kin_entity_slot(target));
        }
    kin__entity_destroy_silently(context, chunk, chunk->ids[place]);
}

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

// Blueprints: the parts of spawned entities, prepared once for each context.
//
//   kin_context.blueprints[number]
//     pool     the slots of its entities
//     parts    [ id | size | value ] …       by id, each value once, as the schema has it
//     row      a bit a component, as the rows of its entities begin
//
//   make, unique, refusals         blueprint.c
//   keys of indices                blueprint.c
//   spawn one, nothing notified    <kin/generated/blueprint.h>, inlined
//   spawn one by one, all checks   spawn.c
//   spawn in bulk                  spawn.c
//   spawn with children            spawn_tree.c
//   apply to an existing entity    spawn.c
//   copy to an existing entity     clone.c, as if the source were a blueprint
//
// Spawning and applying check all steps first, then reserve all of them: slots, and a plan.

// Makes the blueprints of the context's info. False when out of memory.
bool kin__blueprints_make(kin_context *context);
void kin__blueprints_release(kin_context *context);

// Makes one blueprint, of a child if there is one, in a zeroed place; releases it. False when out of memory: release
// it.
bool kin__blueprint_make(kin_context *context, kin__blueprint *blueprint, const kin_blueprint_info *info,
                         const kin_child_info *child);
void kin__blueprint_release(kin_context *context, kin__blueprint *blueprint);

// Counts the watchers of a blueprint.
uint32_t kin__blueprint_count_watchers(const kin_context *context, const kin__blueprint *blueprint);

// Whether their watchers are counted as notify.h says.
bool kin__blueprints_are_valid(const kin_context *context);

// Returns the bytes in use.
size_t kin__blueprints_used(const kin_context *context);

// The value of a part for the `index`-th entity of the batch, or of the blueprint without a batch. NULL for a flag.
static inline const void *kin__part_value(const kin__blueprint *blueprint, const kin__batch *batch, uint32_t part,
                                          uint32_t index)
{
    const kin__part *place = &blueprint->parts[part];
    bool has_values = batch != NULL && batch->values != NULL;
    if (!has_values || batch->values[part] == NULL || place->size == 0)
        return place->value;
    return (const char *)batch->values[part] + (size_t)index * place->size;
}

// Spawns a batch of a blueprint without children, whose slots come from the pool. Reports an error.
kin_status kin__blueprint_spawn_many(kin_context *context, kin__blueprint *blueprint, kin__pool *pool,
                                     const kin__batch *batch);

// Returns whether values of the component need memory besides their places.
static inline bool kin__has_storage(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].is_boxed || kin__is_owned(context, id);
}

// The storage of the values of a bulk spawn, entity by entity, made before the first is written. spawn.c.
typedef struct kin__held_storage {
    kin_component_id id;
    kin__value_storage storage;
} kin__held_storage;

typedef struct kin__storages {
    kin__held_storage *all;
    size_t capacity, count, written;
    kin__held_storage few[4]; // instead of an allocation
} kin__storages;

// Makes room for the storage of `capacity` values. False when out of memory.
bool kin__storages_begin(kin_context *context, kin__storages *storages, size_t capacity);

// Appends those of the entity `index` of a batch. False when out of memory, or if a list is refused: nothing is left.
bool kin__storages_add(kin_context *context, kin__storages *storages, const kin__blueprint *blueprint,
                       const kin__batch *batch, uint32_t index);
void kin__storages_end(kin_context *context, kin__storages *storages);

// Prefabs (<kin/prefab.h>): blueprints with trees that are made at run time. prefab.c.
//
// Invariant: their watchers are counted as those of blueprints.

// The content of a context, for libkin-content: NULL if it has none. `face` must stay valid. False when out of memory.
void *kin__content_of(const kin_context *context);
bool kin__content_set(kin_context *context, void *content, const struct kin_content_face *face);

// Releases all prefabs of a context. Returns the bytes that they use; whether they are valid.
void kin__prefabs_release(kin_context *context);
size_t kin__prefabs_used(const kin_context *context);
bool kin__prefabs_are_valid(const kin_context *context);

// A use of a blueprint: spawning a batch, or applying it to an entity. A copy of components is applied too; its
// blueprint has only parts and items, in the memory of the plan.
typedef struct kin__blueprint_use {
    const kin__blueprint *blueprint; // without info: a copy, a merge, or the components of a call
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

// The list of the components of the last set that was cloned, with the sizes of their values. A clone by the fast path
// (clone.c) is then one loop over the list, without a search for bits and sizes: clones of one entity, or of
// entities with the same components, follow each other in most programs.
//
// The list depends only on the set, so it is never out of date. Only contexts of at most 64 components use it.
//
// Invariants, checked by kin__clone_list_is_valid():
//   1. the parts are the components of the list's row, in ascending order, with the sizes of their values
//   2. none of them has one column for each field

bool kin__clone_list_is_valid(const kin_context *context);

// Entities: creating and listing them.

// Describes the limit that creating so many entities would pass. `text` is a buffer for it. NULL: none would be passed.
enum { KIN__LIMIT_SIZE = 128 };
const char *kin__entities_find_limit(kin_context *context, uint32_t count, char text[KIN__LIMIT_SIZE]);

// The number of entities that those limits still allow, at most `count`.
uint32_t kin__entities_allowed(const kin_context *context, uint32_t count);

#define KIN__NO_SLOT_LEFT "all 2^24 slots are in use, which is the limit; destroy or release some entities"

// Reserves a slot of the pool for an entity, or reports why none can be created. Then creates it there, which does not
// fail.
kin_status kin__entity_reserve(kin_context *context, const kin__pool *pool, uint32_t *slot);
kin_entity kin__entity_create_reserved(kin_context *context, kin__pool *pool);

// Does the same as kin__entity_reserve without a report: `reason` is that of a kin__attempt, and may point to `text`.
kin_status kin__entity_find_slot(kin_context *context, const kin__pool *pool, uint32_t *slot,
                                 char text[KIN__LIMIT_SIZE], const char **reason);

// Trees of blueprints: the entities that a blueprint with children spawns, prepared once for each context.
//
//   nodes    [ Car | Car.front_left | Car.axle | Car.axle.left … ]   depth first; the blueprint itself is the first
//              0        parent 0       parent 0     parent 2
//
// Each node has its own blueprint with its components and values. The first node has the blueprint of the schema; every
// other node has one of those that follow them in kin_context.blueprints, one for each child of the schema. Its slots
// come from the pool of the blueprint that the child uses, or of entities without a blueprint.
//
//   make, release                     spawn_tree.c
//   write where nothing is notified  spawn_tree.c
//   all checks, one by one            spawn_tree.c
//   spawn one, nothing notified       spawn_tree.c
//
// A slot is a field whose value is another entity of the same spawn. It is written last, unless the value names an
// entity. Slots of a node are in order of its parts. A relation that names a later entity is set when all are made.

typedef struct kin__blueprint_slot {
    uint32_t holder; // numbers of nodes
    uint32_t target;
    uint32_t part;   // in the blueprint of the holder
    uint32_t offset; // bytes from the beginning of its value to the field
    bool is_relation;
} kin__blueprint_slot;

typedef struct kin__blueprint_node {
    kin__blueprint *blueprint;
    kin__pool *pool;
    uint32_t pool_number; // in `pools` of the tree
    uint32_t parent;      // number of a node before this; not of the first
    uint32_t part;        // in the blueprint: the component that names the parent
    uint32_t offset;      // bytes from the beginning of its value to the field
    uint32_t relation;    // number of the relation
    uint32_t first_part;  // number of parts of the nodes before it
    uint32_t first_slot, slot_count;
} kin__blueprint_node;

// The slots that one spawn takes from a pool.
typedef struct kin__blueprint_pool {
    kin__pool *pool;
    uint32_t count;
    uint64_t *row; // components that any of these entities has
} kin__blueprint_pool;

// All arrays are in one allocation.
typedef struct kin__blueprint_tree {
    kin__blueprint_node *nodes;
    kin__blueprint_pool *pools;
    uint64_t *row;    // components that any of the entities has
    uint64_t *names;  // a row: components that name a parent
    uint32_t *counts; // by component: the number of entities that have it
    uint32_t node_count, pool_count;
    uint32_t part_count; // of all nodes
    uint32_t most_parts; // of a node
    size_t value_size;   // bytes for the values of a node that name others
    kin__blueprint_slot *slots;
    uint32_t slot_count;
    uint32_t relations[2]; // of the nodes, if there are at most two
    uint32_t relation_count;
    bool is_rich;    // one of the blueprints is
    uint32_t owners; // of all nodes
    bool has_soas;   // a component has one column for each field
    size_t size;     // bytes of the allocation
} kin__blueprint_tree;

// Makes the trees of all blueprints with children. False when out of memory.
bool kin__blueprint_trees_make(kin_context *context);
void kin__blueprint_trees_release(kin_context *context);

// Returns the bytes in use.
size_t kin__blueprint_trees_used(const kin_context *context);

// Makes and releases the tree of one blueprint: its slots are in `pool`, and its descendants are of `children`.
bool kin__blueprint_tree_make(kin_context *context, kin__blueprint *blueprint, kin__pool *pool,
                              kin__blueprint *children);
void kin__blueprint_tree_release(kin_context *context, kin__blueprint *blueprint);

// Spawns trees, or reports why not. `is_whole`: the values of the batch are for the parts of all nodes, and not of the
// first alone. `all` has room for all entities; NULL: they are not wanted.
kin_status kin__blueprint_trees_spawn(kin_context *context, kin__blueprint *blueprint, const kin__batch *batch,
                                      bool is_whole, kin_entity *all);

// Spawns one without memory, if nothing is notified and the chunks have room for it. False if not.
bool kin__blueprint_tree_try_fast(kin_context *context, const kin__blueprint_tree *tree, const kin__batch *batch,
                                  bool is_whole, kin_entity *all);

// Whether a component of a blueprint only names the parent of a child, so that the fast path can add it.
bool kin__is_fast_parent(const kin_context *context, const kin__blueprint *blueprint, kin_component_id id);

// Validation: walks a context and checks the invariants that the headers number, in checked builds and tests. Cost: all
// slots times all components.

// Checks every slot, column, free list, count, group, mask, index, listener and last value.
bool kin__context_is_valid(const kin_context *context);

#endif
