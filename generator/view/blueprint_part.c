// View of the parts of a blueprint or child: its components, and the values that differ from their defaults.
#include "view/private/parts.h"

#include "generator/schema/schema.h"

static value *part_value(const view_scope *scope, const view_parts *parts, size_t at)
{
    const blueprint_part *part = &parts->parts[at];
    const component *component = part->component;
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "id", view_component_id(scope, parts->context, component));
    view_set_text(scope, map, "type", view_type_name(scope, component->name));
    view_set_text(scope, map, "component", name_to_snake_case(scope->arena, component->name));
    view_set_count(scope, map, "at", at);
    view_set_text(scope, map, "comma", at + 1 < parts->count ? ", " : ",");
    view_set_bool(scope, map, "has_value", component->fields.count > 0);
    view_set_bool(scope, map, "is_own", part->values != NULL);
    view_set_default_symbol(scope, map, view_context_name(scope, parts->context), component->name);
    return map;
}

// Returns the first component with fields, or NULL.
static const component *find_value(const view_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->parts[i].component->fields.count > 0)
            return parts->parts[i].component;
    return NULL;
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

void view_set_parts(const view_scope *scope, value *map, const view_parts *parts)
{
    value *list = value_list(scope->arena);
    const component *first = find_value(parts);
    for (size_t i = 0; i < parts->count; i++)
        value_append(list, part_value(scope, parts, i));
    view_set_bool(scope, map, "has_values", first != NULL);
    view_set_text(scope, map, "first_component", first == NULL ? NULL : name_to_snake_case(scope->arena, first->name));
    view_set_count(scope, map, "part_count", parts->count);
    view_set_text(scope, map, "writer", parts->writer);
    set_own_values(scope, map, parts);
    value_set(map, "parts", list);
}
