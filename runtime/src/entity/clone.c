#include "entity/entity.h"

#include <stdio.h>
#include <string.h>

// Makes the list of the components of a row. False, with nothing changed, if a clone by the fast path cannot have them:
// one of them has one column for each field.
KIN__NOINLINE static bool clone_list_make(kin_context *context, uint64_t row)
{
    kin__clone_list *list = &context->core->clone_list;
    KIN_ASSERT(context->row_words == 1);
    if ((row & context->core->soa_row[0]) != 0)
        return false;
    list->row = row;
    list->count = 0;
    for (uint64_t bits = row; bits != 0; bits &= bits - 1) {
        uint32_t id = kin__lowest_bit(bits);
        list->parts[list->count++] = (kin__clone_part){id, context->core->watches[id].size};
    }
    return true;
}

bool kin__clone_list_is_valid(const kin_context *context)
{
    const kin__clone_list *list = &context->core->clone_list;
    uint32_t count = 0;
    for (uint64_t bits = list->row; bits != 0; bits &= bits - 1, count++) {
        uint32_t id = kin__lowest_bit(bits);
        const kin__clone_part *part = &list->parts[count];
        if (count == list->count || part->id != id || part->size != context->core->watches[id].size)
            return false;
    }
    return count == list->count && (list->row & context->core->soa_row[0]) == 0;
}

// Clones where nothing is notified (entity.h): a clone is then its bits and its values. Calls the general case for
// everything else, also for contexts of more than 64 components.

// The place of an entity that exists or is about to.
typedef struct spot {
    kin__chunk *chunk;
    uint32_t place;
} spot;

static inline spot spot_of(const kin_context *context, uint32_t slot)
{
    return (spot){kin__chunk_of_slot(context, slot), slot % KIN__CHUNK_SLOTS};
}

// A component with subscribers, or to which entity.h does not apply for another reason, is in the row `watched`.
static inline bool is_fast(const kin_context *context, uint64_t row, uint32_t slot)
{
    if (slot == KIN__NO_SLOT || context->core->alive->watchers > 0)
        return false;
    uint64_t missing = ~*kin__chunk_present(kin__chunk_at(context, slot), 1);
    return context->next_creation_index < context->fast_end && (row & (context->watched[0] | missing)) == 0;
}

// Most values have 4 or 8 to 16 bytes: the latter are two words, which overlap if the value has less than 16.
static inline void copy_value(char *to, const char *from, size_t size)
{
    uint64_t first, last;
    if (size == 4) {
        memcpy(to, from, 4);
    } else if (size - 8 <= 8) {
        memcpy(&first, from, 8);
        memcpy(&last, from + size - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + size - 8, &last, 8);
    } else if (size > 0)
        memcpy(to, from, size);
}

// Looks everything up once: for the compiler, each write may alias what is looked up.
static inline void copy_components(kin_context *context, spot from, spot to)
{
    const kin__clone_list *list = &context->core->clone_list;
    kin__column *const *sources = kin__chunk_columns(from.chunk, 1), *const *columns = kin__chunk_columns(to.chunk, 1);
    uint64_t word = to.place / 64;
    uint64_t bit = (uint64_t)1 << (to.place % 64);
    for (const kin__clone_part *part = list->parts, *end = part + list->count; part < end; part++) {
        size_t id = part->id;
        size_t size = part->size;
        kin__column *column = columns[id];
        KIN_ASSERT(column != context->empty && !kin__column_has(column, to.place));
        column->has[word] |= bit;
        kin__component_of(context, (uint32_t)id)->changes++;
        copy_value(kin__column_value(column, to.place, size), kin__column_value(sources[id], from.place, size), size);
    }
}

KIN__NOINLINE static kin_entity entity_clone(kin_context *context, kin_entity source);

