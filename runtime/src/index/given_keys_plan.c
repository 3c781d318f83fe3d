// Planned keys: the keys of the entities that one call will spawn. A primary index compares each key with those of the
// earlier entities of the call. Memory for all planned keys is reserved before the first spawn.
#include "index/given_keys.h"

#include "base/base.h"

#include <string.h>

static const unsigned char *planned_at(const kin__index *index, uint32_t number)
{
    return (const unsigned char *)index->given->planned_keys.elements + number * index->key_size;
}

static bool is_planned(const kin_context *context, const kin__index *index, const unsigned char *key)
{
    const kin__table *table = &index->given->planned_places;
    uint64_t word = kin__key_word(context, index, key);
    for (uint32_t place = kin__table_place(table, word); table->entries[place].value != 0;
         place = (place + 1) & table->mask)
        if (table->entries[place].word == word &&
            memcmp(planned_at(index, (uint32_t)table->entries[place].value - 1), key, index->key_size) == 0)
            return true;
    return false;
}

bool kin__given_keys_find_planned(const kin_context *context, const kin__index *index)
{
    const kin__given_keys *given = index->given;
    for (uint32_t i = 0; given->planned_places.entries != NULL && i < given->count; i++) {
        if (!is_planned(context, index, kin__given_key(index, i)))
            continue;
        index->given->refused = kin__given_key(index, i);
        return true;
    }
    return false;
}

// Adds the keys that were read last to the planned keys, with which later entities are compared.
static bool remember(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    kin__given_keys *given = index->given;
    if (given->planned_places.entries == NULL)
        given->planned_places = kin__table_begin(context->core->factors);
    if (!kin__array_reserve(memory, &given->planned_keys, given->planned + given->count, index->key_size) ||
        !kin__table_reserve(memory, &given->planned_places, given->planned + given->count))
        return false;
    for (uint32_t i = 0; i < given->count; i++) {
        const unsigned char *key = kin__given_key(index, i);
        uint32_t number = given->planned + i;
        memcpy((unsigned char *)given->planned_keys.elements + number * index->key_size, key, index->key_size);
        kin__table_insert(&given->planned_places, kin__key_word(context, index, key), (uint64_t)number + 1);
    }
    return true;
}

bool kin__given_keys_plan(kin_context *context, kin__index *index)
{
    if (index->info->is_primary && !remember(context, index))
        return false;
    index->given->planned += index->given->count;
    return kin__given_keys_reserve(context, index, index->given->planned);
}

void kin__given_keys_plan_end(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    kin__array_release(memory, &index->given->planned_keys, index->key_size);
    kin__table_release(memory, &index->given->planned_places);
    index->given->planned = 0;
}
