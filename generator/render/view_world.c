// View of a world: the nodes of the schedule, the systems in run order, and messages.
#include "generator/render/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *world_name(const view_scope *scope)
{
    return arena_format(scope->arena, "%s%s_world", scope->package->prefix, scope->package->name);
}

static value *message_value(const view_scope *scope, const message *message)
{
    assert(scope->package->messages[message->number] == message);
    value *map = value_map(scope->arena);
    view_set_name(scope, map, message->name);
    view_set_doc(scope, map, message->doc, NULL);
    view_set_identity(scope, map, message->name, &message->saved);
    view_set_text(scope, map, "type", view_type_name(scope, message->name));
    view_set_text(scope, map, "publish",
                  arena_format(scope->arena, "%s%s_publish_%s", scope->package->prefix, scope->package->name,
                               name_to_snake_case(scope->arena, message->name)));
    view_set_count(scope, map, "number", message->number);
    view_set_text(scope, map, "snake", name_to_snake_case(scope->arena, message->name));
    view_set_bool(scope, map, "has_fields", message->fields.count > 0);
    view_set_fields(scope, map, &message->fields);
    view_set_default_symbol(scope, map, world_name(scope), message->name);
    return map;
}

static value *node_value(const view_scope *scope, const schedule_node *node)
{
    assert(node->parent == NULL || node->parent->number < node->number);
    value *map = value_map(scope->arena);
    view_set_name(scope, map, node->name);
    view_set_doc(scope, map, node->doc, NULL);
    if (node->parent == NULL)
        view_set_text(scope, map, "parent", "KIN__NO_PARENT");
    else
        view_set_count(scope, map, "parent", node->parent->number);
    view_set_text(scope, map, "step", view_number_literal(scope, node->step));
    view_set_count(scope, map, "max_steps", node->max_steps);
    view_set_bool(scope, map, "is_fixed", node->step > 0);
    view_set_bool(scope, map, "is_manual", node->is_manual);
    return map;
}

// Sets the nodes that the program runs, which have a function each.
static void set_manual_nodes(const view_scope *scope, value *map)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < scope->package->node_count; i++) {
        const schedule_node *node = scope->package->nodes[i];
        if (!node->is_manual)
            continue;
        value *item = value_append_map(scope->arena, list);
        view_set_name(scope, item, node->name);
        view_set_count(scope, item, "number", node->number);
        view_set_bool(scope, item, "is_fixed", node->step > 0);
    }
    value_set(map, "manual_nodes", list);
}

static int compare_systems(const void *a, const void *b)
{
    return strcmp((*(const declared_system *const *)a)->name, (*(const declared_system *const *)b)->name);
}

// Sets `systems`, in the order in which they run, and `declared_systems`, in the order of their names: a header in
// which the schedule shows would compile again with each change of the schedule.
static void set_systems(const view_scope *scope, value *map)
{
    const package *package = scope->package;
    size_t count = package->system_count;
    bool has_trees = false;
    value *systems = value_list(scope->arena);
    value *declared = value_list(scope->arena);
    const declared_system **sorted = arena_allocate(scope->arena, (count + 1) * sizeof *sorted);
    value **made = arena_allocate(scope->arena, (count + 1) * sizeof *made);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = package->systems[i];
        assert(sorted[i]->number == i);
        made[i] = view_system(scope, sorted[i]);
        has_trees = has_trees || schema_iterates_tree(sorted[i]);
    }
    qsort(sorted, count, sizeof *sorted, compare_systems);
    for (size_t i = 0; i < count; i++)
        value_append(declared, value_copy(scope->arena, made[sorted[i]->number]));
    for (size_t i = 0; i < count; i++)
        value_append(systems, made[i]);
    view_set_bool(scope, map, "has_tree_systems", has_trees);
    view_set_bool(scope, map, "has_parallel", schema_has_jobs(scope->package));
    view_set_bool(scope, map, "has_random", schema_has_random(scope->package));
    value_set(map, "declared_systems", declared);
    value_set(map, "systems", systems);
    view_set_bool(scope, map, "has_systems", count > 0);
    view_set_count(scope, map, "system_count", count);
}

void view_set_world(const view_scope *scope, value *map)
{
    assert(scope->package->has_world);
    const package *package = scope->package;
    value *nodes = value_list(scope->arena);
    value *messages = value_list(scope->arena);
    for (size_t i = 0; i < package->node_count; i++)
        value_append(nodes, node_value(scope, package->nodes[i]));
    set_systems(scope, map);
    for (size_t i = 0; i < package->message_count; i++)
        value_append(messages, message_value(scope, package->messages[i]));
    view_set_list(scope, map, "nodes", "has_nodes", "node_count", nodes);
    set_manual_nodes(scope, map);
    view_set_list(scope, map, "messages", "has_messages", "message_count", messages);
    view_set_text(scope, map, "world", world_name(scope));
    view_set_literal(scope, map, "package_text", package->name);
    view_set_count(scope, map, "context_count", package->context_count);
    view_set_world_info(scope, map);
}