kin_entity kin__entity_clone_fast(kin_context *context, kin_entity source)
{
    kin__chunk *chunk = kin__chunk_of(context, source);
    if (chunk == NULL || context->row_words != 1)
        return entity_clone(context, source);
    spot from = {chunk, kin_entity_slot(source) % KIN__CHUNK_SLOTS};
    uint32_t slot = kin__pool_next(chunk->pool);
    uint64_t row = *kin__chunk_row(chunk, 1, from.place);
    if (!is_fast(context, row, slot) || (row != context->core->clone_list.row && !clone_list_make(context, row)))
        return entity_clone(context, source);
    spot to = spot_of(context, slot);
    kin_entity made = kin__slot_take(context, chunk->pool, slot, 1);
    *kin__chunk_row(to.chunk, 1, to.place) = row;
    copy_components(context, from, to);
    KIN_VALIDATE(kin__slot_is_valid(context, slot));
    return made;
}

// Clones: creates an entity with the components of another one.
//
// All that can fail is done first: the values of the source are copied into a plan, with what their adds need. Then the
// entity is created and gets them one by one; its listeners may do anything, also to the source.

// Returns why a clone leaves the component out; 0 if the clone has it.
static uint32_t reason_of(const kin_context *context, uint32_t id)
{
    const kin_component_info *info = &context->info->components[id];
    if (info->is_unique)
        return KIN_CLONE_UNIQUE;
    if (kin__indices_have_primary(context, (kin_component_id)id))
        return KIN_CLONE_PRIMARY_KEY;
    return info->has_drops ? KIN_CLONE_OPAQUE : 0;
}

// Whether clones and copies of an entity have the component.
static bool entity_is_cloned(const kin_context *context, uint32_t id)
{
    return reason_of(context, id) == 0;
}

uint32_t kin_clone_report(const kin_context *context, kin_entity source, kin_clone_omission *left_out,
                          uint32_t capacity)
{
    uint32_t count = 0;
    if (kin__chunk_of(context, source) == NULL)
        return 0;
    EACH_OF_ROW(id, kin__row_of(context, kin_entity_slot(source)), context->row_words)
    {
        kin_clone_reason reason = (kin_clone_reason)reason_of(context, id);
        if (reason != 0 && count++ < capacity)
            left_out[count - 1] = (kin_clone_omission){(kin_component_id)id, reason};
    }
    return count;
}

// Returns the number of components that a clone of the entity has, and sets `*size` to the total size of their values.
static size_t clone_count(const kin_context *context, kin_entity source, size_t *size)
{
    size_t count = 0;
    *size = 0;
    EACH_OF_ROW(id, kin__row_of(context, kin_entity_slot(source)), context->row_words)
    {
        if (!entity_is_cloned(context, id))
            continue;
        count++;
        *size += kin__round_up(context->info->components[id].size);
    }
    return count;
}

// Plans the clone for the slot that it will have. False when out of memory: the plan has ended.
static bool reserve(kin__plan *plan, kin_entity source, uint32_t slot)
{
    kin_context *context = plan->context;
    size_t size, count = clone_count(context, source, &size);
    char *values = NULL;
    bool reserved = kin__plan_begin(plan, count, size, &values);
    EACH_OF_ROW(id, kin__row_of(context, kin_entity_slot(source)), context->row_words)
    {
        if (!reserved || !entity_is_cloned(context, id))
            continue;
        kin__step step = {KIN__STEP_ADD, 0, (kin_component_id)id, NULL};
        size_t value_size = context->info->components[id].size;
        if (value_size > 0) {
            step.value = values;
            kin__value_read(context, kin_entity_slot(source), step.id, values);
            values += kin__round_up(value_size);
        }
        reserved = kin__plan_append(plan, &step, slot);
    }
    KIN_ASSERT(!reserved || plan->count == count);
    return reserved;
}

