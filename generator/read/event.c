// Reads the `events` of a component.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <string.h>

static bool read_target(reader *reader, const tree_node *item, const char *what, component_event *event)
{
    const tree_node *node = tree_find(item, "target");
    if (node != NULL) {
        int target = reader_read_word(reader, node, language_find(&language_event, "target"), what);
        event->target = (event_target)target;
        return target >= 0;
    }
    if (!reader_is_misspelled(item, &language_event, "target")) {
        diagnostic_error(reader->diagnostics, CODE_EVENT_TARGET, item->span, "%s has no 'target'", what);
        diagnostic_hint(reader->diagnostics, "add 'target: any' or 'target: self'");
    }
    return false;
}

static bool read_event_type(reader *reader, const tree_node *item, const char *what, component_event *event)
{
    const tree_node *node = tree_find(item, "type");
    if (node == NULL)
        return !reader_is_misspelled(item, &language_event, "type");
    int type = reader_read_word(reader, node, language_find(&language_event, "type"), what);
    event->type = (event_type)type;
    return type >= 0;
}

static const component_event *find_event(const component *component, const component_event *wanted)
{
    for (size_t i = 0; i < component->event_count; i++)
        if (component->events[i].target == wanted->target && component->events[i].type == wanted->type)
            return &component->events[i];
    return NULL;
}

// Returns whether the event is valid and its generated names do not collide with an earlier event's.
static bool read_event(reader *reader, const tree_node *item, const component *component, component_event *event)
{
    const char *what = arena_format(reader->arena, "an event of component '%s'", component->name);
    if (!reader_expect_mapping(reader, item, what)) {
        if (item->kind == TREE_SCALAR)
            diagnostic_hint(reader->diagnostics, "write { target: any } or { target: self }");
        return false;
    }
    event->span = item->span;
    reader_read_keys(reader, item, &language_event, what, event);
    bool has_target = read_target(reader, item, what, event);
    bool has_type = read_event_type(reader, item, what, event);
    const component_event *earlier = has_target && has_type ? find_event(component, event) : NULL;
    if (earlier != NULL) {
        diagnostic_error(reader->diagnostics, CODE_DUPLICATE_EVENT, event->span,
                         "component '%s' has two events with this target and type", component->name);
        diagnostic_note(reader->diagnostics, earlier->span, "first declared here");
    }
    return has_target && has_type && earlier == NULL;
}

void read_events(reader *reader, const tree_node *node, const char *what, component *component)
{
    if (!reader_expect_items(reader, node, arena_format(reader->arena, "'events' of %s", what))) {
        if (node->kind == TREE_SCALAR || node->kind == TREE_MAPPING)
            diagnostic_hint(reader->diagnostics, "write a list, such as [{ target: any }]");
        return;
    }
    component_event *events = arena_allocate(reader->arena, node->count * sizeof *events);
    component->events = events;
    for (const tree_node *item = node->items; item != NULL; item = item->next) {
        component_event event = {.target = TARGET_ANY, .type = EVENT_ADDED};
        if (read_event(reader, item, component, &event))
            events[component->event_count++] = event;
    }
}
