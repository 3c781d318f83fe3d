// Calls: functions that replace those of Kin in tests and generated code, in the order of the headers. The makefile
// reads their names from here: all that begin with sweep_kin.

#include "sweep.h"

#include "store/store.h"

#include <kin/frame.h>
#include <kin/generated/list.h>
#include <kin/generated/relation.h>
#include <kin/generated/shared.h>
#include <kin/prefab.h>
#include <kin/reflect.h>
#include <kin/share.h>
#include <kin/snapshot.h>

#include <stdlib.h>
#include <string.h>

// A function that may need memory: its type, its name, its parameters, its arguments, and whether `result` means that
// it was refused.
#define MAY_FAIL(type, name, parameters, arguments, failed)                                                            \
    type sweep_##name parameters;                                                                                      \
    type sweep_##name parameters                                                                                       \
    {                                                                                                                  \
        type result;                                                                                                   \
        sweep_attempt attempt;                                                                                         \
        sweep_begin(&attempt, #name, true);                                                                            \
        do                                                                                                             \
            result = name arguments;                                                                                   \
        while (sweep_again(&attempt, failed));                                                                         \
        return result;                                                                                                 \
    }

// Functions that must never need memory.
#define NEVER_NEEDS(type, name, parameters, arguments)                                                                 \
    type sweep_##name parameters;                                                                                      \
    type sweep_##name parameters                                                                                       \
    {                                                                                                                  \
        sweep_attempt attempt;                                                                                         \
        sweep_begin(&attempt, #name, false);                                                                           \
        type result = name arguments;                                                                                  \
        sweep_end(&attempt);                                                                                           \
        return result;                                                                                                 \
    }

#define ONLY_ACTS(name, parameters, arguments)                                                                         \
    void sweep_##name parameters;                                                                                      \
    void sweep_##name parameters                                                                                       \
    {                                                                                                                  \
        sweep_attempt attempt;                                                                                         \
        sweep_begin(&attempt, #name, false);                                                                           \
        name arguments;                                                                                                \
        sweep_end(&attempt);                                                                                           \
    }

#define NO_MEMORY result == KIN_ERROR_NO_MEMORY
#define NOTHING   result == NULL
#define NO_ENTITY result == 0
#define NO_PLACE  result.subscriber == NULL

// ---- contexts

static kin_context *create(const kin_context_info *info, const kin_context_options *options, size_t size)
{
    kin_context *result;
    sweep_attempt attempt;
    sweep_begin(&attempt, "kin__context_create", true);
    do
        result = kin__context_create(info, options, size);
    while (sweep_again(&attempt, result == NULL));
    return result;
}

kin_context *sweep_kin__context_create(const kin_context_info *info, const kin_context_options *options, size_t size);
kin_context *sweep_kin__context_create(const kin_context_info *info, const kin_context_options *options, size_t size)
{
    kin_context_options swept = sweep_options(options);
    kin_context *context = create(info, &swept, size);
    if (context != NULL)
        sweep_append_context(context);
    return context;
}

void sweep_kin__context_destroy(kin_context *context);
void sweep_kin__context_destroy(kin_context *context)
{
    sweep_attempt attempt;
    if (context != NULL && context->depth == 0 && context->core->busy == 0)
        sweep_forget_context(context);
    sweep_begin(&attempt, "kin__context_destroy", false);
    kin__context_destroy(context);
    sweep_end(&attempt);
}

void *sweep_kin__contexts_create(const kin__context_kind *kinds, uint32_t count, const kin_context_options *options);
void *sweep_kin__contexts_create(const kin__context_kind *kinds, uint32_t count, const kin_context_options *options)
{
    void *result;
    sweep_attempt attempt;
    kin_context_options swept = sweep_options(options);
    sweep_begin(&attempt, "kin__contexts_create", true);
    do
        result = kin__contexts_create(kinds, count, &swept);
    while (sweep_again(&attempt, result == NULL));
    for (uint32_t i = 0; result != NULL && i < count; i++)
        sweep_append_context(((kin_context **)result)[i]);
    return result;
}

void sweep_kin__contexts_destroy(void *contexts, uint32_t count);
void sweep_kin__contexts_destroy(void *contexts, uint32_t count)
{
    sweep_attempt attempt;
    for (uint32_t i = 0; contexts != NULL && i < count; i++) {
        kin_context *context = ((kin_context **)contexts)[i];
        if (context->depth == 0 && context->core->busy == 0)
            sweep_forget_context(context);
    }
    sweep_begin(&attempt, "kin__contexts_destroy", false);
    kin__contexts_destroy(contexts, count);
    sweep_end(&attempt);
}

NEVER_NEEDS(kin_status, kin__contexts_reset, (void *contexts, uint32_t count), (contexts, count))
NEVER_NEEDS(kin_status, kin__context_reset, (kin_context * context), (context))
NEVER_NEEDS(kin_status, kin_context_begin_shared, (kin_context * context), (context))
NEVER_NEEDS(kin_status, kin_context_end_shared, (kin_context * context), (context))

// ---- snapshots

MAY_FAIL(kin_status, kin__context_save, (kin_context * context, kin_snapshot **snapshot), (context, snapshot),
         NO_MEMORY)
MAY_FAIL(kin_status, kin__context_restore, (kin_context * context, const kin_snapshot *snapshot, kin_restore_mode mode),
         (context, snapshot, mode), NO_MEMORY)
MAY_FAIL(kin_status, kin__context_merge, (kin_context * context, const kin_snapshot *snapshot, kin_entity *entities),
         (context, snapshot, entities), NO_MEMORY)
MAY_FAIL(kin_status, kin__contexts_merge, (kin_context *const *contexts, uint32_t count, const kin_snapshot *snapshot),
         (contexts, count, snapshot), NO_MEMORY)
ONLY_ACTS(kin_snapshot_destroy, (kin_snapshot * snapshot), (snapshot))

// ---- frames

MAY_FAIL(kin_status, kin_frame_make,
         (const kin_snapshot *base, const kin_snapshot *now, const kin_view *view, kin_sink sink),
         (base, now, view, sink), NO_MEMORY)
MAY_FAIL(kin_status, kin_frame_drop, (kin_snapshot * snapshot, const kin_view *view), (snapshot, view), NO_MEMORY)
NEVER_NEEDS(kin_status, kin_frames_use,
            (kin_context *const *contexts, uint32_t count, const struct kin__net_info *table), (contexts, count, table))
NEVER_NEEDS(bool, kin_frame_look, (const void *bytes, size_t size, kin_frame_info *info), (bytes, size, info))
NEVER_NEEDS(uint64_t, kin_frame_number, (const kin_snapshot *snapshot, const kin_view *view, uint64_t *epoch),
            (snapshot, view, epoch))

// What a source has, to be read once more in each attempt.
typedef struct frames_read {
    char *bytes;
    size_t size, capacity, read;
} frames_read;

static size_t read_frames(void *bytes, size_t size, void *user)
{
    frames_read *frames = user;
    size_t left = frames->size - frames->read;
    if (size > left)
        size = left;
    if (size > 0)
        memcpy(bytes, frames->bytes + frames->read, size);
    frames->read += size;
    return size;
}

static frames_read read_all(kin_source source)
{
    frames_read frames = {0};
    for (size_t size = 1; source.read != NULL && size > 0;) {
        frames.capacity = 2 * frames.size + 65536;
        frames.bytes = realloc(frames.bytes, frames.capacity);
        if (frames.bytes == NULL)
            abort();
        size = source.read(frames.bytes + frames.size, frames.capacity - frames.size, source.user);
        frames.size += size;
    }
    return frames;
}

kin_status sweep_kin_frame_apply(kin_snapshot **snapshot, kin_source source);
kin_status sweep_kin_frame_apply(kin_snapshot **snapshot, kin_source source)
{
    kin_status result;
    sweep_attempt attempt;
    frames_read frames = read_all(source);
    kin_source again = {source.read == NULL ? NULL : read_frames, NULL, &frames};
    sweep_begin(&attempt, "kin_frame_apply", true);
    do {
        frames.read = 0;
        result = kin_frame_apply(snapshot, again);
    } while (sweep_again(&attempt, result == KIN_ERROR_NO_MEMORY));
    free(frames.bytes);
    return result;
}

// ---- entities

MAY_FAIL(kin_entity, kin__entity_create, (kin_context * context), (context), NO_ENTITY)
MAY_FAIL(kin_entity, kin__entity_clone_fast, (kin_context * context, kin_entity source), (context, source), NO_ENTITY)
MAY_FAIL(kin_entity, kin__entity_clone_tree, (kin_context * context, uint32_t number, kin_entity source),
         (context, number, source), NO_ENTITY)
MAY_FAIL(kin_status, kin__flag_set_below,
         (kin_context * context, uint32_t number, kin_entity root, kin_component_id id, bool on),
         (context, number, root, id, on), NO_MEMORY)
MAY_FAIL(kin_status, kin__entity_retain, (kin_context * context, kin_entity entity, const void *owner),
         (context, entity, owner), NO_MEMORY)
MAY_FAIL(kin_status, kin_retain_named, (kin_context * context, kin_entity entity, const void *owner, const char *name),
         (context, entity, owner, name), NO_MEMORY)
MAY_FAIL(const kin_entity *, kin__entities, (kin_context * context, uint32_t *count), (context, count), NOTHING)
NEVER_NEEDS(kin_status, kin__entity_release, (kin_context * context, kin_entity entity, const void *owner),
            (context, entity, owner))
NEVER_NEEDS(kin_status, kin__entity_destroy_fast, (kin_context * context, kin_entity entity), (context, entity))
NEVER_NEEDS(kin_status, kin__entity_destroy_all, (kin_context * context), (context))
NEVER_NEEDS(kin_status, kin__entity_clear, (kin_context * context, kin_entity entity), (context, entity))
NEVER_NEEDS(kin_status, kin_remove_components, (kin_context * context, kin_entity entity, kin_rule components),
            (context, entity, components))

MAY_FAIL(kin_status, kin_copy_components,
         (kin_context * context, kin_entity from, kin_entity to, kin_rule components, bool replace),
         (context, from, to, components, replace), NO_MEMORY)

// ---- by id

MAY_FAIL(kin_entity, kin_create, (kin_context * context), (context), NO_ENTITY)
MAY_FAIL(kin_entity, kin_spawn, (kin_context * context, uint32_t blueprint), (context, blueprint), NO_ENTITY)
MAY_FAIL(kin_entity, kin_clone, (kin_context * context, kin_entity source), (context, source), NO_ENTITY)
NEVER_NEEDS(kin_status, kin_destroy, (kin_context * context, kin_entity entity), (context, entity))
MAY_FAIL(kin_status, kin_add, (kin_context * context, kin_entity entity, kin_component_id id, const void *value),
         (context, entity, id, value), NO_MEMORY)
MAY_FAIL(kin_status, kin_replace, (kin_context * context, kin_entity entity, kin_component_id id, const void *value),
         (context, entity, id, value), NO_MEMORY)
NEVER_NEEDS(kin_status, kin_remove, (kin_context * context, kin_entity entity, kin_component_id id),
            (context, entity, id))
MAY_FAIL(kin_status, kin_set_flag, (kin_context * context, kin_entity entity, kin_component_id id, bool on),
         (context, entity, id, on), NO_MEMORY)
MAY_FAIL(kin_status, kin_field_write,
         (kin_context * context, kin_entity entity, kin_component_id id, const char *path, kin_field_value value),
         (context, entity, id, path, value), NO_MEMORY)

// ---- blueprints

MAY_FAIL(kin_entity, kin__spawn, (kin_context * context, uint32_t blueprint), (context, blueprint), NO_ENTITY)
MAY_FAIL(kin_entity, kin__spawn_with, (kin_context * context, uint32_t blueprint, const void *const *values),
         (context, blueprint, values), NO_ENTITY)
MAY_FAIL(kin_status, kin__spawn_many, (kin_context * context, uint32_t blueprint, const kin__batch *batch),
         (context, blueprint, batch), NO_MEMORY)
MAY_FAIL(kin_entity, kin__create_with,
         (kin_context * context, uint32_t count, const kin__part *parts, const void *const *values),
         (context, count, parts, values), NO_ENTITY)
MAY_FAIL(kin_entity, kin__spawn_tree,
         (kin_context * context, uint32_t blueprint, const void *const *values, kin_entity *entities),
         (context, blueprint, values, entities), NO_ENTITY)
MAY_FAIL(kin_status, kin__spawn_trees, (kin_context * context, uint32_t blueprint, const kin__batch *batch),
         (context, blueprint, batch), NO_MEMORY)
MAY_FAIL(kin_status, kin__apply, (kin_context * context, uint32_t blueprint, kin_entity entity),
         (context, blueprint, entity), NO_MEMORY)

// ---- components

MAY_FAIL(kin_status, kin__component_add_fast,
         (kin_context * context, kin_entity entity, kin_component_id id, const void *value),
         (context, entity, id, value), NO_MEMORY)
MAY_FAIL(kin_status, kin__component_replace_fast,
         (kin_context * context, kin_entity entity, kin_component_id id, const void *value),
         (context, entity, id, value), NO_MEMORY)
MAY_FAIL(kin_status, kin__component_readd,
         (kin_context * context, kin_entity entity, kin_component_id id, const void *value),
         (context, entity, id, value), NO_MEMORY)
MAY_FAIL(kin_status, kin__component_stash, (kin_context * context, kin_entity entity, kin_component_id id),
         (context, entity, id), NO_MEMORY)
MAY_FAIL(kin_status, kin__component_restore, (kin_context * context, kin_entity entity, kin_component_id id),
         (context, entity, id), NO_MEMORY)
MAY_FAIL(kin_status, kin__component_touch, (kin_context * context, kin_entity entity, kin_component_id id),
         (context, entity, id), NO_MEMORY)
NEVER_NEEDS(kin_status, kin__component_remove_fast, (kin_context * context, kin_entity entity, kin_component_id id),
            (context, entity, id))
MAY_FAIL(kin_entity, kin__unique_set, (kin_context * context, kin_component_id id, const void *value),
         (context, id, value), NO_ENTITY)
MAY_FAIL(kin_entity, kin__unique_replace, (kin_context * context, kin_component_id id, const void *value),
         (context, id, value), NO_ENTITY)
MAY_FAIL(kin_status, kin__unique_switch, (kin_context * context, kin_component_id id, bool on), (context, id, on),
         NO_MEMORY)
NEVER_NEEDS(kin_status, kin__unique_remove, (kin_context * context, kin_component_id id), (context, id))

// ---- groups and indices

MAY_FAIL(kin_group *, kin_context_group, (kin_context * context, kin_matcher matcher), (context, matcher), NOTHING)

// The journals that a group begins after some calls may be refused without an error: then the array is made anew. The
// next attempt does not ask for them again, so the next call gets all memory.
const kin_entity *sweep_kin_group_entities(kin_group *group, uint32_t *count);
const kin_entity *sweep_kin_group_entities(kin_group *group, uint32_t *count)
{
    static bool had_no_journal;
    const kin_entity *result;
    sweep_attempt attempt;
    sweep_begin(&attempt, "kin_group_entities", true);
    attempt.number = !had_no_journal;
    had_no_journal = false;
    do {
        result = kin_group_entities(group, count);
        had_no_journal |= attempt.refused && attempt.error_count == 0;
    } while (attempt.error_count == 0 ? sweep_again_unreported(&attempt) : sweep_again(&attempt, result == NULL));
    return result;
}

MAY_FAIL(const kin_entity *, kin__index_entities,
         (kin_context * context, uint32_t number, const kin__key *key, uint32_t *count), (context, number, key, count),
         NOTHING)
NEVER_NEEDS(uint32_t, kin__index_copy,
            (const kin_context *context, uint32_t number, const kin__key *key, kin_entity *entities, uint32_t capacity),
            (context, number, key, entities, capacity))
NEVER_NEEDS(uint32_t, kin_group_copy_entities, (kin_group * group, kin_entity *entities, uint32_t capacity),
            (group, entities, capacity))
NEVER_NEEDS(kin_status, kin_group_single, (kin_group * group, kin_entity *entity), (group, entity))
MAY_FAIL(kin_status, kin_group_destroy_entities, (kin_group * group), (group), NO_MEMORY)

// ---- relations

NEVER_NEEDS(kin_status, kin__relation_place_before,
            (kin_context * context, uint32_t number, kin_entity holder, kin_entity sibling),
            (context, number, holder, sibling))
NEVER_NEEDS(kin_status, kin__relation_destroy_holders, (kin_context * context, uint32_t number, kin_entity target),
            (context, number, target))

// ---- lists

MAY_FAIL(kin_status, kin__list_field_push,
         (kin_context * context, kin_entity entity, kin_component_id id, uint32_t field, const void *element),
         (context, entity, id, field, element), NO_MEMORY)
MAY_FAIL(kin_status, kin__list_field_insert,
         (kin_context * context, kin_entity entity, kin_component_id id, uint32_t field, uint32_t index,
          const void *element),
         (context, entity, id, field, index, element), NO_MEMORY)
MAY_FAIL(kin_status, kin__list_field_resize,
         (kin_context * context, kin_entity entity, kin_component_id id, uint32_t field, uint32_t count,
          const void *element),
         (context, entity, id, field, count, element), NO_MEMORY)
NEVER_NEEDS(kin_status, kin__list_field_erase,
            (kin_context * context, kin_entity entity, kin_component_id id, uint32_t field, uint32_t index),
            (context, entity, id, field, index))

// ---- shared values

NEVER_NEEDS(const void *, kin__shared_next,
            (const kin_context *context, kin_component_id id, uint32_t *number, uint32_t *count),
            (context, id, number, count))

// ---- spare memory

void sweep_kin_context_trim(kin_context *context);
void sweep_kin_context_trim(kin_context *context)
{
    sweep_attempt attempt;
    sweep_begin(&attempt, "kin_context_trim", true);
    do
        kin_context_trim(context);
    while (sweep_again_unreported(&attempt));
}

// ---- subscriptions and collectors

MAY_FAIL(kin_subscription, kin_group_subscribe,
         (kin_group * group, kin_group_event event, kin_listener *listener, void *user), (group, event, listener, user),
         NO_PLACE)
MAY_FAIL(kin_subscription, kin_entity_subscribe,
         (kin_context * context, kin_entity entity, kin_entity_event event, kin_listener *listener, void *user),
         (context, entity, event, listener, user), NO_PLACE)
MAY_FAIL(kin_subscription, kin_context_subscribe,
         (kin_context * context, kin_context_event event, kin_listener *listener, void *user),
         (context, event, listener, user), NO_PLACE)
ONLY_ACTS(kin_unsubscribe, (kin_subscription subscription), (subscription))

static kin_collector *collect(const kin_trigger *triggers, size_t count)
{
    kin_collector *result;
    sweep_attempt attempt;
    sweep_begin(&attempt, "kin_collector_create", true);
    do
        result = kin_collector_create(triggers, count);
    while (sweep_again(&attempt, result == NULL));
    return result;
}

kin_collector *sweep_kin_collector_create(const kin_trigger *triggers, size_t count);
kin_collector *sweep_kin_collector_create(const kin_trigger *triggers, size_t count)
{
    kin_collector *collector = collect(triggers, count);
    if (collector != NULL)
        sweep_append_collector(collector);
    return collector;
}

void sweep_kin_collector_destroy(kin_collector *collector);
void sweep_kin_collector_destroy(kin_collector *collector)
{
    sweep_attempt attempt;
    sweep_forget_collector(collector);
    sweep_begin(&attempt, "kin_collector_destroy", false);
    kin_collector_destroy(collector);
    sweep_end(&attempt);
}

MAY_FAIL(const kin_entity *, kin_collector_entities, (kin_collector * collector, uint32_t *count), (collector, count),
         NOTHING)
MAY_FAIL(kin_context *const *, kin_collector_contexts, (kin_collector * collector, uint32_t *count), (collector, count),
         NOTHING)
ONLY_ACTS(kin_collector_activate, (kin_collector * collector), (collector))
ONLY_ACTS(kin_collector_deactivate, (kin_collector * collector), (collector))
ONLY_ACTS(kin_collector_clear, (kin_collector * collector), (collector))

// ---- generated events

MAY_FAIL(kin_status, kin__event_listener_add,
         (kin_context * context, kin_entity listener, uint32_t event, kin_function *function, void *user),
         (context, listener, event, function, user), NO_MEMORY)
NEVER_NEEDS(kin_status, kin__event_listener_remove,
            (kin_context * context, kin_entity listener, uint32_t event, kin_function *function, void *user),
            (context, listener, event, function, user))
MAY_FAIL(kin_systems *, kin__event_systems, (kin_context * context), (context), NOTHING)

// ---- systems

kin_systems *sweep_kin_systems_create(const char *name, const kin_context_options *options);
kin_systems *sweep_kin_systems_create(const char *name, const kin_context_options *options)
{
    kin_systems *result;
    sweep_attempt attempt;
    kin_context_options swept = sweep_options(options);
    sweep_begin(&attempt, "kin_systems_create", true);
    do
        result = kin_systems_create(name, &swept);
    while (sweep_again(&attempt, result == NULL));
    return result;
}

MAY_FAIL(kin_status, kin_systems_add, (kin_systems * systems, kin_system system), (systems, system), NO_MEMORY)
MAY_FAIL(kin_status, kin_systems_add_reactive, (kin_systems * systems, kin_reactive_system system), (systems, system),
         NO_MEMORY)
MAY_FAIL(kin_status, kin_systems_add_systems, (kin_systems * systems, kin_systems *nested), (systems, nested),
         NO_MEMORY)
MAY_FAIL(kin_systems *, kin__cleanup_systems, (kin_context * context, const kin__cleanup *cleanups, uint32_t count),
         (context, cleanups, count), NOTHING)
NEVER_NEEDS(kin_status, kin_systems_remove, (kin_systems * systems, const char *name), (systems, name))
NEVER_NEEDS(kin_status, kin_systems_set_enabled, (kin_systems * systems, const char *name, bool enabled),
            (systems, name, enabled))
NEVER_NEEDS(kin_status, kin_systems_set_enabled_at, (kin_systems * systems, uint32_t place, bool enabled),
            (systems, place, enabled))
ONLY_ACTS(kin_systems_destroy, (kin_systems * systems), (systems))
ONLY_ACTS(kin_systems_initialize, (kin_systems * systems), (systems))
ONLY_ACTS(kin_systems_execute, (kin_systems * systems, double delta), (systems, delta))
ONLY_ACTS(kin_systems_cleanup, (kin_systems * systems), (systems))
ONLY_ACTS(kin_systems_tear_down, (kin_systems * systems), (systems))
ONLY_ACTS(kin_systems_activate_reactive, (kin_systems * systems), (systems))
ONLY_ACTS(kin_systems_deactivate_reactive, (kin_systems * systems), (systems))
ONLY_ACTS(kin_systems_clear_reactive, (kin_systems * systems), (systems))

// ---- prefabs

MAY_FAIL(kin_prefab, kin_prefab_make, (kin_context * context, const kin_prefab_info *tables, const void *const *values),
         (context, tables, values), result == KIN_NO_PREFAB)
MAY_FAIL(kin_status, kin_prefab_spawn,
         (kin_context * context, kin_prefab prefab, const kin_prefab_batch *batch, kin_entity *entities),
         (context, prefab, batch, entities), NO_MEMORY)
