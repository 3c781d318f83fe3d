// Reading of `types`.
#include "schema_reader.h"

static const key_set definition_keys = {
    .known = (const char *const[]){"doc", "fields", "values", NULL},
    .later = (const char *const[]){"opaque", "header", "drop", NULL},
};

static void declare(reader *reader, const tree_pair *pair)
{
    if (!reader_check_name(reader, pair->key, CASE_PASCAL, "a type"))
        return;
    definition_draft *draft = arena_allocate(reader->arena, sizeof *draft);
    bool is_enum = pair->value->kind == TREE_MAPPING && tree_find(pair->value, "values") != NULL;
    draft->definition.kind = is_enum ? DEFINITION_ENUM : DEFINITION_STRUCT;
    draft->definition.name = pair->key->text;
    draft->definition.span = pair->key->span;
    draft->alignment = 1;
    draft->node = pair->value;
    reader->definitions[reader->definition_count++] = draft;
    dictionary_add(&reader->definition_names, draft->definition.name, draft);
}

void declare_definitions(reader *reader)
{
    const tree_node *node = tree_find(reader->root, "types");
    if (node == NULL || !reader_expect_entries(reader, node, "'types'"))
        return;
    reader->definitions = arena_allocate(reader->arena, node->count * sizeof *reader->definitions);
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next)
        declare(reader, pair);
}

static void report_form(reader *reader, const definition_draft *draft, const char *what)
{
    bool is_opaque = tree_find(draft->node, "opaque") != NULL; // reported as a key of a later version
    bool is_both = tree_find(draft->node, "fields") != NULL && tree_find(draft->node, "values") != NULL;
    if (is_both)
        diagnostic_error(reader->diagnostics, draft->definition.span,
                         "%s has both 'fields' and 'values'; it is a struct or an enum", what);
    else if (!is_opaque && !reader_is_misspelled(draft->node, definition_keys, "fields") &&
             !reader_is_misspelled(draft->node, definition_keys, "values"))
        diagnostic_error(reader->diagnostics, draft->definition.span,
                         "%s needs 'fields', for a struct, or 'values', for an enum", what);
}

static void read_definition(reader *reader, definition_draft *draft)
{
    const char *what = arena_format(reader->arena, "type '%s'", draft->definition.name);
    draft->is_broken = true;
    if (!reader_expect_mapping(reader, draft->node, what))
        return;
    reader_check_keys(reader, draft->node, definition_keys, what);
    draft->definition.doc = reader_find_text(reader, draft->node, "doc", what);

    const tree_node *fields = tree_find(draft->node, "fields"), *values = tree_find(draft->node, "values");
    if ((fields == NULL) == (values == NULL)) {
        report_form(reader, draft, what);
    } else if (values != NULL) {
        read_enum(reader, draft, what);
    } else {
        draft->fields = read_fields(reader, fields, what);
        draft->definition.fields = (field_list){.fields = draft->fields.fields, .count = draft->fields.count};
        draft->is_broken = draft->fields.count == 0;
    }
}

void read_definitions(reader *reader)
{
    for (size_t i = 0; i < reader->definition_count; i++)
        read_definition(reader, reader->definitions[i]);
    read_structs(reader);
}
