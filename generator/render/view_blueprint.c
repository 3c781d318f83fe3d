// Views of blueprints and their children.
#include "generator/render/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

// ---- parts

// View of the parts of a blueprint or child: its components, and the values that differ from their defaults.

typedef struct view_parts {
    const context *context;
    const blueprint_part *parts;
    size_t count;
    const char *writer; // in which names of what writes the values end
} view_parts;

static value *part_value(const view_scope *scope, const view_parts *parts, size_t at)
{
    assert(at < parts->count);
    static const char *const commas[] = {",", ", "};
    const blueprint_part *part = &parts->parts[at];
    const component *component = part->component;
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "id", view_component_id(scope, parts->context, component));
    view_set_text(scope, map, "type", view_type_name(scope, component->name));
    view_set_text(scope, map, "component", name_to_snake_case(scope->arena, component->name));
    view_set_count(scope, map, "at", at);
    view_set_text(scope, map, "comma", commas[at + 1 < parts->count]);
    view_set_bool(scope, map, "has_value", component->fields.count > 0);
    view_set_bool(scope, map, "is_member", component->fields.count > 0 && !schema_is_origin(parts->context, component));
    view_set_bool(scope, map, "is_own", part->values != NULL);
    view_set_default_symbol(scope, map, view_context_name(scope, parts->context), component->name);
    return map;
}

// The values that differ from the defaults, as one struct with a member for each component.
static void set_own_values(const view_scope *scope, value *map, const view_parts *parts)
{
    value *list = value_list(scope->arena);
    bool has_own = false;
    for (size_t i = 0; i < parts->count; i++) {
        const blueprint_part *part = &parts->parts[i];
        const char *member = name_to_snake_case(scope->arena, part->component->name);
        has_own = has_own || part->values != NULL;
        for (size_t k = 0; part->values != NULL && k < part->component->fields.count; k++) {
            const field *field = &part->component->fields.fields[k];
            view_append_initializers(scope, list, arena_format(scope->arena, "%s.%s", member, field->name), field,
                                     part->values[k]);
        }
    }
    view_set_bool(scope, map, "has_own", has_own);
    view_set_initializers(scope, map, list);
}

// Sets `parts` with their values, `part_count`, `writer`, `has_values`, and whether callers can give some of them.
static void set_parts(const view_scope *scope, value *map, const view_parts *parts)
{
    value *list = value_list(scope->arena);
    bool has_values = false;
    bool has_members = false;
    for (size_t i = 0; i < parts->count; i++) {
        const component *component = parts->parts[i].component;
        value_append(list, part_value(scope, parts, i));
        has_values = has_values || component->fields.count > 0;
        has_members = has_members || (component->fields.count > 0 && !schema_is_origin(parts->context, component));
    }
    view_set_bool(scope, map, "has_values", has_values);
    view_set_bool(scope, map, "has_members", has_members);
    view_set_count(scope, map, "part_count", parts->count);
    view_set_text(scope, map, "writer", parts->writer);
    set_own_values(scope, map, parts);
    value_set(map, "parts", list);
}

// ---- children

// View of the children of blueprints: the distinct children, the entities that each blueprint spawns, and the structs
// in which these are returned.

// ---- the entities below a blueprint

typedef struct node_list {
    const view_scope *scope;
    value *list;
    size_t count;
} node_list;

// Appends the children, and what is below each, depth first. `parent` counts from 1; 0 is the entity of the blueprint.
// Recursive, at most SCHEMA_CHILD_DEPTH_LIMIT deep.
static void append_nodes(node_list *nodes, const child_list *children, size_t parent)
{
    for (size_t i = 0; i < children->count; i++) {
        value *map = value_append_map(nodes->scope->arena, nodes->list);
        view_set_count(nodes->scope, map, "child", children->children[i]->number);
        view_set_count(nodes->scope, map, "parent", parent);
        nodes->count++;
        append_nodes(nodes, &children->children[i]->children, nodes->count);
    }
}

// Sets `below`: the entities of the children, depth first.
static void set_nodes(const view_scope *scope, value *map, const blueprint *blueprint)
{
    node_list nodes = {.scope = scope, .list = value_list(scope->arena)};
    append_nodes(&nodes, &blueprint->children, 0);
    assert(nodes.count == blueprint->children.node_count);
    view_set_list(scope, map, "below", "has_below", "below_count", nodes.list);
    const char *spawn_many = "kin__spawn_many";
    if (nodes.count > 0)
        spawn_many = "kin__spawn_trees";
    view_set_text(scope, map, "spawn_many", spawn_many);
}

// ---- the distinct children

size_t view_blueprint_number(const view_scope *scope, const blueprint *blueprint)
{
    size_t number = 0;
    for (size_t i = 0; scope->package->blueprints[i] != blueprint; i++)
        number += scope->package->blueprints[i]->context == blueprint->context;
    return number;
}

