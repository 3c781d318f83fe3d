// Reads the `fields` of components and structs, and paths to fields such as `Cell.x`.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <string.h>

// Reads the `fields` of components and structs.

// Reads a field in its long form, `{ type: float, default: 1, doc: … }`.
static bool read_long_form(reader *reader, const tree_pair *pair, const char *where, field_draft_list *list)
{
    field *field = &list->fields[list->count];
    const tree_node *type = tree_find(pair->value, "type");
    reader_read_keys(reader, pair->value, &language_field, where, field);
    list->drafts[list->count].node = pair->value;
    list->drafts[list->count].default_node = tree_find(pair->value, "default");
    list->drafts[list->count].index_node = tree_find(pair->value, "index");
    if (type != NULL && !read_type(reader, type, where, &field->type))
        return false;
    if (type != NULL) {
        read_range(reader, pair->value, where, field);
        return true;
    }
    field->type.is_unknown = true;
    if (reader_is_misspelled(pair->value, &language_field, "type"))
        return false;
    diagnostic_error(reader->diagnostics, CODE_NO_TYPE, pair->key->span, "%s has no type", where);
    diagnostic_hint(reader->diagnostics, "add 'type: float'");
    return false;
}

static void read_field(reader *reader, const tree_pair *pair, const char *what, field_draft_list *list)
{
    if (!reader_check_name(reader, pair->key, CASE_SNAKE, "a field"))
        return;
    reader_warn_of_header(reader, pair->key, "a field");
    const char *where = arena_format(reader->arena, "field '%s' of %s", pair->key->text, what);
    field *field = &list->fields[list->count];
    field->name = pair->key->text;
    field->saved = read_no_was(field->name);
    field->span = pair->key->span;
    bool is_usable = pair->value->kind == TREE_MAPPING ? read_long_form(reader, pair, where, list)
                                                       : read_type(reader, pair->value, where, &field->type);
    if (!is_usable && tree_is_text(pair->value) && language_find(&language_field, field->name) != NULL)
        diagnostic_note(reader->diagnostics, pair->key->span, "a field has '%s' within braces: { type: float, %s: … }",
                        field->name, field->name);
    list->drafts[list->count].is_broken = !is_usable;
    list->count++;
}

field_draft_list read_fields(reader *reader, const tree_node *node, const char *what)
{
    field_draft_list list = {.count = 0};
    if (!reader_expect_entries(reader, node, arena_format(reader->arena, "'fields' of %s", what))) {
        if (node->kind == TREE_SEQUENCE && node->count > 0 && tree_is_text(node->items))
            diagnostic_hint(reader->diagnostics, "write { %s: float }, each field with its type", node->items->text);
        return list;
    }
    if (node->count > SCHEMA_FIELD_LIMIT) {
        diagnostic_error(reader->diagnostics, CODE_TOO_MANY_FIELDS, node->span,
                         "%s has %zu fields; at most %d are allowed", what, node->count, SCHEMA_FIELD_LIMIT);
        return list;
    }
    list.fields = arena_allocate(reader->arena, node->count * sizeof *list.fields);
    list.drafts = arena_allocate(reader->arena, node->count * sizeof *list.drafts);
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next)
        read_field(reader, pair, what, &list);
    return list;
}

void read_defaults(reader *reader, field_draft_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        field *field = &list->fields[i];
        const tree_node *node = list->drafts[i].default_node;
        if (list->drafts[i].is_broken)
            continue;
        field->has_default = node != NULL;
        field->default_value = node != NULL
                                   ? check_in_range(reader, field, node, read_constant(reader, &field->type, node))
                                   : default_constant(reader, &field->type);
        if (node == NULL)
            check_implied_default(reader, field);
        field_type element = schema_element_type(&field->type);
        if (field->type.is_list)
            field->element_default = default_constant(reader, &element);
    }
}

memory_layout read_layout(const field_draft_list *list)
{
    memory_layout layout = layout_begin();
    bool is_whole = true;
    for (size_t i = 0; i < list->count; i++) {
        is_whole = is_whole && !list->drafts[i].is_broken;
        if (!list->drafts[i].is_broken)
            layout_append(&layout, layout_of_type(&list->fields[i].type));
    }
    layout = layout_end(layout);
    layout.is_guess = layout.is_guess || !is_whole;
    return layout;
}

// ---- paths

// Reads a field of a component, such as `Cell.x`.

static component *find_component(reader *reader, const tree_node *node, const char *name, const field_path *path)
{
    component_draft *found = (component_draft *)dictionary_find(&reader->component_names, name);
    if (found == NULL && reader_is_elsewhere(reader, "components"))
        return NULL;
    if (found == NULL) {
        diagnostic_error(reader->diagnostics, CODE_UNKNOWN_COMPONENT, tree_part(node, path->start, strlen(name)),
                         "unknown component '%s' in %s", name, path->where);
        reader_hint(reader, reader_search_components(reader, name, path->context));
        return NULL;
    }
    if (path->context == NULL || found->component.context_count == 0 ||
        component_is_in(&found->component, path->context))
        return &found->component;
    diagnostic_error(reader->diagnostics, CODE_OTHER_CONTEXT, node->span, "component '%s' is not in context '%s' of %s",
                     name, path->context->name, path->owner);
    diagnostic_note(reader->diagnostics, found->component.span, "'%s' is declared here for context '%s'", name,
                    found->component.contexts[0]->name);
    return NULL;
}

// `name` is the part of the scalar after the dot.
static const field *find_field(reader *reader, const tree_node *node, const component *component, const char *name,
                               const field_path *path)
{
    name_search search = name_search_begin(name);
    for (size_t i = 0; i < component->fields.count; i++) {
        if (strcmp(component->fields.fields[i].name, name) == 0)
            return &component->fields.fields[i];
        if (reader_is_hinting(reader))
            name_search_offer(&search, component->fields.fields[i].name);
    }
    diagnostic_error(reader->diagnostics, path->code, tree_part(node, (size_t)(name - node->text), strlen(name)),
                     "component '%s' has no field '%s' for %s", component->name, name, path->where);
    if (component->fields.count == 0)
        diagnostic_hint(reader->diagnostics, "'%s' has no fields", component->name);
    else
        reader_hint(reader, search);
    return NULL;
}

const field *read_field_path(reader *reader, const tree_node *node, const field_path *path, component **component)
{
    if (!reader_expect_text(reader, node, arena_format(reader->arena, "a field in %s", path->where)))
        return NULL;
    const char *start = node->text + path->start;
    const char *point = strchr(start, '.');
    if (point == NULL) {
        diagnostic_error(reader->diagnostics, path->code, node->span, "'%s' in %s is not a field", node->text,
                         path->where);
        diagnostic_hint(reader->diagnostics, "write Component.field");
        return NULL;
    }
    const char *name = arena_copy(reader->arena, start, (size_t)(point - start));
    *component = find_component(reader, node, name, path);
    return *component == NULL ? NULL : find_field(reader, node, *component, point + 1, path);
}
