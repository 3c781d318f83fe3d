// Fast paths: operations whose effects are bits, values and handles alone. They reserve nothing and cannot fail.
//
//   kin__component_add_fast, _replace_fast, _remove_fast   component_fast.c, component_unlistened.c
//                                                                                may notify groups and collectors
//   kin__component_add_noted, _remove_noted                component_noted.c     the same while a journal is on
//   kin__entity_clone_fast                                 clone_fast.c          notify nothing, as all below
//   kin__spawn_many_fast                                   spawn_fast.c
//   kin__entity_destroy_checked_fast, kin__entity_destroy_fast         destroy_fast.c
//   kin__group_destroy_fast                                group_destroy_fast.c
//
// A change that is not fast goes to the operation of the same name without the suffix. The accessors that are inlined
// into generated code (storage.h, create.h, blueprint.h, lookup.h) make changes that notify nothing, and call the
// fast paths for all others.
//
// Conditions:
//   1. a component is not unique, boxed, stashable or keyed by an index, owns nothing and has one column for all fields
//      (kin__watch.is_fast); spawn and destroy allow a column for each field. Additions and removals of a component
//      whose journal is on are noted too (kin__watch.toggles_fast)
//   2. the depth of nesting is below the limit: each change may nest, and the next one too
//   3. the column and the slot of a new entity exist
//   4. nothing waits for last values of a component that is removed (store.h)
//   5. where nothing is notified: no component concerned has watchers, nor has being alive; destroys have no
//      subscribers, and no entity is about to be destroyed
#ifndef KIN_SRC_FAST_H
#define KIN_SRC_FAST_H

#include "store/store.h"

#include <kin/generated/blueprint.h>

// A change for which conditions 1 and 2 are checked; `chunk` is NULL if one of them fails or the entity is not alive.
typedef struct kin__fast_change {
    kin__chunk *chunk;
    kin__column *column;
    kin__watch *watch;
    uint32_t place;
    bool has;
} kin__fast_change;

// `is_noted`: the caller replaces; or it adds or removes, and notes that in the journal if that is on.
static inline kin__fast_change kin__fast_change_of(const kin_context *context, kin_entity entity, kin_component_id id,
                                                   bool is_noted)
{
    const kin__core *core = context->core;
    kin__fast_change change = {.watch = &core->watches[id], .place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS};
    bool is_fast = is_noted ? change.watch->is_fast : change.watch->toggles_fast;
    if (!is_fast || context->depth + 1 >= KIN__MAX_DEPTH)
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

// Add and remove a component whose journal is on, by the general case (component.h) if need be.
kin_status kin__component_add_noted(kin_context *context, kin_entity entity, kin_component_id id, const void *value);
kin_status kin__component_remove_noted(kin_context *context, kin_entity entity, kin_component_id id);

// Add and remove where the fast path cannot: noted while the journal of the component is on, else by the general case.
kin_status kin__component_add_slow(kin_context *context, kin_entity entity, kin_component_id id, const void *value);
kin_status kin__component_remove_slow(kin_context *context, kin_entity entity, kin_component_id id);

// Replaces where the fast path cannot: of a component that would be fast if a tool did not note its changes (notify.h)
// only bits and the value, else by the general case.
kin_status kin__component_replace_slow(kin_context *context, kin_entity entity, kin_component_id id, const void *value);

// Destroys a living entity, by the general case (kin__entity_destroy_checked) if need be. The caller has checked that
// the change may nest and the entity is not about to be destroyed: this does not fail.
void kin__entity_destroy_checked_fast(kin_context *context, kin_entity entity);

// Destroys all members of the group, or returns false and does nothing if that is not fast.
bool kin__group_destroy_fast(kin_group *group);

// Whether a blueprint's entities can be spawned fast; then spawns a batch for which everything is reserved.
bool kin__spawn_is_fast(const kin_context *context, const kin__blueprint *blueprint);
void kin__spawn_many_fast(kin_context *context, kin__blueprint *blueprint, const kin__batch *batch);

#endif
