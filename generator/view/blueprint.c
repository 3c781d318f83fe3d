// View of the blueprints of a context.
#include "view/private/parts.h"

#include "generator/schema/schema.h"

#include <string.h>

static bool is_plain(const blueprint *blueprint)
{
    for (size_t i = 0; i < blueprint->part_count; i++)
        if (!view_is_plain(blueprint->parts[i].component))
            return false;
    return true;
}

static void set_owned(const view_scope *scope, value *map, const blueprint *blueprint)
{
    bool has_strings = false, has_drops = false, has_lists = false;
    for (size_t i = 0; i < blueprint->part_count; i++) {
        has_strings = has_strings || blueprint->parts[i].component->has_strings;
        has_drops = has_drops || blueprint->parts[i].component->has_drops;
        has_lists = has_lists || blueprint->parts[i].component->has_lists;
    }
    view_set_bool(scope, map, "has_strings", has_strings);
    view_set_bool(scope, map, "has_drops", has_drops);
    view_set_bool(scope, map, "has_lists", has_lists);
}

static value *blueprint_value(const view_scope *scope, const blueprint *blueprint, size_t number)
{
    const char *name = name_to_snake_case(scope->arena, blueprint->name);
    const char *context = view_context_name(scope, blueprint->context);
    view_parts parts = {blueprint->context, blueprint->parts, blueprint->part_count,
                        arena_format(scope->arena, "%s_spawn_%s", context, name)};
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "blueprint", name);
    view_set_text(scope, map, "blueprint_name", blueprint->name);
    view_set_text(scope, map, "name_text", view_literal(scope->arena, blueprint->name, strlen(blueprint->name)));
    view_set_doc(scope, map, blueprint->doc, NULL);
    view_set_count(scope, map, "number", number);
    view_set_bool(scope, map, "is_plain", is_plain(blueprint) && blueprint->children.count == 0);
    set_owned(scope, map, blueprint);
    view_set_parts(scope, map, &parts);
    return map;
}

void view_set_blueprints(const view_scope *scope, value *map, const context *context)
{
    value *list = value_list(scope->arena);
    size_t count = 0, part_count = 0, node_count = 0;
    for (size_t i = 0; i < scope->package->blueprint_count; i++) {
        const blueprint *blueprint = scope->package->blueprints[i];
        if (blueprint->context != context)
            continue;
        value *item = blueprint_value(scope, blueprint, count++);
        view_set_count(scope, item, "first_part", part_count);
        view_set_count(scope, item, "first_node", node_count);
        view_set_nodes(scope, item, blueprint);
        value_append(list, item);
        part_count += blueprint->part_count;
        node_count += blueprint->children.node_count;
    }
    value_set(map, "blueprints", list);
    view_set_bool(scope, map, "has_blueprints", count > 0);
    view_set_count(scope, map, "blueprint_count", count);
    view_set_children(scope, map, context, part_count);
    view_set_part_structs(scope, map, context);
}
