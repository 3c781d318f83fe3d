#include "notify/internal.h"

#include <kin/event.h>

#include <string.h>

// ---- subscribers of entities that are destroyed

static bool leaving_append(kin_context *context, kin__leaving *leaving, const kin__leaving_subscriber *subscriber)
{
    kin__memory *memory = &context->core->snapshot_memory;
    kin__array array = {leaving->subscribers, leaving->capacity};
    if (!kin__array_reserve(memory, &array, leaving->count + 1, sizeof *subscriber))
        return false;
    leaving->subscribers = array.elements;
    leaving->capacity = array.capacity;
    leaving->subscribers[leaving->count++] = *subscriber;
    return true;
}

static bool leaving_add_entity(kin_context *context, kin__leaving *leaving, kin_entity entity)
{
    const kin__subscriber_list *list = kin__subscribers_of(context, kin_entity_slot(entity));
    for (const kin__subscriber *each = list->first; each != NULL; each = each->next) {
        kin__leaving_subscriber subscriber = {entity, each->events, each->listener, each->user};
        if (each->serial != 0 && !leaving_append(context, leaving, &subscriber))
            return false;
    }
    return true;
}

bool kin__leaving_add(kin_context *context, kin__leaving *leaving, uint32_t chunk, const kin_entity *ids,
                      const uint64_t *alive)
{
    const kin__chunk *at = context->chunks[chunk];
    if (at->subscriber_lists == NULL)
        return true;
    EACH_OF_ROW(place, at->alive, KIN__CHUNK_WORDS)
    {
        bool stays = ids != NULL && kin__bits_have(alive, place) && ids[place] == at->ids[place];
        if (!stays && !leaving_add_entity(context, leaving, at->ids[place]))
            return false;
    }
    return true;
}

void kin__leaving_release(kin_context *context, kin__leaving *leaving)
{
    kin__array array = {leaving->subscribers, leaving->capacity};
    kin__array_release(&context->core->snapshot_memory, &array, sizeof *leaving->subscribers);
    *leaving = (kin__leaving){0};
}

// Calls the remembered subscribers of the change's entity.
static void call_leaving(kin__frame *frame, kin__leaving *leaving, uint32_t event)
{
    frame->change.group = NULL;
    while (leaving->next < leaving->count &&
           kin_entity_slot(leaving->subscribers[leaving->next].entity) < kin_entity_slot(frame->change.entity))
        leaving->next++;
    for (uint32_t i = leaving->next; i < leaving->count; i++) {
        const kin__leaving_subscriber *each = &leaving->subscribers[i];
        if (each->entity != frame->change.entity)
            return;
        if ((each->events & event) != 0)
            each->listener(&frame->change, each->user);
    }
}

// ---- calling

// Whether the subscriber may be called: it is not a trigger whose collector must not collect the entity.
static bool is_notified(const kin__frame *frame, const kin__subscriber *subscriber)
{
    const kin__source *source = kin__source_of_trigger(subscriber);
    return source == NULL || (!frame->destroys && kin__source_is_notified(source));
}

// As kin__notify_subscribers.
static void call(kin__frame *frame, const kin__subscriber_list *subscribers, kin_group *group, uint32_t event)
{
    frame->change.group = group;
    if ((subscribers->events & event) == 0)
        return;
    for (const kin__subscriber *each = subscribers->first; each != NULL; each = each->next) {
        if (each->serial == 0 || each->serial > frame->serial || (each->events & event) == 0)
            continue;
        if (!kin__frame_is_current(frame))
            return;
        if (is_notified(frame, each))
            each->listener(&frame->change, each->user);
    }
}

static void call_replaced(kin__frame *frame, kin_group *group)
{
    const void *previous = frame->change.previous;
    const void *value = frame->change.value;
    for (uint32_t events = group->subscribers.events & KIN__EVENTS_OF_GROUPS; events != 0; events &= events - 1) {
        uint32_t event = events & (0 - events);
        frame->change.previous = event == KIN__EVENT_ADDED ? NULL : previous;
        frame->change.value = event == KIN__EVENT_REMOVED ? NULL : value;
        call(frame, &group->subscribers, group, event);
    }
    frame->change.previous = previous;
    frame->change.value = value;
}

// ---- groups

static bool matches(const kin_context *context, const kin_group *group, const uint64_t *row)
{
    return row != NULL && kin__matcher_holds(&group->matcher, row, context->row_words);
}

static bool has(const uint64_t *row, kin_component_id id)
{
    return row != NULL && kin__bits_have(row, id);
}

static bool names(const kin_group *group, kin_component_id id)
{
    for (uint32_t i = 0; group->named != NULL && i < group->named_count; i++)
        if (group->named[i] == id)
            return true;
    return group->named == NULL;
}

