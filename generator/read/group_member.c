// Checks components that groups and their systems name.
#include "language/language.h"
#include "read/private/reader.h"

#include <string.h>

const component *find_group_component(reader *reader, const tree_node *node, const char *what, const group *group)
{
    const component_draft *found = dictionary_find(&reader->component_names, node->text);
    const context *context = group->context;
    if (found == NULL && reader_is_elsewhere(reader, "components"))
        return NULL;
    if (found == NULL) {
        diagnostic_error(reader->diagnostics, CODE_UNKNOWN_COMPONENT, node->span, "unknown component '%s' in %s",
                         node->text, what);
        reader_hint(reader, reader_search_components(reader, node->text, context));
        return NULL;
    }
    // A component without contexts had invalid ones, already reported.
    if (context == NULL || found->component.context_count == 0 || component_is_in(&found->component, context))
        return &found->component;
    diagnostic_error(reader->diagnostics, CODE_OTHER_CONTEXT, node->span, "component '%s' is not in context '%s' of %s",
                     node->text, context->name, what);
    diagnostic_note(reader->diagnostics, found->component.span, "'%s' is declared here for context '%s'", node->text,
                    found->component.contexts[0]->name);
    return NULL;
}

void check_group_member(reader *reader, const tree_node *node, const char *list, const component *component)
{
    const char *member = name_to_snake_case(reader->arena, component->name);
    const char *reserved = name_reserved_as(member);
    bool is_own = strcmp(member, "count") == 0 || strcmp(member, "mask") == 0;
    if (is_own)
        reserved = "a built-in member";
    if (reserved == NULL || (component->fields.count == 0 && !is_own))
        return;
    diagnostic_error(reader->diagnostics, CODE_ITERATOR_MEMBER, node->span,
                     "component '%s' cannot be in %s: its iterator member '%s' would be %s", component->name, list,
                     member, reserved);
}
