#include "index/plain.h"

#include "base/base.h"

#include <string.h>

bool kin__index_find_plain(const kin__index *index)
{
    const kin_matcher *matcher = &index->matcher;
    return index->info->function == NULL && index->leaf_count == 1 && index->leaves->kind == KIN__LEAF_BYTES &&
           index->key_size <= KIN__WORD_SIZE && matcher->count == 1 && matcher->rules[0].kind == KIN_RULE_ALL &&
           matcher->rules[0].count == 1 && matcher->rules[0].ids[0] == index->leaves->component;
}

static uint64_t word_at(const kin__index *index, const void *part)
{
    uint64_t word = 0;
    KIN_ASSERT(index->key_size <= sizeof word);
    if (index->key_size == sizeof word)
        memcpy(&word, part, sizeof word);
    else
        memcpy(&word, part, index->key_size);
    return word;
}

static uint64_t new_word(const kin__index *index, const kin__step *step)
{
    return word_at(index, (const char *)step->value + index->leaves->offset);
}

static uint64_t old_word(const kin_context *context, const kin__index *index, kin_entity entity)
{
    const kin__leaf *leaf = index->leaves;
    return word_at(index, kin__value_part(context, kin_entity_slot(entity), leaf->component, leaf->offset));
}

// Reads ahead what the update of a multi index reads, which is most of its time in large tables.
static void prefetch(const kin_context *context, const kin__index *index, const kin__step *step)
{
    const kin__table *table = kin__index_table(context, index);
    if (step->value != NULL)
        kin__prefetch(&table->entries[kin__table_place(table, new_word(index, step))]);
    if (step->kind != KIN__STEP_ADD)
        kin__prefetch(kin__index_slot_data(index, kin_entity_slot(step->entity)));
}

kin_status kin__plain_check(const kin_context *context, const kin__index *index, const kin__step *step,
                            kin_entity *other)
{
    if (!index->info->is_primary)
        prefetch(context, index, step);
    if (!index->info->is_primary || step->value == NULL)
        return KIN_OK;
    *other = kin__table_find(kin__index_table(context, index), new_word(index, step));
    return *other == 0 || *other == step->entity ? KIN_OK : KIN_ERROR_DUPLICATE_KEY;
}

static void update_primary(kin_context *context, kin__index *index, const kin__step *step)
{
    kin__table *table = kin__index_table(context, index);
    bool is_addition = step->kind == KIN__STEP_ADD;
    uint64_t before = is_addition ? 0 : old_word(context, index, step->entity);
    uint64_t after = step->value == NULL ? 0 : new_word(index, step);
    if (step->kind == KIN__STEP_REPLACE && before == after)
        return;
    if (!is_addition)
        kin__table_erase(table, before, step->entity);
    if (step->value != NULL)
        kin__table_insert(table, after, step->entity);
}

static void update_multi(kin_context *context, kin__index *index, const kin__step *step)
{
    uint32_t slot = kin_entity_slot(step->entity);
    if (step->kind == KIN__STEP_REPLACE && kin__list_word(index, slot) == new_word(index, step))
        return;
    if (step->kind != KIN__STEP_ADD)
        kin__list_erase(context, index, slot);
    if (step->value != NULL)
        kin__list_insert_word(context, index, slot, new_word(index, step));
}

// A touch, which has no value, changes no word.
void kin__plain_update(kin_context *context, kin__index *index, const kin__step *step)
{
    if (step->kind == KIN__STEP_REPLACE && step->value == NULL)
        return;
    index->potential += (uint32_t)(step->kind == KIN__STEP_ADD) - (uint32_t)(step->kind == KIN__STEP_REMOVE);
    if (index->info->is_primary)
        update_primary(context, index, step);
    else
        update_multi(context, index, step);
}

void kin__plain_remove_entity(kin_context *context, kin__index *index, kin_entity entity)
{
    KIN_ASSERT(index->potential > 0);
    index->potential--;
    if (index->info->is_primary)
        kin__table_erase(kin__index_table(context, index), old_word(context, index, entity), entity);
    else
        kin__list_erase(context, index, kin_entity_slot(entity));
}

static void insert_word(kin_context *context, kin__index *index, kin_entity entity, uint64_t word)
{
    if (index->info->is_primary)
        kin__table_insert(kin__index_table(context, index), word, entity);
    else
        kin__list_insert_word(context, index, kin_entity_slot(entity), word);
}

void kin__plain_insert_entity(kin_context *context, kin__index *index, kin_entity entity)
{
    insert_word(context, index, entity, old_word(context, index, entity));
}

// The words are in no order, so that each place in a large table would be waited for.
void kin__plain_insert_places(kin_context *context, kin__index *index, const kin_entity *ids, uint64_t places)
{
    const kin__table *table = kin__index_table(context, index);
    uint64_t words[64], *last = words;
    for (uint64_t bits = places; bits != 0; bits &= bits - 1, last++) {
        *last = old_word(context, index, ids[kin__lowest_bit(bits)]);
        kin__prefetch(&table->entries[kin__table_place(table, *last)]);
    }
    last = words;
    for (uint64_t bits = places; bits != 0; bits &= bits - 1)
        insert_word(context, index, ids[kin__lowest_bit(bits)], *last++);
    index->potential += (uint32_t)(last - words);
}
