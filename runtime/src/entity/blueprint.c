#include "entity/entity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VERB_SIZE = 112 }; // names have at most 63 bytes

static size_t parts_size(const kin_blueprint_info *info)
{
    return kin__round_up(info->component_count * sizeof(kin__part));
}

static size_t row_size(const kin_context *context)
{
    return kin__round_up(context->row_words * sizeof(uint64_t));
}

static size_t items_size(const kin_blueprint_info *info)
{
    return kin__round_up(2 * info->component_count * sizeof(kin__item));
}

static size_t values_size(const kin_context *context, const kin_blueprint_info *info)
{
    size_t size = 0;
    for (uint32_t i = 0; i < info->component_count; i++)
        size += kin__round_up(kin__value_size(context, info->components[i]));
    return size;
}

static bool needs_library(const kin_context *context, const kin__blueprint *blueprint, kin_component_id id)
{
    return kin__is_special(context, id) && !kin__is_fast_parent(context, blueprint, id);
}

// Whether a part needs the library for the memory of its value alone.
static bool needs_only_memory(const kin_context *context, kin_component_id id)
{
    const kin_component_info *info = &context->info->components[id];
    bool has_relation = (context->core->watches[id].side_effects & KIN__SIDE_EFFECT_RELATION) != 0;
    bool is_plain = !info->is_unique && !info->is_stashable && !has_relation && !info->has_drops;
    return is_plain && !kin__is_shared(context, id) && kin__has_storage(context, id);
}

static void list_parts(kin_context *context, kin__blueprint *blueprint, char *values)
{
    kin__part *parts = (kin__part *)(uintptr_t)blueprint->parts;
    uint64_t *row = (uint64_t *)(uintptr_t)blueprint->row;
    for (uint32_t i = 0; i < blueprint->part_count; i++) {
        kin_component_id id = blueprint->info->components[i];
        size_t size = kin__value_size(context, id);
        KIN_ASSERT(i == 0 || id > parts[i - 1].id);
        parts[i] = (kin__part){id, (uint32_t)size, size == 0 ? NULL : values};
        values += kin__round_up(size);
        kin__bits_add(row, id);
        blueprint->is_rich = blueprint->is_rich || kin__has_storage(context, id);
        blueprint->watchers += needs_library(context, blueprint, id);
        blueprint->owners += needs_only_memory(context, id);
    }
    blueprint->watchers += kin__indices_count_reached(context, row);
}

static bool write_values(kin_context *context, const kin__blueprint *blueprint)
{
    if (blueprint->info->write_values == NULL)
        return true;
    size_t size = blueprint->part_count * sizeof(void *);
    void **values = kin__allocate(&context->core->memory, size);
    if (values == NULL)
        return false;
    for (uint32_t i = 0; i < blueprint->part_count; i++)
        values[i] = (void *)(uintptr_t)blueprint->parts[i].value;
    blueprint->info->write_values(values);
    kin__release(&context->core->memory, values, size);
    return true;
}

bool kin__blueprint_make(kin_context *context, kin__blueprint *blueprint, const kin_blueprint_info *info,
                         const kin_child_info *child)
{
    size_t parts = parts_size(info);
    size_t row = row_size(context);
    size_t items = items_size(info);
    size_t size = parts + row + items + values_size(context, info);
    char *block = kin__allocate_zero(&context->core->memory, size);
    if (block == NULL)
        return false;
    *blueprint = (kin__blueprint){.pool = {.free_slot = KIN__NO_SLOT},
                                  .part_count = info->component_count,
                                  .parts = (const kin__part *)(const void *)block,
                                  .row = (const uint64_t *)(const void *)(block + parts),
                                  .items = (kin__item *)(void *)(block + parts + row),
                                  .block = block,
                                  .block_size = size,
                                  .info = info,
                                  .child = child};
    list_parts(context, blueprint, block + parts + row + items);
    return write_values(context, blueprint);
}

void kin__blueprint_release(kin_context *context, kin__blueprint *blueprint)
{
    kin__release(&context->core->memory, blueprint->block, blueprint->block_size);
}

static size_t table_size(const kin_context *context)
{
    return context->core->blueprint_count * sizeof(kin__blueprint);
}

static bool make_one(kin_context *context, uint32_t number)
{
    const kin_context_info *info = context->info;
    kin__blueprint *blueprint = &context->blueprints[number];
    if (number < info->blueprint_count)
        return kin__blueprint_make(context, blueprint, &info->blueprints[number], NULL);
    const kin_child_info *child = &info->children[number - info->blueprint_count];
    return kin__blueprint_make(context, blueprint, &child->entity, child);
}

