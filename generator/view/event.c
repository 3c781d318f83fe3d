// View of generated events: their listeners and the functions that attach them to entities, in the order in which a
// context's event systems call them.
#include "generator/schema/schema.h"
#include "view/private/parts.h"

#include <stdlib.h>
#include <string.h>

static const char *priority_literal(const view_scope *scope, int32_t priority)
{
    uint64_t magnitude = (uint64_t)llabs((long long)priority);
    integer integer = {.is_negative = priority < 0, .magnitude = magnitude};
    return integer_literal(scope->arena, integer, TYPE_INT32);
}

static value *event_value(const view_scope *scope, const context *context, const placed_event *placed)
{
    const component *component = placed->component;
    const char *name = schema_event_name(scope->arena, component, placed->event);
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "event", name);
    view_set_text(scope, map, "name_text", view_literal(scope->arena, name, strlen(name)));
    view_set_text(scope, map, "type", view_type_name(scope, component->name));
    view_set_text(scope, map, "id", view_component_id(scope, context, component));
    view_set_bool(scope, map, "is_flag", component->fields.count == 0);
    view_set_bool(scope, map, "is_any", placed->event->target == TARGET_ANY);
    view_set_bool(scope, map, "is_removed", placed->event->type == EVENT_REMOVED);
    view_set_text(scope, map, "priority", priority_literal(scope, placed->event->priority));
    return map;
}

void view_set_events(const view_scope *scope, value *map, const context *context)
{
    placed_events sorted = schema_events_of(scope->arena, context);
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < sorted.count; i++) {
        value *event = event_value(scope, context, &sorted.events[i]);
        view_set_count(scope, event, "number", i);
        value_append(list, event);
    }
    value_set(map, "events", list);
    view_set_bool(scope, map, "has_events", sorted.count > 0);
    view_set_count(scope, map, "event_count", sorted.count);
}