size_t view_relation_number(const view_scope *scope, const relation *relation)
{
    size_t number = 0;
    for (const struct relation *each = scope->package->relations; each != relation; each++)
        number += each->context == relation->context;
    return number;
}

static value *child_value(const view_scope *scope, const blueprint_child *child)
{
    assert(child->tree != NULL && child->part_count > 0);
    value *map = value_map(scope->arena);
    view_parts parts = {
        child->context, child->parts, child->part_count,
        arena_format(scope->arena, "%s_child_%zu_", view_context_name(scope, child->context), child->number)};
    view_set_literal(scope, map, "name_text", child->path);
    if (child->of == NULL)
        view_set_text(scope, map, "of", "UINT32_MAX");
    else
        view_set_count(scope, map, "of", view_blueprint_number(scope, child->of));
    view_set_count(scope, map, "relation", view_relation_number(scope, child->tree));
    set_parts(scope, map, &parts);
    return map;
}

// Sets the distinct `children` of a context, whose parts follow those of the blueprints.
static void set_children(const view_scope *scope, value *map, const context *context, size_t first_part)
{
    value *list = value_list(scope->arena);
    size_t count = 0;
    for (size_t i = 0; i < scope->package->child_count; i++) {
        const blueprint_child *child = scope->package->children[i];
        if (child->context != context)
            continue;
        value *item = child_value(scope, child);
        assert(child->number == count);
        view_set_count(scope, item, "first_part", first_part);
        value_append(list, item);
        first_part += child->part_count;
        count++;
    }
    view_set_list(scope, map, "children", "has_children", "child_count", list);
}

// ---- the structs with the entities

static void append_line(const view_scope *scope, value *list, const char *line)
{
    value *map = value_append_map(scope->arena, list);
    view_set_text(scope, map, "line", line);
}

// A child that has the children of its blueprint is a struct of that; any other is written in place. Recursive, at most
// SCHEMA_CHILD_DEPTH_LIMIT deep.
static void append_members(const view_scope *scope, value *lines, const child_list *children, size_t depth)
{
    assert(depth <= SCHEMA_CHILD_DEPTH_LIMIT);
    int indent = (int)(4 * depth);
    for (size_t i = 0; i < children->count; i++) {
        const blueprint_child *child = children->children[i];
        const char *context = view_context_name(scope, child->context);
        const char *member = name_as_member(scope->arena, child->name);
        if (schema_is_whole(child)) {
            append_line(scope, lines,
                        arena_format(scope->arena, "%*s%s_%s_parts %s;", indent, "", context,
                                     name_to_snake_case(scope->arena, child->of->name), member));
            continue;
        }
        append_line(scope, lines, arena_format(scope->arena, "%*sstruct {", indent, ""));
        append_line(scope, lines, arena_format(scope->arena, "%*s%s_entity entity;", indent + 4, "", context));
        append_members(scope, lines, &child->children, depth + 1);
        append_line(scope, lines, arena_format(scope->arena, "%*s} %s;", indent, "", member));
    }
}

static value *part_struct_value(const view_scope *scope, const blueprint *blueprint)
{
    value *map = value_map(scope->arena);
    value *lines = value_list(scope->arena);
    append_members(scope, lines, &blueprint->children, 0);
    view_set_text(scope, map, "blueprint", name_to_snake_case(scope->arena, blueprint->name));
    view_set_text(scope, map, "blueprint_name", blueprint->name);
    view_set_bool(scope, map, "has_below", blueprint->children.count > 0);
    value_set(map, "lines", lines);
    return map;
}

// Sets `part_structs`, in the order in which the children were read: a struct comes after those of its members.
static void set_part_structs(const view_scope *scope, value *map, const context *context)
{
    const package *package = scope->package;
    value *list = value_list(scope->arena);
    const blueprint **ordered = arena_allocate(scope->arena, (package->blueprint_count + 1) * sizeof *ordered);
    for (size_t i = 0; i < package->blueprint_count; i++)
        ordered[package->blueprints[i]->order] = package->blueprints[i];
    assert(package->blueprint_count == 0 || ordered[package->blueprint_count - 1] != NULL); // each order is taken once
    for (size_t i = 0; i < package->blueprint_count; i++)
        if (ordered[i]->context == context && schema_has_parts(ordered[i]))
            value_append(list, part_struct_value(scope, ordered[i]));
    value_set(map, "part_structs", list);
}

// ---- blueprints

// View of the blueprints of a context.

