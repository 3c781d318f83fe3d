// The view of a blueprint: its parts, and the values that differ from the defaults of their components.
#include "view/private/parts.h"

#include "model/names.h"

#include <string.h>

static value *part_value(const view_scope *scope, const blueprint *blueprint, const blueprint_part *part, size_t at)
{
    const component *component = part->component;
    value *map = value_map(scope->arena), *assignments = value_list(scope->arena);
    view_set_text(scope, map, "id", view_component_id(scope, blueprint->context, component));
    view_set_text(scope, map, "type", view_type_name(scope, component->name));
    view_set_text(scope, map, "component", name_to_snake_case(scope->arena, component->name));
    view_set_count(scope, map, "at", at);
    view_set_text(scope, map, "comma", at + 1 < blueprint->part_count ? ", " : ",");
    view_set_bool(scope, map, "has_value", component->fields.count > 0);
    view_set_bool(scope, map, "is_default", part->values == NULL);
    for (size_t i = 0; part->values != NULL && i < component->fields.count; i++)
        view_append_assignments(scope, assignments, &component->fields.fields[i], part->values[i]);
    value_set(map, "assignments", assignments);
    return map;
}

static bool is_plain(const blueprint *blueprint)
{
    for (size_t i = 0; i < blueprint->part_count; i++)
        if (!view_is_plain(blueprint->parts[i].component))
            return false;
    return true;
}

static bool has_values(const blueprint *blueprint)
{
    for (size_t i = 0; i < blueprint->part_count; i++)
        if (blueprint->parts[i].component->fields.count > 0)
            return true;
    return false;
}

static value *blueprint_value(const view_scope *scope, const blueprint *blueprint, size_t number)
{
    value *map = value_map(scope->arena), *parts = value_list(scope->arena);
    for (size_t i = 0; i < blueprint->part_count; i++)
        value_append(parts, part_value(scope, blueprint, &blueprint->parts[i], i));
    view_set_text(scope, map, "blueprint", name_to_snake_case(scope->arena, blueprint->name));
    view_set_text(scope, map, "blueprint_name", blueprint->name);
    view_set_text(scope, map, "name_text", view_literal(scope->arena, blueprint->name, strlen(blueprint->name)));
    view_set_doc(scope, map, blueprint->doc, NULL);
    view_set_count(scope, map, "number", number);
    view_set_bool(scope, map, "has_values", has_values(blueprint));
    view_set_bool(scope, map, "is_plain", is_plain(blueprint));
    view_set_count(scope, map, "part_count", blueprint->part_count);
    value_set(map, "parts", parts);
    return map;
}

void view_set_blueprints(const view_scope *scope, value *map, const context *context)
{
    value *list = value_list(scope->arena);
    size_t count = 0, part_count = 0;
    for (size_t i = 0; i < scope->package->blueprint_count; i++) {
        const blueprint *blueprint = scope->package->blueprints[i];
        if (blueprint->context != context)
            continue;
        value *item = blueprint_value(scope, blueprint, count++);
        view_set_count(scope, item, "first_part", part_count);
        value_append(list, item);
        part_count += blueprint->part_count;
    }
    value_set(map, "blueprints", list);
    view_set_bool(scope, map, "has_blueprints", count > 0);
    view_set_count(scope, map, "blueprint_count", count);
}
