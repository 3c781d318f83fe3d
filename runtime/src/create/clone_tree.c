// Clones of an entity with all entities below it in a tree.
//
//   sources    [ robot | arm | hand | leg … ]    in the order of a walk
//   clones     by source: the clone that is expected, then the clone that was made
//   counts     by source: its components that are cloned
//
// All that can fail is done first, for all clones: keys, limits, slots, columns, index entries, links, and the storage
// of the values. Values that named sources name the expected clones. Then all clones are created, and get their
// components in the order of the walk. Listeners may do anything in between, so each step is checked again, and its
// value names the clones that were made. When a step has become impossible, all clones are destroyed, the last one
// first.

#include "change/fast.h"
#include "store/store.h"
#include "create/clone.h"
#include "create/entity.h"
#include "create/plan.h"
#include "lookup/lookup.h"

#include <string.h>

typedef struct cloning {
    kin_context *context;
    uint32_t relation;
    kin_entity source;
    kin__plan plan;
    uint32_t count; // of sources
    uint32_t made;  // the number of clones so far
    size_t step_count, values_size;
    uint64_t first; // the expected creation index of the first clone
    kin_entity *sources, *clones;
    uint32_t *counts;
    uint32_t *table, table_size; // numbers of sources + 1 by hash of the slot: a power of two, at least twice the count
    uint32_t *entries;           // by component: the number of clones that get it
    kin__pool **pools;           // of the sources, each once
    kin__pool_preview *previews; // of each pool
    uint32_t pool_count;
    char *values;
} cloning;

// ---- sources

static kin__relation_walk walk_of(const cloning *cloning)
{
    return (kin__relation_walk){.context = cloning->context, .root = cloning->source, .number = cloning->relation};
}

// Counts the components and bytes of the clones. False, reported, if a key forbids a clone.
static bool count_sources(cloning *cloning)
{
    kin__relation_walk walk = walk_of(cloning);
    while (kin__relation_walk_next(&walk)) {
        size_t size;
        if (!kin__clone_check_keys(cloning->context, walk.entity))
            return false;
        cloning->step_count += kin__clone_count(cloning->context, walk.entity, &size);
        cloning->values_size += size;
        cloning->count++;
    }
    return true;
}

static uint32_t *place_of(const cloning *cloning, kin_entity source)
{
    uint32_t mask = cloning->table_size - 1, at = kin_entity_slot(source) * 2654435769u & mask;
    while (cloning->table[at] != 0 && cloning->sources[cloning->table[at] - 1] != source)
        at = (at + 1) & mask;
    return &cloning->table[at];
}

static void list_sources(cloning *cloning)
{
    kin__relation_walk walk = walk_of(cloning);
    memset(cloning->table, 0, cloning->table_size * sizeof *cloning->table);
    for (uint32_t i = 0; kin__relation_walk_next(&walk); i++) {
        size_t size;
        cloning->sources[i] = walk.entity;
        cloning->counts[i] = (uint32_t)kin__clone_count(cloning->context, walk.entity, &size);
        *place_of(cloning, walk.entity) = i + 1;
    }
}

// ---- room

static void *take(char **room, size_t count, size_t size)
{
    void *taken = *room;
    *room += kin__round_up(count * size);
    return taken;
}

// Lays out the arrays from `room` on, and returns their end.
static char *lay_out(cloning *cloning, char *room)
{
    uint32_t count = cloning->count, most_pools = cloning->context->info->blueprint_count + 1;
    cloning->sources = take(&room, count, sizeof *cloning->sources);
    cloning->clones = take(&room, count, sizeof *cloning->clones);
    cloning->counts = take(&room, count, sizeof *cloning->counts);
    cloning->table = take(&room, cloning->table_size, sizeof *cloning->table);
    cloning->entries = take(&room, cloning->context->info->component_count, sizeof *cloning->entries);
    cloning->pools = take(&room, most_pools, sizeof *cloning->pools);
    cloning->previews = take(&room, most_pools, sizeof *cloning->previews);
    cloning->values = room;
    return room + cloning->values_size;
}

static bool make_room(cloning *cloning)
{
    char *room = NULL, nothing;
    for (cloning->table_size = 2; cloning->table_size < 2 * cloning->count; cloning->table_size *= 2)
        ;
    size_t size = (size_t)(lay_out(cloning, &nothing) - &nothing);
    if (!kin__plan_begin(&cloning->plan, cloning->step_count, size, &room))
        return false;
    lay_out(cloning, room);
    memset(cloning->entries, 0, cloning->context->info->component_count * sizeof *cloning->entries);
    return true;
}

