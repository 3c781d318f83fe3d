#include "index/index.h"

#include "base/assertion.h"
#include "report/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void *kin__index_slot_data(const kin__index *index, uint32_t slot)
{
    char *const *blocks = index->blocks.elements;
    return blocks[slot / KIN__CHUNK_SLOTS] + slot % KIN__CHUNK_SLOTS * index->slot_size;
}

// ---- what a step does

// Where an entity stands before and after a step, in rows.
typedef struct passage {
    const uint64_t *before, *after;
} passage;

static passage passage_of(const kin_context *context, const kin__step *step)
{
    size_t size = context->row_words * sizeof(uint64_t);
    uint64_t *before = context->core->indices->rows, *after = before + context->row_words;
    if (step->entity == 0)
        memset(before, 0, size);
    else
        memcpy(before, kin__row_of(context, kin_entity_slot(step->entity)), size);
    memcpy(after, before, size);
    if (step->kind != KIN__STEP_REPLACE)
        kin__bits_flip(after, step->id);
    return (passage){before, after};
}

static bool holds(const kin_context *context, const kin__index *index, const uint64_t *row)
{
    return kin__matcher_holds(&index->matcher, row, context->row_words);
}

bool kin__index_is_key(const kin__index *index, kin_component_id id)
{
    for (uint32_t i = 0; i < index->info->key_count; i++)
        if (index->info->key[i].component == id)
            return true;
    return false;
}

static kin__key new_key(const kin_context *context, const kin__index *index, const kin__step *step)
{
    return kin__key_read(context, kin_entity_slot(step->entity), index,
                         (kin__news){.id = step->id, .value = step->value}, index->keys[1]);
}

static kin__key old_key(const kin_context *context, const kin__index *index, kin_entity entity)
{
    return kin__key_read(context, kin_entity_slot(entity), index, (kin__news){0}, index->keys[0]);
}

static bool has_key(const kin_context *context, const kin__index *index, kin_entity entity, const unsigned char *key)
{
    uint32_t slot = kin_entity_slot(entity);
    if (index->has_strings)
        return kin__key_is_of(context, slot, index, key);
    return index->slot_size == 0 || memcmp(kin__index_slot_data(index, slot), key, index->key_size) == 0;
}

static kin_entity find(const kin_context *context, const kin__index *index, const unsigned char *key)
{
    const kin__table *table = kin__index_table(context, index);
    uint64_t word = kin__key_word(context, index, key);
    uint32_t place = kin__table_place(table, word);
    for (; table->entries[place].value != 0; place = (place + 1) & table->mask) {
        const kin__entry *entry = &table->entries[place];
        if (entry->word == word && has_key(context, index, entry->value, key))
            return entry->value;
    }
    return 0;
}

// The first index that the step would make wrong, with what is wrong and who has the key; NULL when there is none.
static const kin__index *find_fault(const kin_context *context, const kin__step *step, kin_status *status,
                                    kin_entity *other)
{
    passage passage = passage_of(context, step);
    EACH_INDEX_OF(index, context, step->id)
    {
        if (!holds(context, index, passage.after) ||
            (step->kind == KIN__STEP_REPLACE && !kin__index_is_key(index, step->id)))
            continue;
        kin__key key = new_key(context, index, step);
        if (key.is_null)
            continue;
        *other = key.is_none || !index->info->is_primary ? 0 : find(context, index, key.bytes);
        *status = key.is_none ? KIN_ERROR_INVALID : KIN_ERROR_DUPLICATE_KEY;
        if (key.is_none || (*other != 0 && *other != step->entity))
            return index;
    }
    return NULL;
}

kin_status kin__indices_check(const kin_context *context, const kin__step *step)
{
    kin_status status = KIN_OK;
    kin_entity other = 0;
    if (context->core->indices == NULL || find_fault(context, step, &status, &other) == NULL)
        return KIN_OK;
    return status;
}

kin_status kin__indices_describe(const kin_context *context, const kin__step *step, char reason[KIN__KEY_REASON_SIZE])
{
    char key[120];
    kin_status status = KIN_OK;
    kin_entity other = 0;
    const kin__index *index = find_fault(context, step, &status, &other);
    KIN_ASSERT(index != NULL);
    kin__news news = {.id = step->id, .value = step->value};
    kin__key_describe(context, kin_entity_slot(step->entity), index->info, news, key, sizeof key);
    if (status == KIN_ERROR_INVALID)
        snprintf(reason, KIN__KEY_REASON_SIZE, "its key %s in index %s would not be a number; give one that is", key,
                 index->info->name);
    else
        snprintf(reason, KIN__KEY_REASON_SIZE,
                 "entity %" PRIu64 " in slot %" PRIu32 " has the key %s in index %s; look it up first",
                 kin_entity_creation_index(other), kin_entity_slot(other), key, index->info->name);
    return status;
}

