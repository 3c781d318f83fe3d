// View of a blueprint: its parts, and the values that differ from their components' defaults.
#include "view/private/parts.h"

#include "model/names.h"

#include <string.h>

static value *part_value(const view_scope *scope, const blueprint *blueprint, const blueprint_part *part, size_t at)
{
    const component *component = part->component;
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "id", view_component_id(scope, blueprint->context, component));
    view_set_text(scope, map, "type", view_type_name(scope, component->name));
    view_set_text(scope, map, "component", name_to_snake_case(scope->arena, component->name));
    view_set_count(scope, map, "at", at);
    view_set_text(scope, map, "comma", at + 1 < blueprint->part_count ? ", " : ",");
    view_set_bool(scope, map, "has_value", component->fields.count > 0);
    view_set_bool(scope, map, "is_own", part->values != NULL);
    view_set_default_symbol(scope, map, view_context_name(scope, blueprint->context), component->name);
    return map;
}

static bool is_plain(const blueprint *blueprint)
{
    for (size_t i = 0; i < blueprint->part_count; i++)
        if (!view_is_plain(blueprint->parts[i].component))
            return false;
    return true;
}

// Returns the first component with fields, or NULL.
static const component *find_value(const blueprint *blueprint)
{
    for (size_t i = 0; i < blueprint->part_count; i++)
        if (blueprint->parts[i].component->fields.count > 0)
            return blueprint->parts[i].component;
    return NULL;
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

// The values that differ from the defaults, as one struct with a member for each component.
static void set_own_values(const view_scope *scope, value *map, const blueprint *blueprint)
{
    value *list = value_list(scope->arena);
    bool has_own = false;
    for (size_t i = 0; i < blueprint->part_count; i++) {
        const blueprint_part *part = &blueprint->parts[i];
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

static value *blueprint_value(const view_scope *scope, const blueprint *blueprint, size_t number)
{
    value *map = value_map(scope->arena), *parts = value_list(scope->arena);
    const component *first = find_value(blueprint);
    for (size_t i = 0; i < blueprint->part_count; i++)
        value_append(parts, part_value(scope, blueprint, &blueprint->parts[i], i));
    view_set_text(scope, map, "blueprint", name_to_snake_case(scope->arena, blueprint->name));
    view_set_text(scope, map, "blueprint_name", blueprint->name);
    view_set_text(scope, map, "name_text", view_literal(scope->arena, blueprint->name, strlen(blueprint->name)));
    view_set_doc(scope, map, blueprint->doc, NULL);
    view_set_count(scope, map, "number", number);
    view_set_bool(scope, map, "has_values", first != NULL);
    view_set_text(scope, map, "first_component", first == NULL ? NULL : name_to_snake_case(scope->arena, first->name));
    view_set_bool(scope, map, "is_plain", is_plain(blueprint));
    view_set_count(scope, map, "part_count", blueprint->part_count);
    set_owned(scope, map, blueprint);
    set_own_values(scope, map, blueprint);
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
