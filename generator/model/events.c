#include "model/events.h"

#include "model/names.h"

#include <stdlib.h>

const char *schema_event_name(arena *arena, const component *component, const component_event *event)
{
    const char *name = name_to_snake_case(arena, component->name);
    return arena_format(arena, "%s%s%s", event->target == TARGET_ANY ? "any_" : "", name,
                        event->type == EVENT_REMOVED ? "_removed" : "");
}

static int compare(const void *a, const void *b)
{
    const placed_event *left = a, *right = b;
    if (left->event->priority != right->event->priority)
        return left->event->priority < right->event->priority ? -1 : 1;
    return left->place < right->place ? -1 : 1;
}

placed_events schema_events_of(arena *arena, const context *context)
{
    placed_events list = {.count = 0};
    size_t capacity = 0;
    for (size_t i = 0; i < context->component_count; i++)
        capacity += context->components[i]->event_count;
    list.events = arena_allocate(arena, (capacity + 1) * sizeof *list.events);
    for (size_t i = 0; i < context->component_count; i++)
        for (size_t k = 0; k < context->components[i]->event_count; k++, list.count++)
            list.events[list.count] =
                (placed_event){context->components[i], &context->components[i]->events[k], list.count};
    qsort(list.events, list.count, sizeof *list.events, compare);
    return list;
}