bool kin__blueprints_make(kin_context *context)
{
    if (context->info->blueprint_count == 0)
        return true;
    context->core->blueprint_count = context->info->blueprint_count + context->info->child_count;
    context->blueprints = kin__allocate_zero(&context->core->memory, table_size(context));
    if (context->blueprints == NULL)
        return false;
    for (uint32_t i = 0; i < context->core->blueprint_count; i++)
        if (!make_one(context, i))
            return false;
    return kin__blueprint_trees_make(context);
}

void kin__blueprints_release(kin_context *context)
{
    kin__prefabs_release(context);
    if (context->blueprints != NULL)
        kin__blueprint_trees_release(context);
    for (uint32_t i = 0; context->blueprints != NULL && i < context->core->blueprint_count; i++)
        kin__blueprint_release(context, &context->blueprints[i]);
    kin__release(&context->core->memory, context->blueprints, table_size(context));
}

size_t kin__blueprints_used(const kin_context *context)
{
    size_t used = table_size(context) + kin__blueprint_trees_used(context) + kin__prefabs_used(context);
    for (uint32_t i = 0; i < context->core->blueprint_count; i++)
        used += context->blueprints[i].block_size;
    return used;
}

// ---- validation

uint32_t kin__blueprint_count_watchers(const kin_context *context, const kin__blueprint *blueprint)
{
    uint32_t watchers = kin__indices_count_reached(context, blueprint->row);
    watchers += context->core->events.any_change_subscribers > 0;
    watchers += context->core->tool_journal != NULL;
    kin_group *const *groups = context->core->groups.elements;
    for (uint32_t i = 0; i < blueprint->part_count; i++)
        watchers += needs_library(context, blueprint, blueprint->parts[i].id);
    for (uint32_t i = 0; i < context->core->group_count; i++)
        watchers += groups[i]->subscriber_count > 0 && kin__spawn_passes(blueprint, &groups[i]->matcher);
    return watchers;
}

bool kin__blueprints_are_valid(const kin_context *context)
{
    for (uint32_t i = 0; i < context->core->blueprint_count; i++)
        if (context->blueprints[i].watchers != kin__blueprint_count_watchers(context, &context->blueprints[i]))
            return false;
    return kin__prefabs_are_valid(context);
}

// ---- refusals

static void describe_merge(const kin__blueprint_use *use, uint32_t part, char verb[VERB_SIZE])
{
    if (part == KIN__NO_PART)
        snprintf(verb, VERB_SIZE, "merge the snapshot");
    else
        snprintf(verb, VERB_SIZE, "merge entity %" PRIu64 " in slot %" PRIu32 " of the snapshot with",
                 kin_entity_creation_index(use->merged), kin_entity_slot(use->merged));
}

static void describe_use(const kin__blueprint_use *use, uint32_t part, char verb[VERB_SIZE])
{
    const kin_blueprint_info *info = use->blueprint->info;
    const char *name = info == NULL ? "" : info->name;
    const char *with = part == KIN__NO_PART ? "" : " with";
    if (use->merges)
        describe_merge(use, part, verb);
    else if (info == NULL && use->batch != NULL)
        snprintf(verb, VERB_SIZE, "create an entity%s", with);
    else if (info == NULL)
        snprintf(verb, VERB_SIZE, "%s", part == KIN__NO_PART ? "copy components to" : "copy");
    else if (use->batch == NULL)
        snprintf(verb, VERB_SIZE, "apply %s%s", name, part == KIN__NO_PART ? " to" : with);
    else if (use->batch->count == 1)
        snprintf(verb, VERB_SIZE, "spawn %s%s", name, with);
    else
        snprintf(verb, VERB_SIZE, "spawn %" PRIu32 " of %s%s", use->batch->count, name, with);
}

kin_status kin__blueprint_use_report_error(const kin_context *context, const kin__blueprint_use *use, kin_status status,
                                           uint32_t part, const char *reason)
{
    char verb[VERB_SIZE];
    KIN_ASSERT(part == KIN__NO_PART || part < use->blueprint->part_count);
    describe_use(use, part, verb);
    kin__attempt attempt = {.verb = verb, .reason = reason, .entity = use->entity, .preposition = "to"};
    attempt.is_unique = use->batch != NULL;
    if (part != KIN__NO_PART)
        attempt.component = context->info->components[use->blueprint->parts[part].id].name;
    if (use->plan != NULL)
        kin__plan_end(use->plan);
    return kin__report_error(context, status, &attempt);
}

// ---- unique parts

