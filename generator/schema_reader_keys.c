// Keys of mappings: which of them are unknown, and what was probably meant.
#include "schema_reader.h"

#include <string.h>

// With more errors than this nobody reads the hints, and searching for them would cost.
enum { HINTED_ERRORS = 100 };

void reader_hint(reader *reader, name_search search)
{
    if (search.nearest != NULL)
        diagnostic_meant(reader->diagnostics, search.nearest);
}

static name_search search_keys(const char *wanted, const language_value *keys)
{
    name_search search = name_search_begin(wanted);
    for (const language_key *key = keys->keys; key->name != NULL; key++)
        name_search_offer(&search, key->name);
    return search;
}

bool reader_is_misspelled(const tree_node *mapping, const language_value *keys, const char *key)
{
    if (tree_find(mapping, key) != NULL)
        return false;
    size_t count = 0;
    for (const tree_pair *pair = mapping->pairs; pair != NULL && count < HINTED_ERRORS; pair = pair->next) {
        if (language_find(keys, pair->key->text) != NULL)
            continue;
        const char *nearest = search_keys(pair->key->text, keys).nearest;
        if (nearest != NULL && strcmp(nearest, key) == 0)
            return true;
        count++;
    }
    return false;
}

void reader_find_misspelled(reader *reader, const tree_node *root)
{
    for (const language_key *key = language_file.keys; key->name != NULL; key++)
        if (reader_is_misspelled(root, &language_file, key->name))
            dictionary_add(&reader->misspelled_keys, key->name, root);
}

bool reader_is_elsewhere(const reader *reader, const char *key)
{
    return reader->is_incomplete || dictionary_find(&reader->misspelled_keys, key) != NULL;
}

bool reader_is_hinting(const reader *reader)
{
    return diagnostics_error_count(reader->diagnostics) <= HINTED_ERRORS;
}

static const char *list_keys(arena *arena, const language_value *keys)
{
    const char *list = keys->keys[0].name;
    for (const language_key *key = keys->keys + 1; key->name != NULL; key++)
        list = arena_format(arena, key[1].name == NULL ? "%s and %s" : "%s, %s", list, key->name);
    return list;
}

static void report_unknown_key(reader *reader, const tree_node *key, const language_value *keys, const char *what)
{
    diagnostic_error(reader->diagnostics, CODE_UNKNOWN_KEY, key->span, "unknown key '%s' in %s", key->text, what);
    if (key->is_plain && strchr(key->text, ':') != NULL) {
        diagnostic_hint(reader->diagnostics, "add a space after ':'");
        return;
    }
    if (!reader_is_hinting(reader))
        return;
    name_search search = search_keys(key->text, keys);
    if (search.nearest != NULL)
        reader_hint(reader, search);
    else
        diagnostic_hint(reader->diagnostics, "what can stand here is %s", list_keys(reader->arena, keys));
}

void reader_check_keys(reader *reader, const tree_node *mapping, const language_value *keys, const char *what)
{
    for (const tree_pair *pair = mapping->pairs; pair != NULL; pair = pair->next)
        if (language_find(keys, pair->key->text) == NULL)
            report_unknown_key(reader, pair->key, keys, what);
}
