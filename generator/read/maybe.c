// Reads `maybe`: the optional columns of a group, or of a system with a group. Checks components that groups and their
// systems name.
#include "generator/schema/schema.h"
#include "read/private/reader.h"
#include "read/private/system.h"

#include <string.h>

// ---- components of groups

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

// ---- optional columns

// A list while it is read.
typedef struct maybe_draft {
    reader *reader;
    const group *group;
    const char *what; // "'maybe' of group 'movers'"
    const component **components;
    component_list list;
} maybe_draft;

static bool names(const rule *rule, const component *component)
{
    return schema_lists((component_list){rule->components, rule->count}, component);
}

// Returns why the rule settles whether members have the component; NULL if it does not.
static const char *find_settled(const rule *rule, const component *component)
{
    bool is_named = names(rule, component);
    switch (rule->kind) {
    case RULE_ALL:
        return is_named ? "all members have it, and 'all' gives it a column" : NULL;
    case RULE_ANY:
        return is_named && rule->count == 1 ? "all members have it; name it in 'all' for a column" : NULL;
    case RULE_NONE:
        return is_named ? "no member has it" : NULL;
    case RULE_ONLY:
        return is_named ? "all members have it; name it in 'all' for a column" : "no member has it";
    }
    return NULL;
}

static const char *find_reason(const group *group, const component *component)
{
    if (component->fields.count == 0)
        return "it is a flag, which has no values";
    const char *reason = NULL;
    for (size_t i = 0; i < group->rule_count && reason == NULL; i++)
        reason = find_settled(&group->rules[i], component);
    return reason;
}

// Reports a component that the list has already, or that is an optional column of the system's group.
static bool is_new(const maybe_draft *draft, const tree_node *item, const component *component)
{
    bool is_listed = schema_lists(draft->list, component);
    if (!is_listed && !schema_lists(draft->group->maybe, component))
        return true;
    diagnostic_error(draft->reader->diagnostics, CODE_DUPLICATE_COMPONENT, item->span,
                     is_listed ? "component '%s' is listed twice" : "component '%s' is in 'maybe' of the group too",
                     component->name);
    return false;
}

static void append(maybe_draft *draft, const tree_node *item)
{
    reader *reader = draft->reader;
    if (!reader_expect_text(reader, item, arena_format(reader->arena, "a component in %s", draft->what)))
        return;
    const component *component = find_group_component(reader, item, draft->what, draft->group);
    if (component == NULL || !is_new(draft, item, component))
        return;
    const char *reason = find_reason(draft->group, component);
    if (reason != NULL) {
        diagnostic_error(reader->diagnostics, CODE_MAYBE, item->span, "component '%s' cannot be in %s: %s",
                         component->name, draft->what, reason);
        diagnostic_hint(reader->diagnostics, "remove it from 'maybe'");
        return;
    }
    check_group_member(reader, item, draft->what, component);
    if (draft->list.count < SCHEMA_RULE_COMPONENT_LIMIT)
        draft->components[draft->list.count++] = component;
}

component_list read_maybe(reader *reader, const tree_node *node, const char *what, const group *group)
{
    maybe_draft draft = {.reader = reader, .group = group};
    draft.what = arena_format(reader->arena, "'maybe' of %s", what);
    if (node == NULL || !reader_expect_items(reader, node, draft.what))
        return draft.list;
    draft.components = arena_allocate(reader->arena, SCHEMA_RULE_COMPONENT_LIMIT * sizeof *draft.components);
    draft.list.components = draft.components;
    for (const tree_node *item = node->items; item != NULL; item = item->next)
        append(&draft, item);
    if (node->count > SCHEMA_RULE_COMPONENT_LIMIT)
        diagnostic_error(reader->diagnostics, CODE_TOO_MANY_RULES, node->span,
                         "%s has too many components; at most %d are allowed, found %zu", draft.what,
                         SCHEMA_RULE_COMPONENT_LIMIT, node->count);
    return draft.list;
}

void read_system_maybe(system_scope *scope, system_draft *draft)
{
    const tree_node *key = tree_find_key(draft->node, "maybe");
    if (key == NULL)
        return;
    if (draft->system.group != NULL) {
        draft->system.maybe =
            read_maybe(scope->reader, tree_find(draft->node, "maybe"), draft->what, draft->system.group);
        return;
    }
    if (tree_find_key(draft->node, "group") != NULL || reader_is_misspelled(draft->node, &language_system, "group"))
        return; // already reported
    diagnostic_error(scope->reader->diagnostics, CODE_MAYBE, key->span, "%s has 'maybe' without 'group'", draft->what);
    diagnostic_hint(scope->reader->diagnostics,
                    "add 'group', or remove it; only a system that iterates a group has columns");
}