kin_status kin__blueprint_use_check_unique(const kin_context *context, const kin__blueprint_use *use)
{
    char reason[160];
    for (uint32_t i = 0; i < use->blueprint->part_count; i++) {
        kin_component_id id = use->blueprint->parts[i].id;
        kin_entity carrier = context->carriers[id];
        if (carrier != 0 && carrier != use->entity) {
            snprintf(reason, sizeof reason,
                     "entity %" PRIu64 " in slot %" PRIu32 " has it; replace it there, or remove it there first",
                     kin_entity_creation_index(carrier), kin_entity_slot(carrier));
            return kin__blueprint_use_report_error(context, use, KIN_ERROR_UNIQUE, i, reason);
        }
        if (context->info->components[id].is_unique && use->batch != NULL && use->batch->count > 1)
            return kin__blueprint_use_report_error(context, use, KIN_ERROR_UNIQUE, i,
                                                   "only one entity can have it; spawn one entity");
    }
    return KIN_OK;
}

// Checks the keys of entities that a blueprint will make or change: part by part, in the order in which each entity
// gets them, and against earlier entities of the same call.

// The check of one entity after the other. `tables` has the keys of earlier ones, by index; NULL for a single entity.
typedef struct check {
    kin_context *context;
    const kin__blueprint_use *use;
    kin__table *tables;
    const kin__entity_list *list; // the entities of several blueprints; NULL: a batch of one
    uint32_t number;              // of the entity in the batch or list
    kin_status status;
    // When a key is refused:
    const kin__index *index;
    uint32_t part;
    kin_entity other; // the entity that has the key; 0: an earlier one of the batch
} check;

// Lists the values of the entity `index` of a use.
static kin__item *list_items(const kin__blueprint_use *use, uint32_t index, kin__item *items)
{
    const kin__blueprint *blueprint = use->blueprint;
    for (uint32_t i = 0; i < blueprint->part_count; i++)
        items[i] = (kin__item){blueprint->parts[i].id, kin__part_value(blueprint, use->batch, i, index)};
    return items;
}

// The values of the current entity once it has so many parts.
static kin__new_values new_values_of(const check *check, uint32_t part_count)
{
    return (kin__new_values){.items = check->use->blueprint->items, .item_count = part_count};
}

static kin__key read_key(const check *check, const kin__index *index, uint32_t part_count)
{
    return kin__key_read(check->context, kin_entity_slot(check->use->entity), index, new_values_of(check, part_count),
                         index->keys[1]);
}

// Reads the keys that a function returns for the current entity. False if they are too many.
static bool read_given(const check *check, const kin__index *index, uint32_t part_count)
{
    return kin__given_keys_read(check->context, index, kin_entity_slot(check->use->entity),
                                new_values_of(check, part_count));
}

static bool matches(const check *check, const kin__index *index)
{
    return kin__index_holds(check->context, index, check->context->core->indices->rows);
}

// ---- entities of the same call

static bool has_key(const check *check, const kin__index *index, uint32_t number, const unsigned char *key)
{
    const kin__blueprint_use *use = check->use;
    if (check->list != NULL) {
        use = check->list->use_of(check->list->data, number, KIN__EARLIER_ENTITY);
        number = 0;
    }
    const kin__blueprint *blueprint = use->blueprint;
    kin__new_values new_values = {.items = list_items(use, number, blueprint->items + blueprint->part_count),
                                  .item_count = blueprint->part_count};
    kin__key_read(check->context, 0, index, new_values, index->keys[0]);
    return kin__keys_are_equal(index, index->keys[0], key);
}

static bool is_used_earlier(const check *check, const kin__index *index, const unsigned char *key)
{
    const kin__table *table = check->tables == NULL ? NULL : &check->tables[index->number];
    if (table == NULL || table->entries == NULL)
        return false;
    uint64_t word = kin__key_word(check->context, index, key);
    for (uint32_t place = kin__table_place(table, word); table->entries[place].value != 0;
         place = (place + 1) & table->mask)
        if (table->entries[place].word == word && has_key(check, index, (uint32_t)table->entries[place].value - 1, key))
            return true;
    return false;
}

// Plans the keys that a function returned for the entity. False when out of memory.
static bool plan_given(const check *check, kin__index *index)
{
    return !kin__index_may_hold(index, check->context->core->indices->rows) ||
           !read_given(check, index, check->use->blueprint->part_count) || kin__given_keys_plan(check->context, index);
}

