// The view of a declared group: its rules and columns.
#include "view_parts.h"

#include "names.h"

#include <string.h>

static const char *const rule_kinds[] = {
    [RULE_ALL] = "KIN_RULE_ALL",
    [RULE_ANY] = "KIN_RULE_ANY",
    [RULE_NONE] = "KIN_RULE_NONE",
    [RULE_ONLY] = "KIN_RULE_ONLY",
};

value *view_context_names(const view_scope *scope, const context *context)
{
    value *map = value_map(scope->arena);
    const char *name = view_context_name(scope, context);
    view_set_text(scope, map, "name", context->name);
    view_set_text(scope, map, "file", context->name);
    view_set_text(scope, map, "self", name_is_parameter(context->name) ? context->name : "context");
    view_set_text(scope, map, "context", name);
    view_set_text(scope, map, "CONTEXT", view_upper_name(scope, context->name));
    view_set_text(scope, map, "name_text", view_literal(scope->arena, context->name, strlen(context->name)));
    return map;
}

value *view_rule(const view_scope *scope, const context *context, const rule *rule)
{
    value *map = value_map(scope->arena), *ids = value_list(scope->arena);
    for (size_t i = 0; i < rule->count; i++) {
        value *id = value_map(scope->arena);
        view_set_text(scope, id, "id", view_component_id(scope, context, rule->components[i]));
        view_set_text(scope, id, "comma", i + 1 < rule->count ? ", " : "");
        value_append(ids, id);
    }
    view_set_text(scope, map, "kind", rule_kinds[rule->kind]);
    view_set_count(scope, map, "id_count", rule->count);
    value_set(map, "ids", ids);
    return map;
}

// A column for each component with fields that every member has; one that two rules name once.
static value *columns(const view_scope *scope, const group *group)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < group->rule_count; i++)
        for (size_t k = 0; group->rules[i].kind == RULE_ALL && k < group->rules[i].count; k++) {
            const component *component = group->rules[i].components[k];
            if (component->fields.count == 0)
                continue;
            value *map = value_map(scope->arena);
            const char *type = arena_format(scope->arena, "%s%s", schema_is_editable(component) ? "" : "const ",
                                            view_type_name(scope, component->name));
            view_set_text(scope, map, "c_type",
                          schema_is_boxed(component) ? arena_format(scope->arena, "%s *const", type) : type);
            view_set_text(scope, map, "component", name_to_snake_case(scope->arena, component->name));
            view_set_text(scope, map, "id", view_component_id(scope, group->context, component));
            value_append(list, map);
        }
    return list;
}

value *view_group(const view_scope *scope, const group *group, size_t number)
{
    value *map = value_map(scope->arena), *rules = value_list(scope->arena);
    for (size_t i = 0; i < group->rule_count; i++)
        value_append(rules, view_rule(scope, group->context, &group->rules[i]));
    view_set_text(scope, map, "group", group->name);
    view_set_text(scope, map, "name_text", view_literal(scope->arena, group->name, strlen(group->name)));
    view_set_doc(scope, map, group->doc, NULL);
    view_set_count(scope, map, "number", number);
    view_set_count(scope, map, "rule_count", group->rule_count);
    value_set(map, "rules", rules);
    value_set(map, "columns", columns(scope, group));
    return map;
}
