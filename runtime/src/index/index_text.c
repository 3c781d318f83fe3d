// Looking up by a key that is one text, of limited or of any length, without making the key.
#include "index/index.h"

#include <string.h>

// The key would be the text, filled up with zeros.
kin_entity kin__index_find_text(const kin_context *context, uint32_t number, const char *text, size_t capacity)
{
    const kin__index *index = &context->core->indices->indices[number];
    const kin__table *table = &context->tables[number];
    size_t size = text != NULL ? strlen(text) : capacity;
    if (size >= capacity)
        return 0;
    uint64_t word = kin__key_hash(table->factors, text, size);
    uint32_t place = kin__table_place(table, word);
    for (; table->entries[place].value != 0; place = (place + 1) & table->mask) {
        kin_entity entity = table->entries[place].value;
        if (table->entries[place].word == word &&
            memcmp(kin__index_slot_data(index, kin_entity_slot(entity)), text, size + 1) == 0)
            return entity;
    }
    return 0;
}

// ---- strings of any length

typedef struct wanted_string {
    const char *letters;
    size_t size;
} wanted_string;

void kin__index_keep_string(const kin__index *index, uint32_t slot, const unsigned char *key)
{
    const char *string;
    memcpy(&string, key, sizeof string);
    size_t size = strlen(string);
    char *kept = memset(kin__index_slot_data(index, slot), 0, KIN__STRING_PREFIX);
    memcpy(kept, string, size < KIN__STRING_PREFIX ? size : KIN__STRING_PREFIX);
}

// A short string ends in what is kept.
static bool has_string(const kin_context *context, const kin__index *index, uint32_t slot, wanted_string wanted)
{
    bool is_short = wanted.size < KIN__STRING_PREFIX;
    if (memcmp(kin__index_slot_data(index, slot), wanted.letters, is_short ? wanted.size + 1 : KIN__STRING_PREFIX) != 0)
        return false;
    if (is_short)
        return true;
    const char *string, *value = kin__value_of(context, slot, index->leaves->component);
    memcpy(&string, value + index->leaves->offset, sizeof string);
    return strcmp(string + KIN__STRING_PREFIX, wanted.letters + KIN__STRING_PREFIX) == 0;
}

kin_entity kin__index_find_string(const kin_context *context, uint32_t number, const char *string)
{
    const kin__index *index = &context->core->indices->indices[number];
    const kin__table *table = &context->tables[number];
    if (string == NULL)
        return 0;
    wanted_string wanted = {string, strlen(string)};
    uint64_t word = kin__key_hash(table->factors, string, wanted.size);
    uint32_t place = kin__table_place(table, word);
    for (; table->entries[place].value != 0; place = (place + 1) & table->mask) {
        kin_entity entity = table->entries[place].value;
        if (table->entries[place].word == word && has_string(context, index, kin_entity_slot(entity), wanted))
            return entity;
    }
    return 0;
}