// ---- slots

static kin__pool *pool_of(const cloning *cloning, uint32_t number)
{
    return kin__chunk_of_slot(cloning->context, kin_entity_slot(cloning->sources[number]))->pool;
}

static kin__pool_preview *preview_of(cloning *cloning, kin__pool *pool)
{
    uint32_t number = 0;
    while (number < cloning->pool_count && cloning->pools[number] != pool)
        number++;
    if (number == cloning->pool_count) {
        cloning->pools[cloning->pool_count++] = pool;
        cloning->previews[number] = kin__pool_preview_begin(cloning->context, pool);
    }
    return &cloning->previews[number];
}

// Computes the clones that will be made if no listener makes other entities. Each pool takes the next chunk when it
// needs one.
static kin_status expect(cloning *cloning)
{
    uint32_t next_chunk = cloning->context->core->slots.assigned_chunks;
    kin_status status = KIN_OK;
    cloning->first = cloning->context->next_creation_index;
    for (uint32_t i = 0; status == KIN_OK && i < cloning->count; i++) {
        kin__pool_preview *preview = preview_of(cloning, pool_of(cloning, i));
        kin__run run = {.count = 0};
        preview->number = next_chunk;
        status = kin__pool_preview_next(preview, 1, &run);
        next_chunk = preview->number;
        cloning->clones[i] = (cloning->first + i) << 24 | run.first;
    }
    return status;
}

// ---- values

// Runs the following block for each relation of a component, with the place of its field in the value.
#define EACH_TARGET(place, cloning, id, value)                                                                         \
    for (uint32_t at_ = (cloning)->context->core->relations->first[id];                                                \
         at_ < (cloning)->context->core->relations->first[(id) + 1]; at_++)                                            \
        for (char *place = (char *)(value) + (cloning)->context->info->relations[at_].field->offset; place != NULL;    \
             place = NULL)

// Replaces sources by their expected clones in the relations of a value.
static void name_expected(const cloning *cloning, kin_component_id id, char *value)
{
    EACH_TARGET(place, cloning, id, value)
    {
        kin_entity target;
        memcpy(&target, place, sizeof target);
        uint32_t number = target == 0 ? 0 : *place_of(cloning, target);
        if (number > 0)
            memcpy(place, &cloning->clones[number - 1], sizeof target);
    }
}

// Replaces expected clones by the clones that were made in the relations of a value. Other targets are older.
static void name_made(const cloning *cloning, kin_component_id id, char *value)
{
    EACH_TARGET(place, cloning, id, value)
    {
        kin_entity target;
        memcpy(&target, place, sizeof target);
        uint64_t number = kin_entity_creation_index(target) - cloning->first;
        if (target != 0 && number < cloning->count)
            memcpy(place, &cloning->clones[number], sizeof target);
    }
}

static bool reserve_step(cloning *cloning, kin_component_id id, uint32_t number, char **values)
{
    kin_context *context = cloning->context;
    uint32_t slot = kin_entity_slot(cloning->clones[number]);
    size_t size = context->info->components[id].size;
    kin__step step = {KIN__STEP_ADD, 0, id, NULL};
    if (size > 0) {
        kin__value_read(context, kin_entity_slot(cloning->sources[number]), id, *values);
        name_expected(cloning, id, *values);
        step.value = *values;
        *values += kin__round_up(size);
    }
    return kin__change_reserve_entries(context, slot, id, ++cloning->entries[id]) &&
           kin__relations_reserve_targets(context, id, step.value) &&
           kin__plan_append(&cloning->plan, &step, KIN__NO_SLOT);
}

static bool reserve_steps(cloning *cloning)
{
    const kin_context *context = cloning->context;
    char *values = cloning->values;
    bool reserved = true;
    for (uint32_t i = 0; reserved && i < cloning->count; i++)
        EACH_OF_ROW(id, kin__row_of(context, kin_entity_slot(cloning->sources[i])), context->row_words)
        {
            if (kin__entity_is_cloned(context, id))
                reserved = reserved && reserve_step(cloning, (kin_component_id)id, i, &values);
        }
    return reserved;
}

static kin_status report(const cloning *cloning, kin_status status, const char *reason)
{
    kin__attempt attempt = {.verb = "clone with all below it", .entity = cloning->source, .reason = reason};
    return kin__report_error(cloning->context, status, &attempt);
}