// Returns whether all keys allow a clone of the entity; if not, reports the key that forbids it.
static bool clone_check_keys(const kin_context *context, kin_entity source)
{
    char reason[200];
    kin_component_id at = 0;
    kin__attempt attempt = {.verb = "clone", .entity = source, .reason = reason};
    const kin_index_info *index = kin__indices_find_clone_conflict(context, source);
    kin_status status = KIN_ERROR_DUPLICATE_KEY;
    if (index == NULL)
        status = kin__indices_check_clone(context, source, entity_is_cloned, &at);
    if (status == KIN_OK)
        return true;
    if (index != NULL)
        snprintf(reason, sizeof reason,
                 "two entities would have its key in index %s; create an entity and add the components", index->name);
    else
        snprintf(reason, sizeof reason,
                 "with %s the clone would have a key that %s; create an entity and add the components",
                 context->info->components[at].name, status == KIN_ERROR_INVALID ? "is invalid" : "another entity has");
    kin__report_error(context, status, &attempt);
    return false;
}

// Clones an entity in the general case.
KIN__NOINLINE static kin_entity entity_clone(kin_context *context, kin_entity source)
{
    kin__plan_step few[KIN__FEW_STEPS];
    kin__plan plan = {.context = context, .steps = few};
    kin__attempt attempt = {.verb = "clone", .entity = source};
    const kin__chunk *chunk = kin__chunk_of(context, source);
    kin__plan_failure failure;
    kin_entity clone;
    uint32_t slot;
    if (chunk == NULL || kin__context_is_shared(context)) {
        kin__report_error(context, chunk == NULL ? KIN_ERROR_NOT_ALIVE : KIN_ERROR_INVALID, &attempt);
        return 0;
    }
    if (!clone_check_keys(context, source) || kin__entity_reserve(context, chunk->pool, &slot) != KIN_OK)
        return 0;
    if (!reserve(&plan, source, slot)) {
        kin__report_error(context, KIN_ERROR_NO_MEMORY, &attempt);
        return 0;
    }
    KIN_ASSERT(kin_entity_slot(source) != slot);
    kin_status status = kin__plan_make_all(&plan, chunk->pool, &clone, &failure);
    if (status == KIN_OK)
        return clone;
    kin__plan_report_failure(context, status, &failure, (kin__attempt){"complete a clone with", .entity = clone});
    return 0;
}

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
        if (!clone_check_keys(cloning->context, walk.entity))
            return false;
        cloning->step_count += clone_count(cloning->context, walk.entity, &size);
        cloning->values_size += size;
        cloning->count++;
    }
    return true;
}