// Returns the first component that was added or removed and that the group names; the number of components if there is
// none.
static kin_component_id first_named(const kin_context *context, const kin_group *group, const kin__shown *shown)
{
    for (uint32_t word = 0; word < context->row_words; word++) {
        uint64_t before = shown->before == NULL ? 0 : shown->before[word];
        uint64_t after = shown->after == NULL ? 0 : shown->after[word];
        for (uint64_t bits = before ^ after; bits != 0; bits &= bits - 1) {
            kin_component_id id = (kin_component_id)(word * 64 + kin__lowest_bit(bits));
            if (names(group, id))
                return id;
        }
    }
    return (kin_component_id)context->info->component_count;
}

static void notify_group(kin__frame *frame, kin_group *group, const kin__shown *shown)
{
    const kin_context *context = frame->change.context;
    kin_component_id id = frame->change.component;
    bool matched_before = matches(context, group, shown->before);
    bool matches_now = matches(context, group, shown->after);
    if (matched_before && matches_now) {
        if (id < context->info->component_count && has(shown->before, id) && has(shown->after, id))
            call_replaced(frame, group);
        return;
    }
    if (matched_before == matches_now || first_named(context, group, shown) != id)
        return;
    if (matches_now)
        call(frame, &group->subscribers, group, KIN__EVENT_ADDED | KIN__EVENT_ENTERED);
    else if (has(shown->after, id))
        call(frame, &group->subscribers, group, KIN__EVENT_REMOVED);
    else
        call(frame, &group->subscribers, group, KIN__EVENT_REMOVED | KIN__EVENT_LOST);
}

static void notify_groups(kin__frame *frame, const kin__shown *shown)
{
    kin__walk walk = kin__walk_begin(frame->change.context, frame->change.component);
    for (kin_group *group = kin__walk_group(&walk); group != NULL;
         kin__walk_next(&walk, group), group = kin__walk_group(&walk))
        notify_group(frame, group, shown);
}

// ---- differences

static kin__frame frame_of(kin_context *context, const kin__shown *shown, uint32_t id)
{
    kin__frame frame = {.change = {.context = context, .entity = shown->entity, .component = (kin_component_id)id},
                        .destroys = shown->after == NULL};
    return frame;
}

static void call_change_subscribers(kin__frame *frame, const kin__shown *shown, uint32_t event, uint16_t name)
{
    const kin_context *context = frame->change.context;
    const kin__subscriber_list *of_entity = NULL;
    if (shown->after == NULL)
        call_leaving(frame, shown->leaving, event);
    else
        of_entity = kin__subscribers_of(context, kin_entity_slot(shown->entity));
    if (of_entity != NULL)
        call(frame, of_entity, NULL, event);
    frame->change.event = name;
    call(frame, &context->core->events.subscribers, NULL, KIN__EVENT_COMPONENT_CHANGED);
}

void kin__notify_difference(kin_context *context, const kin__shown *shown, kin_component_id id, const void *previous,
                            const void *value)
{
    kin__frame frame = frame_of(context, shown, id);
    frame.change.previous = previous;
    frame.change.value = value;
    kin__frame_enter(context, &frame);
    notify_groups(&frame, shown);
    if (!has(shown->after, id))
        call_change_subscribers(&frame, shown, KIN__EVENT_COMPONENT_REMOVED, KIN_COMPONENT_REMOVED);
    else if (has(shown->before, id))
        call_change_subscribers(&frame, shown, KIN__EVENT_COMPONENT_REPLACED, KIN_COMPONENT_REPLACED);
    else
        call_change_subscribers(&frame, shown, KIN__EVENT_COMPONENT_ADDED, KIN_COMPONENT_ADDED);
    kin__frame_leave(context);
}

void kin__notify_came(kin_context *context, const kin__shown *shown)
{
    kin__frame frame = frame_of(context, shown, context->info->component_count);
    kin__frame_enter(context, &frame);
    notify_groups(&frame, shown);
    call(&frame, &context->core->events.subscribers, NULL, KIN__EVENT_CREATED);
    kin__frame_leave(context);
}

void kin__notify_went(kin_context *context, const kin__shown *shown)
{
    kin__frame frame = frame_of(context, shown, context->info->component_count);
    kin__frame_enter(context, &frame);
    notify_groups(&frame, shown);
    call_leaving(&frame, shown->leaving, KIN__EVENT_DESTROYED);
    call(&frame, &context->core->events.subscribers, NULL, KIN__EVENT_WAS_DESTROYED);
    call_leaving(&frame, shown->leaving, KIN__EVENT_RELEASED);
    kin__frame_leave(context);
}
