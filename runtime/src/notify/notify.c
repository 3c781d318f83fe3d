#include "notify/notify.h"

#include <kin/event.h>

#include <string.h>

// Calls the subscribers of the change's entity.
static void notify_entity_subscribers(kin__frame *frame, uint32_t event)
{
    const kin__subscriber_list *subscribers =
        kin__subscribers_of(frame->change.context, kin_entity_slot(frame->change.entity));
    if (subscribers != NULL)
        kin__notify_subscribers(frame, subscribers, NULL, event);
}

static uint16_t event_of(uint32_t event)
{
    KIN_ASSERT((event & KIN__EVENTS_OF_CHANGES) != 0);
    if (event == KIN__EVENT_COMPONENT_ADDED)
        return KIN_COMPONENT_ADDED;
    return event == KIN__EVENT_COMPONENT_REMOVED ? KIN_COMPONENT_REMOVED : KIN_COMPONENT_REPLACED;
}

void kin__notify_change_subscribers(kin__frame *frame, uint32_t event)
{
    const kin__events *events = &frame->change.context->core->events;
    notify_entity_subscribers(frame, event);
    if (events->any_change_subscribers == 0)
        return;
    frame->change.event = event_of(event);
    kin__notify_subscribers(frame, &events->subscribers, NULL, KIN__EVENT_COMPONENT_CHANGED);
    frame->change.event = 0;
}

bool kin__frame_matches(const kin__frame *frame, const kin_group *group, const uint64_t *row)
{
    return kin__matcher_holds(&group->matcher, row, frame->change.context->row_words);
}

bool kin__frame_crosses(const kin__frame *frame, const kin_group *group, uint64_t *row)
{
    uint64_t *word = &row[frame->change.component / 64];
    uint64_t bit = kin__bit_of(frame->change.component);
    bool matches_now = kin__frame_matches(frame, group, row);
    *word ^= bit;
    bool matched_before = kin__frame_matches(frame, group, row);
    *word ^= bit;
    return matches_now != matched_before;
}

static uint64_t *row_of(const kin__frame *frame)
{
    return kin__row_of(frame->change.context, kin_entity_slot(frame->change.entity));
}

// Copies the entity's row to that of the frame.
static uint64_t *copy_row(const kin__frame *frame)
{
    const kin_context *context = frame->change.context;
    return memcpy(kin__frame_row(context), row_of(frame), context->row_words * sizeof(uint64_t));
}

void kin__notify_crossed_groups_wide(kin__frame *frame, bool added)
{
    kin__notify_crossed_groups(frame, added, copy_row(frame), frame->change.context->row_words);
}

void kin__notify_member_groups_wide(kin__frame *frame)
{
    kin__replaced_values values = {frame->change.previous, frame->change.value};
    kin__notify_member_groups(frame, values, copy_row(frame), frame->change.context->row_words);
}

void kin__notify_added(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__frame frame = {.change = {context, NULL, entity, id, 0, NULL, value}};
    KIN_ASSERT(kin_has(context, entity, id));
    kin__notify_toggled(&frame, row_of(&frame), true);
}

void kin__notify_removed(kin_context *context, kin_entity entity, kin_component_id id, const void *previous)
{
    kin__frame frame = {.change = {context, NULL, entity, id, 0, previous, NULL}};
    KIN_ASSERT(!kin_has(context, entity, id));
    // The list of frames shows that this loss is still being notified, and its last value in use.
    frame.outer = context->core->dispatch.frames;
    context->core->dispatch.frames = &frame;
    kin__notify_toggled(&frame, row_of(&frame), false);
    KIN_ASSERT(context->core->dispatch.frames == &frame);
    context->core->dispatch.frames = frame.outer;
}

void kin__notify_replaced(kin_context *context, kin_entity entity, kin_component_id id, const void *previous,
                          const void *value)
{
    kin__frame frame = {.change = {context, NULL, entity, id, 0, previous, value}};
    kin__replaced_values values = {frame.change.previous, frame.change.value};
    kin__notify_replacement(&frame, values, row_of(&frame));
}

// Notifies that an entity is created, destroyed or released, and that a group is created. Each event counts as a change
// of its own: a subscriber that began before the event is called, even if it began within the same operation.

// Calls the subscribers of the entity or the context, those included that began since the frame was entered.
static void notify_new_event(kin__frame *frame, uint32_t event)
{
    frame->serial = frame->change.context->core->dispatch.serial;
    if ((event & KIN__EVENTS_OF_ENTITIES) != 0)
        notify_entity_subscribers(frame, event);
    else
        kin__notify_subscribers(frame, &frame->change.context->core->events.subscribers, NULL, event);
}

static kin_component_id no_component(const kin_context *context)
{
    return (kin_component_id)context->info->component_count;
}

static bool matches(const kin__frame *frame, const kin_group *group, const uint64_t *row)
{
    return kin__matcher_holds(&group->matcher, row, frame->change.context->row_words);
}

void kin__notify_created(kin_context *context, kin_entity entity)
{
    kin__frame frame = {.change = {context, NULL, entity, no_component(context), 0, NULL, NULL}};
    if (context->core->notes_lives)
        kin__note_created(context, entity);
    kin__frame_push(context, &frame);
    kin__walk walk = kin__walk_begin(context, frame.change.component);
    for (kin_group *group = kin__walk_group(&walk); group != NULL;
         kin__walk_next(&walk, group), group = kin__walk_group(&walk))
        kin__notify_subscribers(&frame, &group->subscribers, group, KIN__EVENT_ADDED | KIN__EVENT_ENTERED);
    notify_new_event(&frame, KIN__EVENT_CREATED);
    kin__frame_pop(context, &frame);
}