// Does all that can fail. On failure the error is reported, and nothing is reserved.
static kin_status prepare(cloning *cloning)
{
    char text[KIN__LIMIT_SIZE];
    if (kin__context_is_shared(cloning->context))
        return kin__refuse_shared(cloning->context);
    if (kin__chunk_of(cloning->context, cloning->source) == NULL)
        return report(cloning, KIN_ERROR_NOT_ALIVE, NULL);
    if (!count_sources(cloning))
        return KIN_ERROR_DUPLICATE_KEY;
    const char *limit = kin__entities_find_limit(cloning->context, cloning->count, text);
    if (limit != NULL)
        return report(cloning, KIN_ERROR_LIMIT, limit);
    if (!make_room(cloning))
        return report(cloning, KIN_ERROR_NO_MEMORY, NULL);
    list_sources(cloning);
    kin_status status = expect(cloning);
    if (status == KIN_OK && !reserve_steps(cloning))
        status = KIN_ERROR_NO_MEMORY;
    if (status == KIN_OK)
        return KIN_OK;
    kin__plan_end(&cloning->plan);
    return report(cloning, status, status == KIN_ERROR_LIMIT ? KIN__NO_SLOT_LEFT : NULL);
}

// ---- making

// Creates all clones, without components. A listener may take the slots, or reset the context.
static kin_status create_all(cloning *cloning, char text[KIN__LIMIT_SIZE], const char **reason)
{
    kin_context *context = cloning->context;
    uint32_t slot;
    while (cloning->made < cloning->count) {
        kin__pool *pool = pool_of(cloning, cloning->made);
        kin_status status = kin__entity_find_slot(context, pool, &slot, text, reason);
        if (status != KIN_OK)
            return status;
        cloning->clones[cloning->made++] = kin__entity_create_reserved(context, pool);
        *reason = "a listener has reset the context";
        if (cloning->plan.epoch != context->core->dispatch.epoch)
            return KIN_ERROR_NOT_ALIVE;
    }
    return KIN_OK;
}

// Adds all components. `*number` is the number of the current clone.
static kin_status add_all(cloning *cloning, uint32_t *number)
{
    kin_status status = KIN_OK;
    for (*number = 0; *number < cloning->count; ++*number)
        for (uint32_t i = 0; i < cloning->counts[*number]; i++) {
            const kin__plan_step *step = &cloning->plan.steps[cloning->plan.done];
            if (step->storage.value != NULL)
                name_made(cloning, step->id, (char *)(uintptr_t)step->storage.value);
            status = kin__plan_commit(&cloning->plan, cloning->clones[*number]);
            if (status != KIN_OK)
                return status;
        }
    return KIN_OK;
}

// Listeners of one destroy may destroy other clones, or reset the context.
static void destroy_all(const cloning *cloning)
{
    kin_context *context = cloning->context;
    for (uint32_t i = cloning->made; i-- > 0 && cloning->plan.epoch == context->core->dispatch.epoch;)
        if (kin__chunk_of(context, cloning->clones[i]) != NULL)
            kin__entity_destroy_checked_fast(context, cloning->clones[i]);
}

// Reports last, as `on_error` may call Kin.
static kin_entity make_all(cloning *cloning)
{
    kin_context *context = cloning->context;
    char text[KIN__LIMIT_SIZE];
    const char *reason = NULL;
    kin__plan_failure failure;
    uint32_t number = 0;
    cloning->plan.epoch = context->core->dispatch.epoch;
    kin_status status = create_all(cloning, text, &reason);
    bool has_all = status == KIN_OK;
    if (has_all)
        status = add_all(cloning, &number);
    kin_entity clone = cloning->clones[0], last = number < cloning->count ? cloning->clones[number] : 0;
    if (status != KIN_OK && has_all)
        kin__plan_describe(&cloning->plan, last, status, &failure);
    if (status != KIN_OK)
        destroy_all(cloning);
    kin__plan_end(&cloning->plan);
    if (status == KIN_OK)
        return clone;
    if (has_all)
        kin__plan_report_failure(context, status, &failure, (kin__attempt){"complete a clone with", .entity = last});
    else
        report(cloning, status, reason);
    return 0;
}

kin_entity kin__entity_clone_tree(kin_context *context, uint32_t relation, kin_entity source)
{
    kin__plan_step few[KIN__FEW_STEPS];
    cloning cloning = {.context = context, .relation = relation, .source = source};
    cloning.plan = (kin__plan){.context = context, .steps = few};
    return prepare(&cloning) == KIN_OK ? make_all(&cloning) : 0;
}
