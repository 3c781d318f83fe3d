// Events of a context: their names and delivery order.
#ifndef KIN_GENERATOR_MODEL_EVENTS_H
#define KIN_GENERATOR_MODEL_EVENTS_H

#include "model/schema.h"

// Returns the part of listener names for the event: "any_score", "score_removed".
const char *schema_event_name(arena *arena, const component *component, const component_event *event);

// An event of a context.
typedef struct placed_event {
    const component *component;
    const component_event *event;
    size_t place; // by component name, then in the order of the file
} placed_event;

typedef struct placed_events {
    placed_event *events;
    size_t count;
} placed_events;

// Returns the events in delivery order: by priority, then component name, then order of the file.
placed_events schema_events_of(arena *arena, const context *context);

#endif