// Calls the groups that the entity leaves with the loss of the frame's component. A group is called once: at the first
// component without which its matcher does not match. A group that was created after the destruction began is skipped:
// it never contained the entity.
static void notify_groups_of_loss(kin__frame *frame, uint64_t began)
{
    kin_context *context = frame->change.context;
    const uint64_t *before = kin__frame_row(context);
    uint64_t *row = kin__frame_row(context) + context->row_words;
    kin_component_id id = frame->change.component;
    bool alive = id < context->info->component_count;
    KIN_ASSERT(frame->destroys && frame->lost == before);
    frame->serial = context->core->dispatch.serial;
    kin__walk walk = kin__walk_begin(context, id);
    for (kin_group *group = kin__walk_group(&walk); group != NULL;
         kin__walk_next(&walk, group), group = kin__walk_group(&walk)) {
        if (group->serial > began || !matches(frame, group, before) || !matches(frame, group, row))
            continue;
        uint64_t *word = &row[id / 64];
        uint64_t bit = kin__bit_of(id);
        if (alive)
            *word &= ~bit;
        bool matches_still = alive && matches(frame, group, row);
        if (alive)
            *word |= bit;
        if (!matches_still)
            kin__notify_subscribers(frame, &group->subscribers, group, KIN__EVENT_REMOVED | KIN__EVENT_LOST);
    }
}

// Notifies the events that follow the loss of the components. The slot is not free yet.
static void notify_end(kin__frame *frame)
{
    kin_context *context = frame->change.context;
    uint32_t slot = kin_entity_slot(frame->change.entity);
    notify_new_event(frame, KIN__EVENT_DESTROYED);
    kin__subscribers_end(context, slot, KIN__EVENT_RELEASED);
    notify_new_event(frame, KIN__EVENT_WAS_DESTROYED);
    KIN_ASSERT(kin__chunk_of(context, frame->change.entity) == NULL);
    if (kin__is_held(context, slot))
        return;
    notify_new_event(frame, KIN__EVENT_RELEASED);
    kin__subscribers_end(context, slot, 0);
}

void kin__notify_destroyed(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    kin__frame frame = {.change = {.context = context, .entity = entity}, .destroys = true};
    kin__frame_push(context, &frame);
    uint64_t began = context->core->dispatch.serial;
    KIN_ASSERT(kin__chunk_of(context, entity) == NULL);
    uint64_t *before = kin__frame_row(context);
    uint64_t *row = before + context->row_words;
    memcpy(row, before, context->row_words * sizeof(uint64_t));
    frame.lost = before;
    for (uint32_t word = 0; word < context->row_words; word++)
        for (; row[word] != 0; row[word] &= row[word] - 1) {
            frame.change.component = (kin_component_id)(word * 64 + kin__lowest_bit(row[word]));
            frame.change.previous = kin__value_lost(context, slot, frame.change.component);
            kin__last_value_save(context, slot, frame.change.component);
            notify_groups_of_loss(&frame, began);
            if (context->core->events.change_subscribers > 0)
                kin__notify_change_subscribers(&frame, KIN__EVENT_COMPONENT_REMOVED);
        }
    frame.change.component = no_component(context);
    frame.change.previous = NULL;
    notify_groups_of_loss(&frame, began);
    if (context->core->events.destroy_subscribers > 0)
        notify_end(&frame);
    kin__frame_pop(context, &frame);
}

bool kin__notify_will_be_destroyed(kin_context *context, kin_entity entity)
{
    kin__frame frame = {.change = {context, NULL, entity, no_component(context), 0, NULL, NULL},
                        .about_to_be_destroyed = true};
    kin__slots *slots = &context->core->slots;
    slots->about_to_be_destroyed++;
    slots->announced++;
    kin__frame_push(context, &frame);
    kin__notify_subscribers(&frame, &context->core->events.subscribers, NULL, KIN__EVENT_WILL_BE_DESTROYED);
    kin__frame_pop(context, &frame);
    if (!frame.about_to_be_destroyed)
        return false;
    KIN_ASSERT(slots->about_to_be_destroyed > 0);
    slots->about_to_be_destroyed--;
    return true;
}

void kin__notify_released(kin_context *context, kin_entity entity)
{
    kin__frame frame = {.change = {context, NULL, entity, no_component(context), 0, NULL, NULL}, .destroys = true};
    kin__frame_push(context, &frame);
    notify_new_event(&frame, KIN__EVENT_RELEASED);
    kin__subscribers_end(context, kin_entity_slot(entity), 0);
    kin__frame_pop(context, &frame);
}

void kin__notify_group_created(kin_group *group)
{
    kin_context *context = group->context;
    kin__frame frame = {.change = {.context = context, .component = no_component(context)}};
    kin__frame_push(context, &frame);
    kin__notify_subscribers(&frame, &context->core->events.subscribers, group, KIN__EVENT_GROUP_CREATED);
    kin__frame_pop(context, &frame);
}

void kin__notify_restored(kin_context *context)
{
    kin__frame frame = {.change = {.context = context, .component = no_component(context)}};
    kin__frame_push(context, &frame);
    kin__notify_subscribers(&frame, &context->core->events.subscribers, NULL, KIN__EVENT_RESTORED);
    kin__frame_pop(context, &frame);
}
