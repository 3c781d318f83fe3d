// Keys of mappings: which of them are unknown, and what was probably meant.
#include "model/type.h"
#include "read/private/reader.h"

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

// `doc: A cat, or a dog` in braces, where YAML takes what follows the comma for a key.
static bool is_rest_of_text(const tree_node *mapping, const tree_pair *pair)
{
    span key = pair->key->span;
    const char *bytes = key.source->bytes;
    size_t behind = key.end + strspn(bytes + key.end, " \t\r\n");
    return pair != mapping->pairs && pair->key->is_plain && tree_is_empty(pair->value) &&
           (bytes[behind] == ',' || bytes[behind] == '}');
}

// `Position: { x: float }`: a type, or a field with all that belongs to it.
static bool is_field(const tree_node *value, const language_value *keys)
{
    return language_find(keys, "fields") != NULL && ((tree_is_text(value) && scalar_type_find(value->text) != NULL) ||
                                                     (value->kind == TREE_MAPPING && tree_find(value, "type") != NULL));
}

static void hint_at_key(reader *reader, const tree_node *mapping, const tree_pair *pair, const language_value *keys)
{
    const char *name = pair->key->text;
    name_search search = search_keys(name, keys);
    if (pair->key->is_plain && strchr(name, ':') != NULL)
        diagnostic_hint(reader->diagnostics, "add a space after ':'");
    else if (is_rest_of_text(mapping, pair))
        diagnostic_hint(reader->diagnostics, "inside '{ }' a text with a ',' needs quotes");
    else if (search.nearest != NULL)
        reader_hint(reader, search);
    else if (is_field(pair->value, keys))
        diagnostic_hint(reader->diagnostics, "fields stand in 'fields', as in { fields: { %s: %s } }", name,
                        tree_is_text(pair->value) ? pair->value->text : "...");
    else
        diagnostic_hint(reader->diagnostics, "what can stand here is %s", list_keys(reader->arena, keys));
}

void reader_check_keys(reader *reader, const tree_node *mapping, const language_value *keys, const char *what)
{
    for (const tree_pair *pair = mapping->pairs; pair != NULL; pair = pair->next)
        if (language_find(keys, pair->key->text) == NULL) {
            diagnostic_error(reader->diagnostics, CODE_UNKNOWN_KEY, pair->key->span, "unknown key '%s' in %s",
                             pair->key->text, what);
            if (reader_is_hinting(reader))
                hint_at_key(reader, mapping, pair, keys);
        }
}