// Remembers the keys of the entity, which is complete. False when out of memory.
static bool insert_keys(const check *check)
{
    for (uint32_t i = 0; check->tables != NULL && i < check->context->info->index_count; i++) {
        kin__index *index = &check->context->core->indices->indices[i];
        if (index->given != NULL && !plan_given(check, index))
            return false;
        if (check->tables[i].entries == NULL || !matches(check, index))
            continue;
        kin__key key = read_key(check, index, check->use->blueprint->part_count);
        if (!key.is_null)
            kin__table_insert(&check->tables[i], kin__key_word(check->context, index, key.bytes),
                              (uint64_t)check->number + 1);
    }
    return true;
}

static void release_tables(check *check)
{
    kin__memory *memory = &check->context->core->memory;
    uint32_t count = check->context->info->index_count;
    for (uint32_t i = 0; check->tables != NULL && i < count; i++) {
        kin__index *index = &check->context->core->indices->indices[i];
        if (index->given != NULL)
            kin__given_keys_plan_end(check->context, index);
        kin__table_release(memory, &check->tables[i]);
    }
    kin__release(memory, check->tables, count * sizeof *check->tables);
}

// `row` has the components of the entities.
static bool make_tables(check *check, uint32_t count, const uint64_t *row)
{
    kin__memory *memory = &check->context->core->memory;
    const kin_context_info *info = check->context->info;
    check->tables = kin__allocate_zero(memory, info->index_count * sizeof *check->tables);
    if (check->tables == NULL)
        return false;
    for (uint32_t i = 0; i < info->index_count; i++) {
        if (info->indices[i].function != NULL)
            continue;
        kin_component_id id = info->indices[i].key[0].component;
        bool matters = info->indices[i].is_primary && kin__bits_have(row, id);
        check->tables[i] = kin__table_begin(check->context->core->factors);
        if (matters && !kin__table_reserve(memory, &check->tables[i], count))
            return false;
    }
    return true;
}

// ---- one entity

// Whether the part changes the entity's keys in an index whose keys a function returns.
static bool gives_keys(const check *check, const kin__index *index, kin_component_id id, bool had)
{
    uint64_t *row = check->context->core->indices->rows;
    if (!kin__index_may_hold(index, row))
        return false;
    if (had)
        return kin__index_is_key(index, id);
    kin__bits_flip(row, id);
    bool was_kept = kin__index_may_hold(index, row);
    kin__bits_flip(row, id);
    return !was_kept;
}

// Whether these keys forbid the part; then records it in the check.
static bool find_given_fault(check *check, const kin__index *index, uint32_t part)
{
    check->index = index;
    check->status = KIN_ERROR_INVALID;
    check->other = 0;
    if (!read_given(check, index, part + 1))
        return true;
    check->status = KIN_ERROR_DUPLICATE_KEY;
    if (!index->info->is_primary || !matches(check, index))
        return false;
    check->other = kin__given_keys_find_other(check->context, index, check->use->entity);
    return check->other != 0 || kin__given_keys_find_planned(check->context, index);
}

// Whether the key forbids the part; then records it in the check.
static bool find_key_fault(check *check, const kin__index *index, kin__key key)
{
    if (key.is_null)
        return false;
    check->index = index;
    check->status = key.is_none ? KIN_ERROR_INVALID : KIN_ERROR_DUPLICATE_KEY;
    check->other =
        key.is_none || !index->info->is_primary ? 0 : kin__index_find_bytes(check->context, index->number, key.bytes);
    if (key.is_none || (check->other != 0 && check->other != check->use->entity))
        return true;
    check->other = 0;
    return is_used_earlier(check, index, key.bytes);
}

// Whether a key forbids the part, whose bit is in the row by now; then records it in the check. `had`: it was before.
static bool find_fault(check *check, uint32_t part, bool had)
{
    kin_component_id id = check->use->blueprint->parts[part].id;
    check->part = part;
    KIN_ASSERT(part < check->use->blueprint->part_count && kin__bits_have(check->context->core->indices->rows, id));
    EACH_INDEX_OF(index, check->context, id)
    {
        if (index->given != NULL) {
            if (gives_keys(check, index, id, had) && find_given_fault(check, index, part))
                return true;
            continue;
        }
        if (index->kind->check == NULL || !matches(check, index) || (had && !kin__index_is_key(index, id)))
            continue;
        if (find_key_fault(check, index, read_key(check, index, part + 1)))
            return true;
    }
    return false;
}

// Whether the current entity, the one `index` of its use, can get all parts. Skips a flag that it has already (FLG-02).
static bool is_possible(check *check, uint32_t index)
{
    const kin_context *context = check->context;
    const kin__blueprint *blueprint = check->use->blueprint;
    kin_entity entity = check->use->entity;
    uint64_t *row = context->core->indices->rows;
    memset(row, 0, context->row_words * sizeof *row);
    if (entity != 0)
        memcpy(row, kin__row_of(context, kin_entity_slot(entity)), context->row_words * sizeof *row);
    list_items(check->use, index, blueprint->items);
    for (uint32_t i = 0; i < blueprint->part_count; i++) {
        kin_component_id id = blueprint->parts[i].id;
        bool had = kin__bits_have(row, id);
        kin__bits_add(row, id);
        if ((!had || blueprint->parts[i].size > 0) && find_fault(check, i, had))
            return false;
    }
    return true;
}

