// The view of a context and of its declared groups: its names, and their rules and columns.
#include "view/private/parts.h"

#include "model/names.h"
#include "model/world.h"

#include <string.h>

static const char *const rule_kinds[] = {
    [RULE_ALL] = "KIN_RULE_ALL",
    [RULE_ANY] = "KIN_RULE_ANY",
    [RULE_NONE] = "KIN_RULE_NONE",
    [RULE_ONLY] = "KIN_RULE_ONLY",
};

enum { WORD_BITS = 64 }; // of the masks that say which components an entity has

size_t view_row_words(const context *context)
{
    size_t words = (context->component_count + WORD_BITS - 1) / WORD_BITS;
    return words == 0 ? 1 : words;
}

void view_set_context_names(const view_scope *scope, value *map, const context *context)
{
    const char *name = view_context_name(scope, context);
    view_set_text(scope, map, "name", context->name);
    view_set_text(scope, map, "file", context->name);
    view_set_text(scope, map, "name_text", view_literal(scope->arena, context->name, strlen(context->name)));
    view_set_text(scope, map, "CONTEXT", view_upper_name(scope, context->name));
    view_set_text(scope, map, "self", name_is_parameter(context->name) ? context->name : "context");
    view_set_text(scope, map, "context", name);
}

value *view_context_names(const view_scope *scope, const context *context)
{
    value *map = value_map(scope->arena);
    view_set_context_names(scope, map, context);
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

// Whether a loop may write the values of a column in place. What has no `edit` since its fields have columns may be
// written there all the same.
static bool is_writable(const component *component, const declared_system *writer)
{
    bool is_open = schema_is_editable(component) || (component->is_soa && !component->is_keyed);
    return is_open && (writer == NULL || schema_writes(writer, component));
}

static value *column(const view_scope *scope, const context *context, const component *component,
                     const declared_system *writer)
{
    value *map = value_map(scope->arena);
    bool writable = is_writable(component, writer);
    const char *constness = writable ? "" : "const ", *name = view_type_name(scope, component->name);
    const char *type =
        arena_format(scope->arena, "%s%s", constness, writable ? view_edited_type(scope, component) : name);
    view_set_text(scope, map, "c_type",
                  schema_is_boxed(component) ? arena_format(scope->arena, "%s *const", type) : type);
    view_set_text(scope, map, "constness", constness);
    view_set_bool(scope, map, "is_soa", component->is_soa);
    view_set_text(scope, map, "type", name);
    if (component->is_soa)
        view_set_fields(scope, map, &component->fields);
    view_set_text(scope, map, "component", name_to_snake_case(scope->arena, component->name));
    view_set_text(scope, map, "id", view_component_id(scope, context, component));
    return map;
}

// A column for each component with fields that every member has; one that two rules name once.
value *view_columns(const view_scope *scope, const group *group, const declared_system *writer)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < group->rule_count; i++)
        for (size_t k = 0; group->rules[i].kind == RULE_ALL && k < group->rules[i].count; k++)
            if (group->rules[i].components[k]->fields.count > 0)
                value_append(list, column(scope, group->context, group->rules[i].components[k], writer));
    return list;
}

// The sum of more changes is the library's.
enum { MOST_NAMED = 8 };

static size_t put_named(const component **named, size_t count, const component *component)
{
    for (size_t i = 0; i < count; i++)
        if (named[i] == component)
            return count;
    if (count < MOST_NAMED)
        named[count] = component;
    return count + 1;
}

// The components that a group names, each once, and how many there are; more than fit when those are too many, or when
// others' changes can change it too: of an `only` rule all, without an `all` or `any` rule being alive.
static size_t find_named(const group *group, const component **named)
{
    size_t count = 0;
    bool needs_one = false;
    for (size_t i = 0; i < group->rule_count; i++) {
        const rule *rule = &group->rules[i];
        if (rule->kind == RULE_ONLY)
            return MOST_NAMED + 1;
        needs_one = needs_one || rule->kind != RULE_NONE;
        for (size_t k = 0; k < rule->count && count <= MOST_NAMED; k++)
            count = put_named(named, count, rule->components[k]);
    }
    return needs_one ? count : MOST_NAMED + 1;
}

// `named`: the `first` whose changes can change the group, and the `others`; false where they are not to be summed.
static void set_named(const view_scope *scope, value *map, const group *group)
{
    const component *named[MOST_NAMED];
    size_t count = find_named(group, named);
    if (count > MOST_NAMED) {
        view_set_bool(scope, map, "named", false);
        return;
    }
    value *sum = value_map(scope->arena), *others = value_list(scope->arena);
    view_set_text(scope, sum, "first", view_component_id(scope, group->context, named[0]));
    for (size_t i = 1; i < count; i++) {
        value *other = value_map(scope->arena);
        view_set_text(scope, other, "id", view_component_id(scope, group->context, named[i]));
        value_append(others, other);
    }
    value_set(sum, "others", others);
    value_set(map, "named", sum);
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
    set_named(scope, map, group);
    view_set_text(scope, map, "walk",
                  arena_format(scope->arena, "%s_%s", view_context_name(scope, group->context), group->name));
    value_set(map, "columns", view_columns(scope, group, NULL));
    return map;
}
