// Reads `types`.
#include "generator/schema/schema.h"
#include "read/private/reader.h"

#include <string.h>

static definition_kind form_of(const tree_node *node)
{
    if (node->kind == TREE_MAPPING && tree_find(node, "opaque") != NULL)
        return DEFINITION_OPAQUE;
    return node->kind == TREE_MAPPING && tree_find(node, "values") != NULL ? DEFINITION_ENUM : DEFINITION_STRUCT;
}

static void declare(reader *reader, const tree_pair *pair)
{
    if (!reader_check_name(reader, pair->key, CASE_PASCAL, "a type"))
        return;
    definition_draft *draft = arena_allocate(reader->arena, sizeof *draft);
    const definition_draft *earlier = dictionary_add(&reader->definition_names, pair->key->text, draft);
    if (earlier != NULL) {
        reader_report_duplicate(reader, pair->key, "type", earlier->definition.span);
        return;
    }
    draft->definition.kind = form_of(pair->value);
    draft->definition.name = pair->key->text;
    draft->definition.span = pair->key->span;
    draft->definition.layout.alignment = 1;
    draft->node = pair->value;
    reader->definitions[reader->definition_count++] = draft;
}

void declare_definitions(reader *reader)
{
    entry_list entries = reader_entries(reader, "types");
    reader->definitions = arena_allocate(reader->arena, (entries.count + 1) * sizeof *reader->definitions);
    for (size_t i = 0; i < entries.count; i++)
        declare(reader, entries.pairs[i]);
}

// Returns whether the type has exactly one of the forms struct, enum and opaque; reports an error if not.
static bool check_form(reader *reader, const definition_draft *draft, const char *what)
{
    static const char *const forms[] = {"fields", "values", "opaque"};
    const char *given[3] = {NULL};
    size_t count = 0;
    bool is_misspelled = false;
    for (size_t i = 0; i < 3; i++) {
        if (tree_find(draft->node, forms[i]) != NULL)
            given[count++] = forms[i];
        is_misspelled = is_misspelled || reader_is_misspelled(draft->node, &language_definition, forms[i]);
    }
    if (count > 1)
        diagnostic_error(reader->diagnostics, CODE_KIND_OF_TYPE, draft->definition.span,
                         "%s has both '%s' and '%s'; only one is allowed", what, given[0], given[1]);
    else if (count == 0 && !is_misspelled)
        diagnostic_error(reader->diagnostics, CODE_KIND_OF_TYPE, draft->definition.span,
                         "%s requires 'fields' for a struct, 'values' for an enum, or 'opaque'", what);
    return count == 1;
}

// Structs cannot have string fields: a struct has no owner that could free them.
static void refuse_strings(reader *reader, const field_draft_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->drafts[i].is_broken || list->fields[i].type.kind != TYPE_STRING)
            continue;
        list->drafts[i].is_broken = true;
        diagnostic_error(reader->diagnostics, CODE_STRING_IN_STRUCT, list->fields[i].type.span,
                         "a struct cannot hold a 'string'");
        diagnostic_hint(reader->diagnostics, "write string[31] to store up to 31 bytes in place");
    }
}

static void read_struct(reader *reader, definition_draft *draft, const char *what)
{
    draft->fields = read_fields(reader, tree_find(draft->node, "fields"), what);
    refuse_strings(reader, &draft->fields);
    refuse_field_indices(reader, &draft->fields, what);
    refuse_relations(reader, &draft->fields, what);
    refuse_lists(reader, &draft->fields, what);
    draft->definition.fields = (field_list){.fields = draft->fields.fields, .count = draft->fields.count};
    draft->is_broken = draft->fields.count == 0;
}

static bool is_of_opaque(const char *key)
{
    static const char *const keys[] = {"header", "drop", "save", "load"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

static void refuse_parts_of_opaque(reader *reader, const tree_node *node)
{
    if (reader_is_misspelled(node, &language_definition, "opaque"))
        return;
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next)
        if (is_of_opaque(pair->key->text))
            diagnostic_error(reader->diagnostics, CODE_KEY_OF_OPAQUE, pair->key->span,
                             "'%s' is only allowed with 'opaque'", pair->key->text);
}

static void read_definition(reader *reader, definition_draft *draft)
{
    const char *what = arena_format(reader->arena, "type '%s'", draft->definition.name);
    draft->is_broken = true;
    if (!reader_expect_mapping(reader, draft->node, what))
        return;
    reader_check_keys(reader, draft->node, &language_definition, what);
    draft->definition.doc = reader_find_text(reader, draft->node, "doc", what);

    if (draft->definition.kind != DEFINITION_OPAQUE)
        refuse_parts_of_opaque(reader, draft->node);
    if (!check_form(reader, draft, what))
        return;
    if (draft->definition.kind == DEFINITION_ENUM)
        read_enum(reader, draft, what);
    else if (draft->definition.kind == DEFINITION_OPAQUE)
        read_opaque(reader, draft, what);
    else
        read_struct(reader, draft, what);
}

void read_definitions(reader *reader)
{
    for (size_t i = 0; i < reader->definition_count; i++)
        read_definition(reader, reader->definitions[i]);
    read_structs(reader);
}
