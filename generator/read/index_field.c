// Reading of `index` of a field, and what can be a key at all.
#include "read/private/reader.h"

#include <string.h>

index_kind read_index_kind(reader *reader, const tree_node *node, const char *what)
{
    static const char *const names[] = {[INDEX_PRIMARY] = "primary", [INDEX_MULTI] = "multi"};
    if (!reader_expect_text(reader, node, what))
        return INDEX_NONE;
    name_search search = name_search_begin(node->text);
    for (int kind = INDEX_PRIMARY; kind <= INDEX_MULTI; kind++) {
        if (strcmp(node->text, names[kind]) == 0)
            return (index_kind)kind;
        name_search_offer(&search, names[kind]);
    }
    diagnostic_error(reader->diagnostics, CODE_UNKNOWN_CHOICE, node->span,
                     "%s is '%s', and can be 'primary' or 'multi'", what, node->text);
    reader_hint(reader, search);
    return INDEX_NONE;
}

// ---- what can be a key

// Why a type cannot be one; NULL when it can. Recursive over structs, whose depth the reader has limited.
static const char *find_type_fault(const field_type *type)
{
    if (type->array_count > 0)
        return "an array";
    if (type->kind == TYPE_OPAQUE)
        return "opaque";
    if (type->kind != TYPE_STRUCT)
        return NULL;
    const field_list *fields = &type->definition->fields;
    if (draft_of(type->definition)->is_broken)
        return NULL; // which has been reported
    for (size_t i = 0; i < fields->count; i++)
        if (find_type_fault(&fields->fields[i].type) != NULL)
            return "a struct that holds an array or an opaque value";
    return NULL;
}

void check_key_type(reader *reader, const field *field, span place, const char *what)
{
    const char *fault = find_type_fault(&field->type);
    if (fault == NULL)
        return;
    diagnostic_error(reader->diagnostics, CODE_KEY_TYPE, place, "field '%s' cannot be the key of %s: it is %s",
                     field->name, what, fault);
    diagnostic_hint(reader->diagnostics, "a key is made of numbers, texts, enums, entities and structs of these");
}

void refuse_field_indices(reader *reader, const field_draft_list *list, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->drafts[i].index_node == NULL)
            continue;
        diagnostic_error(reader->diagnostics, CODE_INDEX_IN_STRUCT, list->drafts[i].index_node->span,
                         "field '%s' of %s cannot have an index: only fields of components can", list->fields[i].name,
                         what);
        diagnostic_hint(reader->diagnostics, "give it to the field of the component that holds the struct");
    }
}

void read_field_indices(reader *reader, field_draft_list *list, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        const tree_node *node = list->drafts[i].index_node;
        field *field = &list->fields[i];
        if (node == NULL)
            continue;
        field->index = read_index_kind(reader, node,
                                       arena_format(reader->arena, "'index' of field '%s' of %s", field->name, what));
        if (field->index != INDEX_NONE && !list->drafts[i].is_broken)
            check_key_type(reader, field, node->span, "an index");
    }
}