kin_status kin__indices_refuse(const kin_context *context, const kin__step *step, const char *verb, bool is_unique)
{
    char reason[KIN__KEY_REASON_SIZE];
    kin_status status = kin__indices_describe(context, step, reason);
    kin__attempt attempt = {.verb = verb,
                            .entity = is_unique ? 0 : step->entity,
                            .component = context->info->components[step->id].name,
                            .reason = reason,
                            .is_unique = is_unique};
    return kin__refuse(context, status, &attempt);
}

// ---- following

static void enter(kin_context *context, kin__index *index, kin_entity entity, const unsigned char *key)
{
    uint32_t slot = kin_entity_slot(entity);
    if (!index->info->is_primary) {
        kin__list_insert(context, index, slot, key);
        return;
    }
    kin__table_insert(kin__index_table(context, index), kin__key_word(context, index, key), entity);
    if (index->has_strings && index->slot_size > 0)
        kin__index_keep_string(index, slot, key);
    else if (index->slot_size > 0)
        memcpy(kin__index_slot_data(index, slot), key, index->key_size);
}

static void leave(kin_context *context, kin__index *index, kin_entity entity, const unsigned char *key)
{
    if (index->info->is_primary)
        kin__table_erase(kin__index_table(context, index), kin__key_word(context, index, key), entity);
    else
        kin__list_erase(context, index, kin_entity_slot(entity));
}

static void follow(kin_context *context, kin__index *index, const kin__step *step, passage passage)
{
    bool was = holds(context, index, passage.before), is = holds(context, index, passage.after);
    kin__key before = {0}, after = {0};
    if (was)
        before = old_key(context, index, step->entity);
    if (is)
        after = new_key(context, index, step);
    was = was && !before.is_null;
    is = is && !after.is_null;
    if (was && is && kin__keys_are_equal(index, before.bytes, after.bytes))
        return;
    if (was)
        leave(context, index, step->entity, before.bytes);
    if (is)
        enter(context, index, step->entity, after.bytes);
}

void kin__indices_follow(kin_context *context, const kin__step *step)
{
    if (context->core->indices == NULL)
        return;
    passage passage = passage_of(context, step);
    EACH_INDEX_OF(index, context, step->id)
    {
        if (step->kind == KIN__STEP_REPLACE && !kin__index_is_key(index, step->id))
            continue;
        if (index->info->key[0].component == step->id)
            index->potential += step->kind == KIN__STEP_ADD ? 1u : step->kind == KIN__STEP_REMOVE ? (uint32_t)-1 : 0;
        follow(context, index, step, passage);
    }
}

void kin__indices_remove_entity(kin_context *context, kin_entity entity, const uint64_t *lost)
{
    for (uint32_t i = 0; i < context->info->index_count; i++) {
        kin__index *index = &context->core->indices->indices[i];
        kin_component_id first = index->info->key[0].component;
        if (!kin__bits_have(lost, first))
            continue;
        index->potential--;
        if (!holds(context, index, lost))
            continue;
        kin__key key = old_key(context, index, entity);
        if (!key.is_null)
            leave(context, index, entity, key.bytes);
    }
}

// ---- questions

kin_entity kin__index_find_bytes(const kin_context *context, uint32_t number, const unsigned char *bytes)
{
    return find(context, &context->core->indices->indices[number], bytes);
}

static bool is_valid(const kin_context *context, const kin__index *index, kin_entity entity, uint32_t *members)
{
    if (!holds(context, index, kin__row_of(context, kin_entity_slot(entity))))
        return true;
    kin__key key = old_key(context, index, entity);
    if (key.is_null)
        return true;
    ++*members;
    if (key.is_none)
        return false;
    return index->info->is_primary ? find(context, index, key.bytes) == entity
                                   : kin__list_has(context, index, kin_entity_slot(entity), key.bytes);
}

bool kin__indices_are_valid(const kin_context *context)
{
    for (uint32_t i = 0; i < context->info->index_count; i++) {
        const kin__index *index = &context->core->indices->indices[i];
        uint32_t members = 0, potential = 0;
        for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
            kin_entity entity = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
            if (kin_entity_creation_index(entity) == 0)
                continue;
            potential += kin_has(context, entity, index->info->key[0].component);
            if (!is_valid(context, index, entity, &members))
                return false;
        }
        uint32_t in_it = index->info->is_primary ? kin__index_table(context, index)->count : kin__list_count(index);
        if (potential != index->potential || members != in_it)
            return false;
    }
    return true;
}
