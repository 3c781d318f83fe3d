// Checks that all readers share: the keys, the kind and the text of a tree node.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <inttypes.h>
#include <string.h>

// ---- keys and suggestions

// After this many errors no hints are printed: the user would not read them, and the search is slow.
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

bool reader_misses_tree(const reader *reader)
{
    size_t written = 0;
    size_t read = 0;
    for (size_t i = 0; i < reader->component_count; i++) {
        const tree_node *fields = tree_find(reader->components[i]->node, "fields");
        for (const tree_pair *pair = fields == NULL ? NULL : fields->pairs; pair != NULL; pair = pair->next) {
            const tree_node *tree = tree_find(pair->value, "tree");
            written += tree != NULL && !(tree_is_text(tree) && strcmp(tree->text, "false") == 0);
        }
    }
    for (size_t i = 0; i < reader->package->relation_count; i++) {
        const field *field = reader->package->relations[i].field;
        read += field->is_tree && field->reverse != NULL;
    }
    return written > read;
}

static const char *list_keys(arena *arena, const language_value *keys)
{
    const char *list = keys->keys[0].name;
    for (const language_key *key = keys->keys + 1; key->name != NULL; key++)
        list = arena_format(arena, key[1].name == NULL ? "%s and %s" : "%s, %s", list, key->name);
    return list;
}

// Returns whether the key is the rest of an unquoted scalar: in `{ doc: A cat, or a dog }` YAML reads a key after the
// comma.
static bool is_rest_of_text(const tree_node *mapping, const tree_pair *pair)
{
    span key = pair->key->span;
    const char *bytes = key.source->bytes;
    size_t next = key.end + strspn(bytes + key.end, " \t\r\n");
    bool ends_item = bytes[next] == ',' || bytes[next] == '}';
    bool is_bare = pair->key->is_plain && tree_is_empty(pair->value);
    return pair != mapping->pairs && is_bare && ends_item;
}

// Returns whether the value looks like a field, as in `Position: { x: float }`: a type name, or a mapping with `type`.
static bool is_field(const tree_node *value, const language_value *keys)
{
    if (language_find(keys, "fields") == NULL)
        return false;
    if (value->kind == TREE_MAPPING)
        return tree_find(value, "type") != NULL;
    return tree_is_text(value) && scalar_type_find(value->text) != NULL;
}

// Returns whether the key follows a plain `doc` on a line of `{ }`: the rest of a text that contains a comma and a
// colon.
static bool follows_doc(const tree_node *mapping, const tree_pair *pair)
{
    const tree_pair *before = mapping->pairs;
    while (before != pair && before->next != pair)
        before = before->next;
    bool is_flow = mapping->span.source->bytes[mapping->span.start] == '{';
    if (before == pair || !is_flow)
        return false;
    return strcmp(before->key->text, "doc") == 0 && before->value->is_plain;
}

static void hint_at_comma(reader *reader)
{
    diagnostic_hint(reader->diagnostics, "quote a scalar that contains ',' inside '{ }'");
}