// Sets whether the values are plain, what those of its own components own, and whether the library makes some commands
// that spawn it: those with values, which it can copy, and those with children.
static void set_owned(const view_scope *scope, value *map, const blueprint *blueprint)
{
    bool is_plain = blueprint->children.count == 0;
    bool has_strings = false;
    bool has_drops = false;
    bool has_lists = false;
    for (size_t i = 0; i < blueprint->part_count; i++) {
        is_plain = is_plain && view_is_plain(blueprint->parts[i].component);
        has_strings = has_strings || blueprint->parts[i].component->has_strings;
        has_drops = has_drops || blueprint->parts[i].component->has_drops;
        has_lists = has_lists || blueprint->parts[i].component->has_lists;
    }
    view_set_bool(scope, map, "is_plain", is_plain);
    view_set_bool(scope, map, "has_strings", has_strings);
    view_set_bool(scope, map, "has_drops", has_drops);
    view_set_bool(scope, map, "has_lists", has_lists);
    bool is_copied = schema_has_values(blueprint) && !has_drops;
    view_set_bool(scope, map, "is_library_spawned", is_copied || blueprint->children.count > 0);
}

// `slots` of the table: the fields whose values are entities that are spawned with them.
static void set_slots(const view_scope *scope, value *map, const blueprint *blueprint)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < blueprint->slot_count; i++) {
        const blueprint_slot *slot = &blueprint->slots[i];
        value *item = value_append_map(scope->arena, list);
        view_set_count(scope, item, "holder", slot->holder);
        view_set_text(scope, item, "id", view_component_id(scope, blueprint->context, slot->component));
        view_set_text(scope, item, "type", view_type_name(scope, slot->component->name));
        view_set_text(scope, item, "path", slot->path);
        view_set_count(scope, item, "part", slot->part);
    }
    view_set_list(scope, map, "slots", "has_slots", "slot_count", list);
}

// `knobs` of the table, and 1 + the number of the blueprint that it extends, in a context with content.
static void set_content(const view_scope *scope, value *map, const blueprint *blueprint)
{
    value *list = value_list(scope->arena);
    bool has_content = blueprint->context->has_content;
    for (size_t i = 0; has_content && i < blueprint->knob_count; i++) {
        const knob *knob = &blueprint->knobs[i];
        value *item = value_append_map(scope->arena, list);
        value *paths = value_list(scope->arena);
        view_set_literal(scope, item, "name_text", knob->name);
        for (size_t k = 0; k < knob->path_count; k++) {
            value *path = value_append_map(scope->arena, paths);
            view_set_literal(scope, path, "path", knob->paths[k]);
            view_set_text(scope, path, "comma", text_if(k + 1 < knob->path_count, ", "));
        }
        view_set_list(scope, item, "paths", "has_paths", "path_count", paths);
    }
    view_set_list(scope, map, "knobs", "has_knobs", "knob_count", list);
    view_set_bool(scope, map, "extends", has_content && blueprint->base != NULL);
    if (has_content && blueprint->base != NULL)
        view_set_count(scope, map, "base", 1 + view_blueprint_number(scope, blueprint->base));
}

static value *blueprint_value(const view_scope *scope, const blueprint *blueprint, size_t number)
{
    assert(blueprint->part_count > 0);
    const char *name = name_to_snake_case(scope->arena, blueprint->name);
    const char *context = view_context_name(scope, blueprint->context);
    view_parts parts = {blueprint->context, blueprint->parts, blueprint->part_count,
                        arena_format(scope->arena, "%s_spawn_%s", context, name)};
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "blueprint", name);
    view_set_text(scope, map, "blueprint_name", blueprint->name);
    view_set_literal(scope, map, "name_text", blueprint->name);
    view_set_doc(scope, map, blueprint->doc, NULL);
    view_set_count(scope, map, "number", number);
    set_owned(scope, map, blueprint);
    set_parts(scope, map, &parts);
    return map;
}

void view_set_spawn(const view_scope *scope, value *map, const blueprint *blueprint)
{
    set_owned(scope, map, blueprint);
    set_parts(scope, map, &(view_parts){blueprint->context, blueprint->parts, blueprint->part_count, ""});
    view_set_bool(scope, map, "has_below", blueprint->children.count > 0);
}

void view_set_blueprints(const view_scope *scope, value *map, const context *context)
{
    value *list = value_list(scope->arena);
    size_t count = 0;
    size_t part_count = 0;
    size_t node_count = 0;
    for (size_t i = 0; i < scope->package->blueprint_count; i++) {
        const blueprint *blueprint = scope->package->blueprints[i];
        if (blueprint->context != context)
            continue;
        value *item = blueprint_value(scope, blueprint, count++);
        view_set_count(scope, item, "first_part", part_count);
        view_set_count(scope, item, "first_node", node_count);
        set_nodes(scope, item, blueprint);
        set_slots(scope, item, blueprint);
        set_content(scope, item, blueprint);
        value_append(list, item);
        part_count += blueprint->part_count;
        node_count += blueprint->children.node_count;
    }
    view_set_list(scope, map, "blueprints", "has_blueprints", "blueprint_count", list);
    set_children(scope, map, context, part_count);
    set_part_structs(scope, map, context);
}
