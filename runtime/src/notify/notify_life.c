// Telling the life of entities and groups: what comes to be, is stripped and ends.

#include "notify/call_subscribers.h"
#include "notify/dispatch.h"
#include "notify/notify.h"
#include "notify/walk.h"
#include "storage/last_value.h"
#include "storage/value.h"

#include <string.h>

// Those who listen to the context or the entity now, of an event that begins only now.
static void notify_life(kin__frame *frame, uint32_t event)
{
    frame->serial = frame->change.context->core->dispatch.serial;
    if ((event & KIN__EVENTS_OF_ENTITIES) != 0)
        kin__notify_entity_subscribers(frame, event);
    else
        kin__notify_subscribers(frame, &frame->change.context->core->events.subscribers, NULL, event);
}

static kin_component_id no_component(const kin_context *context)
{
    return (kin_component_id)context->info->component_count;
}

static bool holds(const kin__frame *frame, const kin_group *group, const uint64_t *row)
{
    return kin__matcher_holds(&group->matcher, row, frame->change.context->row_words);
}

void kin__notify_created(kin_context *context, kin_entity entity)
{
    kin__frame frame = {.change = {context, NULL, entity, no_component(context), NULL, NULL}};
    kin__frame_show(context, &frame);
    kin__walk walk = kin__walk_begin(context, frame.change.component);
    for (kin_group *group = kin__walk_group(&walk); group != NULL;
         kin__walk_go_on(&walk, group), group = kin__walk_group(&walk))
        kin__notify_subscribers(&frame, &group->subscribers, group, KIN__EVENT_ADDED);
    notify_life(&frame, KIN__EVENT_CREATED);
    kin__frame_hide(context, &frame);
}

// A group that contained the entity tells its loss once: with the first component that it could not do without. One
// that was made meanwhile never contained it.
static void notify_loss(kin__frame *frame, uint64_t began)
{
    kin_context *context = frame->change.context;
    const uint64_t *before = kin__frame_row(context);
    uint64_t *row = kin__frame_row(context) + context->row_words;
    kin_component_id id = frame->change.component;
    bool alive = id < context->info->component_count;
    frame->serial = context->core->dispatch.serial;
    kin__walk walk = kin__walk_begin(context, id);
    for (kin_group *group = kin__walk_group(&walk); group != NULL;
         kin__walk_go_on(&walk, group), group = kin__walk_group(&walk)) {
        if (group->serial > began || !holds(frame, group, before) || !holds(frame, group, row))
            continue;
        uint64_t *word = &row[id / 64], bit = kin__bit_of(id);
        if (alive)
            *word &= ~bit;
        bool still = alive && holds(frame, group, row);
        if (alive)
            *word |= bit;
        if (!still)
            kin__notify_subscribers(frame, &group->subscribers, group, KIN__EVENT_REMOVED | KIN__EVENT_LOST);
    }
}

// All that is told once the components have been: the slot is not free yet.
static void notify_end(kin__frame *frame)
{
    kin_context *context = frame->change.context;
    uint32_t slot = kin_entity_slot(frame->change.entity);
    notify_life(frame, KIN__EVENT_DESTROYED);
    kin__subscribers_end(context, slot, KIN__EVENT_RELEASED);
    notify_life(frame, KIN__EVENT_WAS_DESTROYED);
    if (kin__is_held(context, slot))
        return;
    notify_life(frame, KIN__EVENT_RELEASED);
    kin__subscribers_end(context, slot, 0);
}

void kin__notify_destroyed(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    kin__frame frame = {.change = {.context = context, .entity = entity}, .destroys = true};
    kin__frame_show(context, &frame);
    uint64_t began = context->core->dispatch.serial;
    uint64_t *before = kin__frame_row(context), *row = before + context->row_words;
    memcpy(row, before, context->row_words * sizeof(uint64_t));
    frame.lost = before;
    for (uint32_t word = 0; word < context->row_words; word++)
        for (; row[word] != 0; row[word] &= row[word] - 1) {
            frame.change.component = (kin_component_id)(word * 64 + kin__lowest_bit(row[word]));
            frame.change.previous = kin__value_lost(context, slot, frame.change.component);
            kin__last_value_save(context, slot, frame.change.component);
            notify_loss(&frame, began);
            kin__notify_entity_subscribers(&frame, KIN__EVENT_COMPONENT_REMOVED);
        }
    frame.change.component = no_component(context);
    frame.change.previous = NULL;
    notify_loss(&frame, began);
    if (context->core->events.destroy_subscribers > 0)
        notify_end(&frame);
    kin__frame_hide(context, &frame);
}

bool kin__notify_will_be_destroyed(kin_context *context, kin_entity entity)
{
    kin__frame frame = {.change = {context, NULL, entity, no_component(context), NULL, NULL},
                        .about_to_be_destroyed = true};
    kin__slots *slots = &context->core->slots;
    slots->about_to_be_destroyed++;
    slots->announced++;
    kin__frame_show(context, &frame);
    notify_life(&frame, KIN__EVENT_WILL_BE_DESTROYED);
    kin__frame_hide(context, &frame);
    if (!frame.about_to_be_destroyed)
        return false;
    slots->about_to_be_destroyed--;
    return true;
}

void kin__notify_released(kin_context *context, kin_entity entity)
{
    kin__frame frame = {.change = {context, NULL, entity, no_component(context), NULL, NULL}, .destroys = true};
    kin__frame_show(context, &frame);
    notify_life(&frame, KIN__EVENT_RELEASED);
    kin__subscribers_end(context, kin_entity_slot(entity), 0);
    kin__frame_hide(context, &frame);
}

void kin__notify_group_created(kin_group *group)
{
    kin_context *context = group->context;
    kin__frame frame = {.change = {.context = context, .component = no_component(context)}};
    kin__frame_show(context, &frame);
    kin__notify_subscribers(&frame, &context->core->events.subscribers, group, KIN__EVENT_GROUP_CREATED);
    kin__frame_hide(context, &frame);
}
