// Reading of an index whose keys a C function gives: `key: { type: int32, function: cell_of }` and `of`.
#include "read/private/reader.h"

#include <string.h>

// ---- the type of a key

// Returns why a function cannot give keys of a type; NULL if it can. A function writes its keys into an array, so they
// cannot own memory, and equal keys must have equal bytes. Recursive over structs, whose depth the reader has limited.
static const char *find_type_fault(const field_type *type)
{
    if (type->is_list)
        return "a list";
    if (type->array_count > 0)
        return "an array";
    switch (type->kind) {
    case TYPE_OPAQUE:
        return "an opaque value";
    case TYPE_STRING:
        return "a string of any length";
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        return "a floating-point number";
    default:
        break;
    }
    for (size_t i = 0; type->kind == TYPE_STRUCT && i < type->definition->fields.count; i++)
        if (find_type_fault(&type->definition->fields.fields[i].type) != NULL)
            return "a struct with an array, an opaque value or a floating-point number";
    return NULL;
}

static void read_key_type(reader *reader, const tree_node *node, entity_index *index, const char *what)
{
    if (!read_type(reader, node, arena_format(reader->arena, "the key of %s", what), &index->key_type))
        return;
    const char *fault = find_type_fault(&index->key_type);
    if (fault == NULL)
        return;
    diagnostic_error(reader->diagnostics, index->key_type.is_list ? CODE_LIST : CODE_GIVEN_KEY_TYPE, node->span,
                     "the key of %s cannot be %s", what, fault);
    if (index->key_type.kind == TYPE_STRING)
        diagnostic_hint(reader->diagnostics, "write string[31]; the function copies the text into the key");
    else
        diagnostic_hint(reader->diagnostics, "a function can give integers, bools, enums, entities, strings such as "
                                             "string[31], and structs of these");
}

// ---- the function

static void read_function(reader *reader, const tree_node *node, entity_index *index, const char *what)
{
    if (!reader_expect_text(reader, node, arena_format(reader->arena, "'function' of the key of %s", what)))
        return;
    index->function = node->text;
    index->function_span = node->span;
    if (name_is_function(node->text) && strncmp(node->text, "kin_", strlen("kin_")) != 0)
        return;
    diagnostic_error(reader->diagnostics, CODE_KEY_FUNCTION, node->span,
                     "'function' of the key of %s must be the name of a C function, found '%s'", what, node->text);
    diagnostic_hint(reader->diagnostics, "write a name such as %s_of", index->name);
}

static const tree_node *expect_part(reader *reader, const tree_node *key, const entity_index *index, const char *part,
                                    const char *example)
{
    const tree_node *node = tree_find(key, part);
    if (node != NULL || reader_is_misspelled(key, &language_index_function, part))
        return node;
    diagnostic_error(reader->diagnostics, CODE_INCOMPLETE_INDEX, key->span, "the key of index '%s' has no '%s'",
                     index->name, part);
    diagnostic_hint(reader->diagnostics, "add '%s'", example);
    return NULL;
}

void read_key_function(reader *reader, const tree_node *key, entity_index *index, const char *what)
{
    if (!reader_expect_mapping(reader, key, arena_format(reader->arena, "'key' of %s", what))) {
        if (tree_is_text(key))
            diagnostic_hint(reader->diagnostics, "write { type: int32, function: %s }", key->text);
        return;
    }
    reader_check_keys(reader, key, &language_index_function, arena_format(reader->arena, "the key of %s", what));
    const tree_node *type = expect_part(reader, key, index, "type", "type: int32");
    const tree_node *function = expect_part(reader, key, index, "function", "function: NAME");
    if (type != NULL)
        read_key_type(reader, type, index, what);
    if (function != NULL)
        read_function(reader, function, index, what);
}

// ---- `of`

// A flag has no value to pass; a component whose fields have columns has no `touch`, so that its values must not be
// written in place.
static void check_component(reader *reader, const entity_index *index, component *component, span place)
{
    component->is_keyed = component->is_keyed || component->is_soa;
    if (component->fields.count > 0)
        return;
    diagnostic_error(reader->diagnostics, CODE_INDEX_OF, place, "component '%s' in 'of' of index '%s' has no fields",
                     component->name, index->name);
    diagnostic_hint(reader->diagnostics, "a function reads values; put the flag into 'all'");
}

void read_index_of(reader *reader, const tree_node *node, entity_index *index, const char *what)
{
    rule rule = read_index_components(reader, node, what, index->context);
    index->of = rule.components;
    index->of_count = rule.count;
    for (const tree_node *item = node->items; rule.count > 0 && item != NULL; item = item->next) {
        const void *found = item->kind == TREE_SCALAR ? dictionary_find(&reader->component_names, item->text) : NULL;
        if (found != NULL)
            check_component(reader, index, &((component_draft *)found)->component, item->span);
    }
}

void refuse_index_of(reader *reader, const tree_node *node, const char *what)
{
    diagnostic_error(reader->diagnostics, CODE_INDEX_OF, node->span, "'of' of %s has no function to read it", what);
    diagnostic_hint(reader->diagnostics, "write 'key: { type: int32, function: NAME }', or replace 'of' by 'all'");
}
