// View of systems that iterate their groups in the order of a tree: the types of the iterator, and the tree.
#include "generator/schema/schema.h"
#include "view/private/parts.h"

#include <string.h>

// Returns the number of columns that are not optional.
static size_t count_columns(const value *columns)
{
    size_t count = 0;
    for (const value *each = columns->first; each != NULL; each = each->next)
        count += !value_find(each, value_key_create("is_maybe"))->boolean;
    return count;
}

static bool has_soa(const value *columns)
{
    for (const value *each = columns->first; each != NULL; each = each->next)
        if (value_find(each, value_key_create("is_soa"))->boolean)
            return true;
    return false;
}

// Returns the name of a type as the iterator can use it: a column of that name would hide the type in C++.
static const char *type_beside(const view_scope *scope, const value *columns, const char *type)
{
    for (const value *each = columns->first; each != NULL; each = each->next) {
        const char *member = value_find(each, value_key_create("component"))->text;
        if (strcmp(member, type) == 0 || strcmp(arena_format(scope->arena, "parent_%s", member), type) == 0)
            return arena_format(scope->arena, "struct %s", type);
    }
    return type;
}

// Returns the tree's number among the relations of its context.
static size_t tree_number(const view_scope *scope, const relation *tree)
{
    size_t number = 0;
    for (const relation *each = scope->package->relations; each != tree; each++)
        number += each->context == tree->context;
    return number;
}

// Returns the components of the context whose changes count, with `only: changed`.
static value *watched(const view_scope *scope, const declared_system *system, size_t *count)
{
    const context *context = system->group->context;
    value *list = value_list(scope->arena);
    *count = 0;
    for (size_t i = 0; system->only_changed && i < system->read_count; i++) {
        const component *component = system->reads[i];
        bool is_in = false;
        for (size_t k = 0; k < component->context_count; k++)
            is_in = is_in || component->contexts[k] == context;
        if (!is_in)
            continue;
        value *item = value_map(scope->arena);
        view_set_text(scope, item, "id", view_component_id(scope, context, component));
        view_set_text(scope, item, "separator", (*count)++ == 0 ? "" : ", ");
        value_append(list, item);
    }
    return list;
}

static value *tree_info(const view_scope *scope, const declared_system *system)
{
    value *info = value_map(scope->arena);
    size_t count;
    view_set_text(scope, info, "tree_name", system->tree->field->reverse);
    view_set_count(scope, info, "relation", tree_number(scope, system->tree));
    view_set_bool(scope, info, "is_breadth", system->order == TREE_BREADTH);
    view_set_bool(scope, info, "is_changed", system->only_changed);
    view_set_bool(scope, info, "is_divided", schema_has_pieces(system));
    value_set(info, "watched", watched(scope, system, &count));
    view_set_count(scope, info, "watched_count", count);
    return info;
}

void view_set_tree(const view_scope *scope, value *map, const declared_system *system)
{
    if (!schema_iterates_tree(system)) {
        view_set_bool(scope, map, "tree", false);
        view_set_bool(scope, map, "tree_info", false);
        return;
    }
    value *tree = value_map(scope->arena);
    const value *columns = value_find(map, value_key_create("columns"));
    const char *context = view_context_name(scope, system->group->context);
    size_t count = count_columns(columns);
    bool has_places = has_soa(columns), has_maybe = system->group->maybe.count + system->maybe.count > 0;
    view_set_text(scope, tree, "entity_type",
                  type_beside(scope, columns, arena_format(scope->arena, "%s_entity", context)));
    view_set_text(scope, tree, "context_type",
                  type_beside(scope, columns, arena_format(scope->arena, "%s_context", context)));
    view_set_count(scope, tree, "column_count", count);
    view_set_bool(scope, tree, "has_columns", count > 0);
    view_set_bool(scope, tree, "has_places", has_places);
    view_set_bool(scope, tree, "has_skip", !schema_has_pieces(system));
    view_set_bool(scope, tree, "needs_parent", has_places || has_maybe);
    view_set_named(scope, tree, system->group);
    value_set(map, "tree", tree);
    value_set(map, "tree_info", tree_info(scope, system));
}