static uint32_t *place_of(const cloning *cloning, kin_entity source)
{
    uint32_t mask = cloning->table_size - 1;
    uint32_t at = kin_entity_slot(source) * 2654435769u & mask;
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
        cloning->counts[i] = (uint32_t)clone_count(cloning->context, walk.entity, &size);
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
    uint32_t count = cloning->count;
    uint32_t most_pools = cloning->context->info->blueprint_count + 1;
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
    char *room = NULL;
    char nothing;
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
            if (entity_is_cloned(context, id))
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
    kin_entity clone = cloning->clones[0];
    kin_entity last = number < cloning->count ? cloning->clones[number] : 0;
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

// Copies components from one entity to another: as if a blueprint had the values of the source (spawn.c).

typedef struct copying {
    kin_context *context;
    kin_entity from, to;
    const kin_rule *components; // kind 0: all
    bool replaces;
} copying;

static bool is_named(const kin_rule *rule, uint32_t id)
{
    bool found = rule->kind == 0;
    for (uint32_t i = 0; !found && i < rule->count; i++)
        found = rule->ids[i] == id;
    return found;
}

static bool is_copied(const copying *copying, uint32_t id)
{
    return is_named(copying->components, id) && entity_is_cloned(copying->context, id);
}

static const uint64_t *source_row(const copying *copying)
{
    return kin__row_of(copying->context, kin_entity_slot(copying->from));
}

// ---- before the first write

static kin_status check_entity(const copying *copying, kin_entity entity, const char *verb)
{
    kin__attempt attempt = {.verb = verb, .entity = entity};
    return kin__chunk_of(copying->context, entity) != NULL
               ? KIN_OK
               : kin__report_error(copying->context, KIN_ERROR_NOT_ALIVE, &attempt);
}

static kin_status check_rule(const copying *copying)
{
    kin_matcher matcher = {.count = 1, .rules = {*copying->components}};
    kin__attempt attempt = {.verb = "copy components to", .entity = copying->to};
    if (copying->components->kind == 0 && copying->components->count == 0)
        return KIN_OK;
    kin_status status = kin__matcher_check(&matcher, copying->context->info, &attempt.reason);
    if (status == KIN_ERROR_LIMIT)
        attempt.reason = "the rule has more than 30 ids, which is the limit; copy the others with a second call";
    return status == KIN_OK ? KIN_OK : kin__report_error(copying->context, status, &attempt);
}

// Unless the copy replaces, `to` must have none of the components. Counts them; `*size` is that of all their values.
static kin_status check_components(const copying *copying, uint32_t *count, size_t *size)
{
    kin_context *context = copying->context;
    EACH_OF_ROW(id, source_row(copying), context->row_words)
    {
        if (!is_copied(copying, id))
            continue;
        if (!copying->replaces && kin__has(context, copying->to, (kin_component_id)id, context->row_words))
            return kin__report_component_error(context, KIN_ERROR_HAS_COMPONENT, "copy", copying->to,
                                               (kin_component_id)id);
        *count += 1;
        *size += kin__round_up(kin__value_size(context, (kin_component_id)id));
    }
    return KIN_OK;
}

// ---- copying

// Makes parts of copies of the source's values.
static void list_parts(const copying *copying, kin__part *part, char *values)
{
    kin_context *context = copying->context;
    EACH_OF_ROW(id, source_row(copying), context->row_words)
    {
        if (!is_copied(copying, id))
            continue;
        size_t size = kin__value_size(context, (kin_component_id)id);
        *part++ = (kin__part){(kin_component_id)id, (uint32_t)size, size == 0 ? NULL : values};
        kin__value_read(context, kin_entity_slot(copying->from), (kin_component_id)id, values);
        values += kin__round_up(size);
    }
}

static kin_status copy(const copying *copying, uint32_t count, size_t size)
{
    kin__plan_step few[KIN__FEW_STEPS];
    kin__plan plan = {.context = copying->context, .steps = few, .epoch = copying->context->core->dispatch.epoch};
    size_t parts_size = kin__round_up(count * sizeof(kin__part));
    size_t items_size = kin__round_up(count * sizeof(kin__item));
    kin__blueprint source = {.part_count = count};
    kin__blueprint_use use = {.blueprint = &source, .entity = copying->to, .plan = &plan, .adds = !copying->replaces};
    char *room = NULL;
    if (!kin__plan_begin(&plan, count, parts_size + items_size + size, &room))
        return kin__blueprint_use_report_error(copying->context, &use, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
    source.parts = (const kin__part *)(const void *)room;
    source.items = (kin__item *)(void *)(room + parts_size);
    list_parts(copying, (kin__part *)(void *)room, room + parts_size + items_size);
    kin_status status = kin__apply_check(copying->context, &use);
    return status == KIN_OK ? kin__apply_parts(&use) : status;
}

kin_status kin_copy_components(kin_context *context, kin_entity from, kin_entity to, kin_rule components, bool replace)
{
    copying copying = {context, from, to, &components, replace};
    uint32_t count = 0;
    size_t size = 0;
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    kin_status status = check_entity(&copying, from, "copy components of");
    if (status == KIN_OK)
        status = check_entity(&copying, to, "copy components to");
    if (status == KIN_OK)
        status = check_rule(&copying);
    if (status == KIN_OK)
        status = check_components(&copying, &count, &size);
    return status != KIN_OK || count == 0 ? status : copy(&copying, count, size);
}
