// Reads a field of a component, such as `Cell.x`.
#include "read/private/reader.h"

#include <string.h>

static component *find_component(reader *reader, const tree_node *node, const char *name, const field_path *path)
{
    component_draft *found = (component_draft *)dictionary_find(&reader->component_names, name);
    if (found == NULL && reader_is_elsewhere(reader, "components"))
        return NULL;
    if (found == NULL) {
        diagnostic_error(reader->diagnostics, CODE_UNKNOWN_COMPONENT, tree_part(node, 0, strlen(name)),
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
    const char *point = strchr(node->text, '.');
    if (point == NULL) {
        diagnostic_error(reader->diagnostics, path->code, node->span, "'%s' in %s is not a field", node->text,
                         path->where);
        diagnostic_hint(reader->diagnostics, "write Component.field");
        return NULL;
    }
    const char *name = arena_copy(reader->arena, node->text, (size_t)(point - node->text));
    *component = find_component(reader, node, name, path);
    return *component == NULL ? NULL : find_field(reader, node, *component, point + 1, path);
}
