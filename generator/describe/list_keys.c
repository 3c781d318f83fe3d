// What lists and pages say of the keys of an element.
#include "generator/describe/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

// ---- facts

list_facts list_facts_begin(arena *arena, const language_value *keys, const void *element, const char *name)
{
    assert(keys->kind == LANGUAGE_MAPPING);
    return (list_facts){.arena = arena, .element = element, .element_name = name, .next = keys->keys};
}

bool list_next_fact(list_facts *facts)
{
    while (facts->next->name != NULL) {
        facts->key = facts->next++;
        if (facts->key->member.fact == NULL)
            continue;
        facts->value = language_spelling(facts->arena, facts->key, facts->element, facts->element_name);
        if (facts->value != NULL)
            return true;
    }
    return false;
}

// ---- JSON

list_keys list_keys_begin(json_writer *writer, const language_value *keys, const void *element, const char *name)
{
    assert(keys->kind == LANGUAGE_MAPPING);
    return (list_keys){.writer = writer, .keys = keys, .element = element, .element_name = name};
}

static void append_value(const list_keys *list, const language_key *key)
{
    const void *member = (const char *)list->element + key->member.offset;
    const char *spelling = language_spelling(list->writer->out->arena, key, list->element, list->element_name);
    bool is_number = key->member.kind == MEMBER_NUMBER || key->member.kind == MEMBER_COUNT;
    bool is_flag = key->member.kind == MEMBER_BOOL && key->value->words == NULL;
    if (is_flag)
        writer_bool(list->writer, spelling != NULL);
    else if (key->member.kind == MEMBER_UNSAVED || key->member.kind == MEMBER_FALSE)
        writer_bool(list->writer, spelling == NULL);
    else if (key->member.kind == MEMBER_SAVED)
        writer_text(list->writer, ((const saved_name *)member)->identity);
    else if (is_number && spelling != NULL)
        writer_number(list->writer, spelling);
    else
        writer_text(list->writer, spelling);
}

static void set_row(list_keys *list, size_t row)
{
    const language_key *key = &list->keys->keys[row];
    uint64_t bit = UINT64_C(1) << row;
    assert(row < 64);
    if (key->member.json == NULL || (list->written & bit) != 0)
        return;
    list->written |= bit;
    writer_key(list->writer, key->member.json);
    append_value(list, key);
}

void list_set_key(list_keys *list, const char *name)
{
    const language_key *key = language_find(list->keys, name);
    assert(key != NULL && key->member.json != NULL);
    set_row(list, (size_t)(key - list->keys->keys));
}

void list_set_other_keys(list_keys *list)
{
    for (size_t row = 0; list->keys->keys[row].name != NULL; row++)
        set_row(list, row);
}
