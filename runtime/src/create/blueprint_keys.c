// Checks the keys of entities that a blueprint will make or change: part by part, in the order in which each entity
// gets them, and against earlier entities of the same call.
#include "create/blueprint.h"

#include "base/base.h"
#include "create/entity.h"
#include "lookup/lookup.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
        if (!matches(check, index) || (had && !kin__index_is_key(index, id)))
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
    char key[120], other[80] = "an earlier entity of the same call", reason[400];
    const char *name = check->index->info->name;
    kin__index_describe_key(check->context, kin_entity_slot(check->use->entity), check->index,
                            new_values_of(check, check->part + 1), key, sizeof key);
    if (check->other != 0)
        snprintf(other, sizeof other, "entity %" PRIu64 " in slot %" PRIu32, kin_entity_creation_index(check->other),
                 kin_entity_slot(check->other));
    if (check->status == KIN_ERROR_INVALID)
        kin__index_describe_invalid(check->index, key, reason, sizeof reason);
    else
        snprintf(reason, sizeof reason, "%s has the key %s in index %s; %s", other, key, name,
                 check->other != 0 ? "look it up first" : "use a different key for each");
    return kin__blueprint_use_report_error(check->context, check->use, check->status, check->part, reason);
}

// Checks no more entities than the limit allows, which is checked next.
kin_status kin__blueprint_use_check_keys(kin_context *context, const kin__blueprint_use *use)
{
    check check = {.context = context, .use = use};
    uint32_t count = use->batch == NULL ? 1 : kin__entities_allowed(context, use->batch->count);
    bool possible = true, remembered = true;
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
    bool possible = true, remembered = make_tables(&check, list->count, list->row);
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
