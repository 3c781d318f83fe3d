// Looking at slots: words of bits, rows and values. Reads what is stored and writes nothing.

#include "base/base.h"
#include "store/store.h"

#include <kin/reflect.h>

uint32_t kin_look_words(const kin_context *context)
{
    return context->chunk_count * KIN__CHUNK_WORDS;
}

uint64_t kin_look_alive(const kin_context *context, uint32_t word)
{
    if (word >= kin_look_words(context))
        return 0;
    return context->chunks[word / KIN__CHUNK_WORDS]->alive[word % KIN__CHUNK_WORDS];
}

uint64_t kin_look_has(const kin_context *context, kin_component_id id, uint32_t word)
{
    if (word >= kin_look_words(context) || id >= context->info->component_count)
        return 0;
    return kin__column_of(context, word * 64, id)->has[word % KIN__CHUNK_WORDS];
}

kin_entity kin_look_entity(const kin_context *context, uint32_t slot)
{
    if (slot >= context->chunk_count * KIN__CHUNK_SLOTS)
        return 0;
    kin_entity entity = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
    return kin_entity_creation_index(entity) != 0 ? entity : 0;
}

const uint64_t *kin_look_row(const kin_context *context, kin_entity entity, uint32_t *words)
{
    bool alive = kin__chunk_of(context, entity) != NULL;
    *words = alive ? context->row_words : 0;
    return alive ? kin__row_of(context, kin_entity_slot(entity)) : NULL;
}

bool kin_look_read(const kin_context *context, kin_entity entity, kin_component_id id, void *value)
{
    if (id >= context->info->component_count || !kin__has(context, entity, id, context->row_words))
        return false;
    KIN_ASSERT(value != NULL || kin__value_size(context, id) == 0);
    kin__value_read(context, kin_entity_slot(entity), id, value);
    return true;
}

uint32_t kin_entity_components(const kin_context *context, kin_entity entity, kin_component_id *ids, uint32_t capacity)
{
    uint32_t words, count = 0;
    const uint64_t *row = kin_look_row(context, entity, &words);
    KIN_ASSERT(ids != NULL || capacity == 0);
    for (uint32_t word = 0; word < words; word++)
        for (uint64_t bits = row[word]; bits != 0; bits &= bits - 1, count++)
            if (count < capacity)
                ids[count] = (kin_component_id)(word * 64 + kin__lowest_bit(bits));
    return count;
}