static kin_status report_error(const check *check)
{
    KIN_ASSERT(check->index != NULL && check->status != KIN_OK);
    char key[120], reason[KIN__KEY_REASON_SIZE];
    kin__index_describe_key(check->context, kin_entity_slot(check->use->entity), check->index,
                            new_values_of(check, check->part + 1), key, sizeof key);
    if (check->status == KIN_ERROR_INVALID)
        kin__index_describe_invalid(check->index, key, reason, sizeof reason);
    else if (check->other != 0)
        kin__index_describe_taken(check->context, check->index, check->other, key, reason, sizeof reason);
    else
        snprintf(reason, sizeof reason,
                 "an earlier entity of the same call has the key %s in index %s; use a different key for each", key,
                 check->index->info->name);
    return kin__blueprint_use_report_error(check->context, check->use, check->status, check->part, reason);
}

// Checks no more entities than the limit allows, which is checked next.
kin_status kin__blueprint_use_check_keys(kin_context *context, const kin__blueprint_use *use)
{
    check check = {.context = context, .use = use};
    uint32_t count = use->batch == NULL ? 1 : kin__entities_allowed(context, use->batch->count);
    bool possible = true;
    bool remembered = true;
    if (context->core->indices == NULL)
        return KIN_OK;
    if (count == 0)
        count = 1; // keys are checked before limits
    if (count > 1 && !make_tables(&check, count, use->blueprint->row)) {
        release_tables(&check);
        return kin__blueprint_use_report_error(context, use, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
    }
    for (; possible && remembered && check.number < count; check.number++) {
        possible = is_possible(&check, check.number);
        if (possible)
            remembered = insert_keys(&check);
    }
    release_tables(&check); // before `on_error` can spawn
    if (!possible)
        return report_error(&check);
    return remembered ? KIN_OK : kin__blueprint_use_report_error(context, use, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
}

kin_status kin__entity_list_check_keys(kin_context *context, const kin__entity_list *list)
{
    check check = {.context = context, .list = list};
    bool possible = true;
    bool remembered = make_tables(&check, list->count, list->row);
    for (; possible && remembered && check.number < list->count; check.number++) {
        check.use = list->use_of(list->data, check.number, KIN__CURRENT_ENTITY);
        possible = is_possible(&check, 0);
        if (possible)
            remembered = insert_keys(&check);
    }
    release_tables(&check);
    if (!possible)
        return report_error(&check);
    return remembered ? KIN_OK
                      : kin__blueprint_use_report_error(context, list->whole, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
}

// Checks the entities that the parts of a blueprint name, and reserves their links.

// Checks a part of the entity `number` of the batch.
static kin_status check_relation(kin_context *context, const kin__blueprint_use *use, uint32_t part, uint32_t number)
{
    char reason[KIN__RELATION_REASON_SIZE];
    kin_component_id id = use->blueprint->parts[part].id;
    kin__step step = {KIN__STEP_ADD, use->entity, id, kin__part_value(use->blueprint, use->batch, part, number)};
    if ((context->core->watches[id].side_effects & KIN__SIDE_EFFECT_RELATION) == 0)
        return KIN_OK;
    kin_status status = kin__relations_check(context, &step);
    if (status == KIN_OK && !kin__relations_reserve_targets(context, id, step.value))
        return kin__blueprint_use_report_error(context, use, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
    if (status == KIN_OK)
        return KIN_OK;
    kin__relations_describe(context, &step, reason);
    return kin__blueprint_use_report_error(context, use, status, part, reason);
}

kin_status kin__blueprint_use_check_relations(kin_context *context, const kin__blueprint_use *use)
{
    uint32_t count = 1; // without values of the caller, all entities are equal
    kin_status status = KIN_OK;
    if (context->core->relations == NULL)
        return KIN_OK;
    if (use->batch != NULL && use->batch->values != NULL)
        count = kin__entities_allowed(context, use->batch->count); // the limit is checked next
    if (count == 0)
        count = 1;
    for (uint32_t number = 0; number < count && status == KIN_OK; number++)
        for (uint32_t part = 0; part < use->blueprint->part_count && status == KIN_OK; part++)
            status = check_relation(context, use, part, number);
    return status;
}