static void hint_at_key(reader *reader, const tree_node *mapping, const tree_pair *pair, const language_value *keys)
{
    const char *name = pair->key->text;
    name_search search = search_keys(name, keys);
    if (pair->key->is_plain && strchr(name, ':') != NULL)
        diagnostic_hint(reader->diagnostics, "add a space after ':'");
    else if (is_rest_of_text(mapping, pair))
        hint_at_comma(reader);
    else if (keys == &language_node && (strcmp(name, "after") == 0 || strcmp(name, "before") == 0))
        diagnostic_hint(reader->diagnostics, "nodes run in the order in which they are written");
    else if (search.nearest != NULL)
        reader_hint(reader, search);
    else if (follows_doc(mapping, pair))
        hint_at_comma(reader);
    else if (is_field(pair->value, keys))
        diagnostic_hint(reader->diagnostics, "put fields into 'fields': { fields: { %s: %s } }", name,
                        tree_is_text(pair->value) ? pair->value->text : "...");
    else
        diagnostic_hint(reader->diagnostics, "known keys are %s", list_keys(reader->arena, keys));
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

// ---- values

bool reader_expect_mapping(reader *reader, const tree_node *node, const char *what)
{
    return node_expect_mapping(reader->diagnostics, node, what);
}

bool reader_expect_entries(reader *reader, const tree_node *node, const char *what)
{
    if (node->kind != TREE_MAPPING && tree_is_empty(node)) {
        diagnostic_error(reader->diagnostics, CODE_MAPPING_EXPECTED, node->span,
                         "expected a mapping for %s, found nothing", what);
        diagnostic_hint(reader->diagnostics, "indent its content, or remove it");
        return false;
    }
    if (!reader_expect_mapping(reader, node, what))
        return false;
    if (node->count == 0) {
        diagnostic_error(reader->diagnostics, CODE_EMPTY, node->span, "%s must not be empty", what);
        diagnostic_hint(reader->diagnostics, "remove it");
    }
    return node->count > 0;
}

bool reader_expect_items(reader *reader, const tree_node *node, const char *what)
{
    if (node->kind == TREE_SEQUENCE && node->count > 0)
        return true;
    if (node->kind == TREE_BROKEN)
        return false;
    if (node->kind == TREE_SEQUENCE) {
        diagnostic_error(reader->diagnostics, CODE_EMPTY, node->span, "%s must not be empty", what);
        return false;
    }
    diagnostic_error(reader->diagnostics, CODE_LIST_EXPECTED, node->span, "expected a list for %s, found %s", what,
                     node_kind(node));
    if (node->kind == TREE_SCALAR && node->size > 0)
        diagnostic_hint(reader->diagnostics, "write [%s]", node->text);
    return false;
}

bool reader_expect_value(reader *reader, const tree_node *node, const char *what)
{
    return node_expect_value(reader->diagnostics, node, what);
}

bool reader_expect_text(reader *reader, const tree_node *node, const char *what)
{
    if (tree_is_text(node))
        return true;
    if (node->kind != TREE_BROKEN)
        diagnostic_error(reader->diagnostics, CODE_TEXT_EXPECTED, node->span, "expected a scalar for %s, found %s",
                         what, node_kind(node));
    return false;
}

const char *reader_find_text(reader *reader, const tree_node *mapping, const char *key, const char *what)
{
    const tree_node *node = tree_find(mapping, key);
    if (node == NULL)
        return NULL;
    if (tree_is_text(node))
        return node->text;
    reader_expect_text(reader, node, arena_format(reader->arena, "'%s' of %s", key, what));
    return NULL;
}

bool reader_read_bool(reader *reader, const tree_node *node, bool *value)
{
    return reader_expect_value(reader, node, "true or false") && scalar_check_bool(reader->diagnostics, node, value);
}

bool reader_find_bool(reader *reader, const tree_node *mapping, const char *key)
{
    const tree_pair *pair = mapping->kind == TREE_MAPPING ? mapping->pairs : NULL;
    bool value = false;
    while (pair != NULL && strcmp(pair->key->text, key) != 0)
        pair = pair->next;
    if (pair == NULL)
        return false;
    if (!reader_read_bool(reader, pair->value, &value) && tree_is_empty(pair->value) && follows_doc(mapping, pair))
        hint_at_comma(reader);
    return value;
}

static bool has_case(const char *name, name_case expected)
{
    bool is_pascal = expected != CASE_SNAKE && name_is_pascal_case(name);
    return is_pascal || (expected != CASE_PASCAL && name_is_snake_case(name));
}

static void report_case(reader *reader, const tree_node *node, name_case expected, const char *kind)
{
    static const char *const cases[] = {"PascalCase", "snake_case", "PascalCase or snake_case"};
    diagnostic_error(reader->diagnostics, CODE_NAME_CASE, node->span, "'%s' cannot be the name of %s: it must be in %s",
                     node->text, kind, cases[expected]);
    const char *suggested = expected == CASE_SNAKE ? name_suggest_snake_case(reader->arena, node->text)
                                                   : name_suggest_pascal_case(reader->arena, node->text);
    if (strchr(node->text, ':') != NULL && node->is_plain)
        diagnostic_hint(reader->diagnostics, "add a space after ':'");
    else if (suggested != NULL)
        diagnostic_replace(reader->diagnostics, suggested);
}

static void report_reserved(reader *reader, const tree_node *node, const char *kind, const char *reserved)
{
    diagnostic_error(reader->diagnostics, CODE_NAME_RESERVED, node->span, "'%s' cannot be the name of %s: it is %s",
                     node->text, kind, reserved);
    diagnostic_hint(reader->diagnostics, "add a word, such as '%s%s'", name_is_pascal_case(node->text) ? "My" : "my_",
                    node->text);
}

bool reader_check_composed_name(reader *reader, const tree_node *node, name_case expected, const char *kind)
{
    if (!tree_is_text(node))
        return reader_expect_text(reader, node, arena_format(reader->arena, "the name of %s", kind));
    if (node->size > SCHEMA_NAME_LIMIT) {
        diagnostic_error(reader->diagnostics, CODE_NAME_TOO_LONG, node->span,
                         "name of %s is too long; at most %d letters are allowed", kind, SCHEMA_NAME_LIMIT);
        return false;
    }
    if (!has_case(node->text, expected))
        report_case(reader, node, expected, kind);
    return true;
}

bool reader_check_name(reader *reader, const tree_node *node, name_case expected, const char *kind)
{
    if (!reader_check_composed_name(reader, node, expected, kind))
        return false;
    const char *reserved = name_reserved_as(node->text);
    if (has_case(node->text, expected) && reserved != NULL)
        report_reserved(reader, node, kind, reserved);
    return true;
}

void reader_warn_of_header(reader *reader, const tree_node *name, const char *kind)
{
    const char *header = name_header(name->text);
    if (header == NULL)
        return;
    diagnostic_warning(reader->diagnostics, CODE_NAME_OF_HEADERS, name->span,
                       "'%s', the name of %s, is also declared by %s", name->text, kind, header);
    diagnostic_hint(reader->diagnostics, "including that header may break the build; rename it");
}

bool reader_check_old_name(reader *reader, const tree_node *node, name_case expected, const char *what)
{
    static const char *const cases[] = {"PascalCase", "snake_case", "PascalCase or snake_case"};
    if (!reader_expect_text(reader, node, what))
        return false;
    bool is_name = has_case(node->text, expected) && node->size <= SCHEMA_NAME_LIMIT;
    if (!is_name)
        diagnostic_error(reader->diagnostics, CODE_NAME_CASE, node->span,
                         "%s must be a name in %s, of at most %d letters", what, cases[expected], SCHEMA_NAME_LIMIT);
    return is_name;
}

name_search reader_search_definitions(const reader *reader, const char *name)
{
    name_search search = name_search_begin(name);
    for (size_t i = 0; reader_is_hinting(reader) && i < reader->definition_count; i++)
        name_search_offer(&search, reader->definitions[i]->definition.name);
    return search;
}

name_search reader_search_contexts(const reader *reader, const char *name)
{
    name_search search = name_search_begin(name);
    for (size_t i = 0; reader_is_hinting(reader) && i < reader->context_count; i++)
        name_search_offer(&search, reader->contexts[i]->name);
    return search;
}

name_search reader_search_members(const reader *reader, const char *name, const definition *definition)
{
    name_search search = name_search_begin(name);
    for (size_t i = 0; reader_is_hinting(reader) && i < definition->fields.count; i++)
        name_search_offer(&search, definition->fields.fields[i].name);
    for (size_t i = 0; reader_is_hinting(reader) && i < definition->enumerator_count; i++)
        name_search_offer(&search, definition->enumerators[i].name);
    return search;
}

name_search reader_search_components(const reader *reader, const char *name, const context *context)
{
    name_search search = name_search_begin(name);
    for (size_t i = 0; reader_is_hinting(reader) && i < reader->component_count; i++) {
        const component *component = &reader->components[i]->component;
        if (context == NULL || component_is_in(component, context))
            name_search_offer(&search, component->name);
    }
    return search;
}

bool component_is_in(const component *component, const context *context)
{
    size_t low = 0;
    size_t high = component->context_count;
    while (high > low) {
        size_t middle = low + (high - low) / 2;
        if (component->contexts[middle]->order < context->order)
            low = middle + 1;
        else
            high = middle;
    }
    return low < component->context_count && component->contexts[low] == context;
}

definition_draft *draft_of(const definition *definition)
{
    return (definition_draft *)definition;
}

// ---- keys that elements of several kinds have

// Reads keys that elements of several kinds have: `inspect`, `was` and `save`.

// ---- saves

saved_name read_no_was(const char *name)
{
    return (saved_name){.identity = name};
}

// ---- `version` and `removed`

static void read_own_version(reader *reader)
{
    integer number;
    const tree_node *node = tree_find(reader->files->root, "version");
    if (node == NULL || !reader_expect_text(reader, node, "'version'"))
        return;
    reader->package->has_saves = true;
    if (node->is_plain && integer_read(node->text, scalar_type_of(TYPE_UINT32), &number) == NUMBER_FITS)
        reader->package->version = (uint32_t)number.magnitude;
    else
        diagnostic_error(reader->diagnostics, CODE_VALUE_OUT_OF_RANGE, node->span,
                         "'version' must be an integer from 0 to %" PRIu32, UINT32_MAX);
}

// Returns whether the text is names with points between them.
static bool is_path(const char *text)
{
    bool begins = true;
    for (; *text != '\0'; text++) {
        bool is_part = byte_is_word(*text) || *text == '.';
        if (begins ? !byte_is_letter(*text) : !is_part)
            return false;
        begins = *text == '.';
    }
    return !begins;
}

static void read_removal(reader *reader, const tree_node *item, dictionary *places, removal *removals)
{
    if (!reader_expect_text(reader, item, "an item of 'removed'"))
        return;
    const tree_node *earlier = dictionary_add(places, item->text, item);
    if (!is_path(item->text)) {
        diagnostic_error(reader->diagnostics, CODE_NAME_CASE, item->span, "'%s' is not the name of a thing in saves",
                         item->text);
        diagnostic_hint(reader->diagnostics, "write a component, field or value of an enum, such as Health.armor");
    } else if (earlier != NULL) {
        diagnostic_error(reader->diagnostics, CODE_NAMED_TWICE, item->span, "'%s' is listed twice in 'removed'",
                         item->text);
        diagnostic_note(reader->diagnostics, earlier->span, "first listed here");
    } else {
        removals[reader->package->removal_count++] =
            (removal){.path = item->text, .identity = item->text, .span = item->span};
    }
}

void read_save_keys(reader *reader)
{
    size_t count = 0;
    dictionary places = dictionary_create(reader->arena);
    read_own_version(reader);
    for (const schema_file *file = reader->files; file != NULL; file = file->next) {
        const tree_node *node = tree_find(file->root, "removed");
        count += node == NULL ? 0 : node->count;
    }
    removal *removals = arena_allocate(reader->arena, (count + 1) * sizeof *removals);
    reader->package->removals = removals;
    for (const schema_file *file = reader->files; file != NULL; file = file->next) {
        const tree_node *node = tree_find(file->root, "removed");
        if (node == NULL || !reader_expect_items(reader, node, "'removed'"))
            continue;
        reader->package->has_saves = true;
        for (const tree_node *item = node->items; item != NULL; item = item->next)
            read_removal(reader, item, &places, removals);
    }
}
