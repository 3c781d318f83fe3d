#include "tell.h"

#include "chunk.h"
#include "dispatch.h"
#include "event.h"
#include "keepsake.h"
#include "value.h"

#include <string.h>

// Calls still waiting for an entity that has died since are not made, also when a reset gave its handle out again.
static bool is_current(const kin__frame *frame)
{
    return frame->strip || frame->entity == 0 ||
           (frame->life == frame->context->core->dispatch.life && kin__chunk_of(frame->context, frame->entity) != NULL);
}

static void tell_audience(kin__frame *frame, const kin__audience *audience, kin_group *group, uint32_t event)
{
    for (const kin__subscriber *subscriber = audience->first; subscriber != NULL; subscriber = subscriber->next) {
        if (subscriber->serial == 0 || subscriber->serial > frame->serial || (subscriber->events & event) == 0)
            continue;
        if (!is_current(frame))
            return;
        kin_change change = {.context = frame->context,
                             .group = group,
                             .entity = frame->entity,
                             .component = frame->component,
                             .previous = event == KIN__EVENT_ADDED && frame->value != NULL ? NULL : frame->previous,
                             .value = event == KIN__EVENT_REMOVED && frame->previous != NULL ? NULL : frame->value};
        subscriber->listener(&change, subscriber->user);
    }
}

static void tell(kin__frame *frame, kin_group *group, uint32_t event)
{
    tell_audience(frame, &group->audience, group, event);
}

// Those who listen to the entity itself.
static void tell_own(kin__frame *frame, uint32_t event)
{
    const kin__audience *audience = kin__audience_of(frame->context, kin_entity_slot(frame->entity));
    if (audience != NULL)
        tell_audience(frame, audience, NULL, event);
}

// Those who listen to the context or the entity now, of an event that begins only now.
static void tell_life(kin__frame *frame, uint32_t event)
{
    frame->serial = frame->context->core->dispatch.serial;
    if ((event & KIN__EVENTS_OF_ENTITIES) != 0)
        tell_own(frame, event);
    else
        tell_audience(frame, &frame->context->core->events.audience, NULL, event);
}

static kin_component_id no_component(const kin_context *context)
{
    return (kin_component_id)context->info->component_count;
}

// A walk over the groups that watch a component, in order of creation. Listeners may change the list under it.
typedef struct walk {
    const kin__watch *watch;
    uint32_t index, version, passed; // passed: one more than the number of the last group
} walk;

static walk walk_begin(const kin_context *context, kin_component_id id)
{
    const kin__watch *watch = &context->core->watches[id];
    return (walk){.watch = watch, .version = watch->version};
}

static kin_group *walk_next(walk *walk)
{
    const kin__watch *watch = walk->watch;
    kin_group *const *groups = watch->groups.elements;
    if (walk->version != watch->version) {
        walk->version = watch->version;
        walk->index = 0;
        while (walk->index < watch->count && groups[walk->index]->number < walk->passed)
            walk->index++;
    }
    if (walk->index >= watch->count)
        return NULL;
    kin_group *group = groups[walk->index++];
    walk->passed = group->number + 1;
    return group;
}

static bool holds(const kin__frame *frame, const kin_group *group, const uint64_t *row)
{
    return kin__matcher_holds(&group->matcher, row, frame->context->row_words);
}

// `before` is the row without the change, `row` the one with it.
static void tell_crossing(kin__frame *frame)
{
    kin_context *context = frame->context;
    walk walk = walk_begin(context, frame->component);
    for (kin_group *group = walk_next(&walk); group != NULL; group = walk_next(&walk)) {
        bool was = holds(frame, group, frame->before), is = holds(frame, group, frame->row);
        if (was != is)
            tell(frame, group, is ? KIN__EVENT_ADDED : KIN__EVENT_REMOVED);
    }
}

static void tell_toggled(kin__frame *frame, kin_context *context, uint32_t event)
{
    kin__frame_enter(context, frame);
    size_t size = context->row_words * sizeof(uint64_t);
    memcpy(frame->row, kin__row_of(context, kin_entity_slot(frame->entity)), size);
    memcpy(frame->before, frame->row, size);
    frame->before[frame->component / 64] ^= (uint64_t)1 << (frame->component % 64);
    tell_crossing(frame);
    tell_own(frame, event);
    kin__frame_leave(context, frame);
}

void kin__tell_added(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__frame frame = {.entity = entity, .component = id, .value = value};
    tell_toggled(&frame, context, KIN__EVENT_COMPONENT_ADDED);
}

void kin__tell_removed(kin_context *context, kin_entity entity, kin_component_id id, const void *previous)
{
    kin__frame frame = {.entity = entity, .component = id, .previous = previous};
    tell_toggled(&frame, context, KIN__EVENT_COMPONENT_REMOVED);
}

void kin__tell_replaced(kin_context *context, kin_entity entity, kin_component_id id, const void *previous,
                        const void *value)
{
    kin__frame frame = {.entity = entity, .component = id, .previous = previous, .value = value};
    kin__frame_enter(context, &frame);
    memcpy(frame.row, kin__row_of(context, kin_entity_slot(entity)), context->row_words * sizeof(uint64_t));
    walk walk = walk_begin(context, id);
    for (kin_group *group = walk_next(&walk); group != NULL; group = walk_next(&walk)) {
        if (!holds(&frame, group, frame.row))
            continue;
        tell(&frame, group, KIN__EVENT_REMOVED);
        tell(&frame, group, KIN__EVENT_ADDED);
        tell(&frame, group, KIN__EVENT_MODIFIED);
    }
    tell_own(&frame, KIN__EVENT_COMPONENT_REPLACED);
    kin__frame_leave(context, &frame);
}

void kin__tell_created(kin_context *context, kin_entity entity)
{
    kin__frame frame = {.entity = entity, .component = no_component(context)};
    kin__frame_enter(context, &frame);
    walk walk = walk_begin(context, frame.component);
    for (kin_group *group = walk_next(&walk); group != NULL; group = walk_next(&walk))
        tell(&frame, group, KIN__EVENT_ADDED);
    tell_life(&frame, KIN__EVENT_CREATED);
    kin__frame_leave(context, &frame);
}

// A group that contained the entity tells its loss once: with the first component that it could not do without. One
// that was made meanwhile never contained it.
static void tell_loss(kin__frame *frame, uint64_t began)
{
    kin_context *context = frame->context;
    kin_component_id id = frame->component;
    bool alive = id < context->info->component_count;
    frame->serial = context->core->dispatch.serial;
    walk walk = walk_begin(context, id);
    for (kin_group *group = walk_next(&walk); group != NULL; group = walk_next(&walk)) {
        if (group->serial > began || !holds(frame, group, frame->before) || !holds(frame, group, frame->row))
            continue;
        uint64_t *word = &frame->row[id / 64], bit = (uint64_t)1 << (id % 64);
        if (alive)
            *word &= ~bit;
        bool still = alive && holds(frame, group, frame->row);
        if (alive)
            *word |= bit;
        if (!still)
            tell(frame, group, KIN__EVENT_REMOVED);
    }
}

// All that is told once the components have been: the slot is not free yet.
static void tell_end(kin__frame *frame)
{
    kin_context *context = frame->context;
    uint32_t slot = kin_entity_slot(frame->entity);
    tell_life(frame, KIN__EVENT_DESTROYED);
    kin__audience_end(context, slot, KIN__EVENT_RELEASED);
    tell_life(frame, KIN__EVENT_WAS_DESTROYED);
    if (kin__is_held(context, slot))
        return;
    tell_life(frame, KIN__EVENT_RELEASED);
    kin__audience_end(context, slot, 0);
}

void kin__tell_stripped(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    kin__frame frame = {.entity = entity, .strip = true};
    kin__frame_enter(context, &frame);
    uint64_t began = context->core->dispatch.serial;
    memcpy(frame.row, frame.before, context->row_words * sizeof(uint64_t));
    for (uint32_t word = 0; word < context->row_words; word++)
        for (; frame.row[word] != 0; frame.row[word] &= frame.row[word] - 1) {
            frame.component = (kin_component_id)(word * 64 + kin__lowest_bit(frame.row[word]));
            frame.previous = kin__value_of(context, slot, frame.component);
            kin__keepsake_take(context, slot, frame.component);
            tell_loss(&frame, began);
            tell_own(&frame, KIN__EVENT_COMPONENT_REMOVED);
        }
    frame.component = no_component(context);
    frame.previous = NULL;
    tell_loss(&frame, began);
    if (context->core->events.mourners > 0)
        tell_end(&frame);
    kin__frame_leave(context, &frame);
}

bool kin__tell_leaving(kin_context *context, kin_entity entity)
{
    kin__frame frame = {.entity = entity, .component = no_component(context), .leaving = true};
    kin__slots *slots = &context->core->slots;
    slots->leaving++;
    slots->left++;
    kin__frame_enter(context, &frame);
    tell_life(&frame, KIN__EVENT_WILL_BE_DESTROYED);
    kin__frame_leave(context, &frame);
    if (!frame.leaving)
        return false;
    slots->leaving--;
    return true;
}

void kin__tell_released(kin_context *context, kin_entity entity)
{
    kin__frame frame = {.entity = entity, .component = no_component(context), .strip = true};
    kin__frame_enter(context, &frame);
    tell_life(&frame, KIN__EVENT_RELEASED);
    kin__audience_end(context, kin_entity_slot(entity), 0);
    kin__frame_leave(context, &frame);
}

void kin__tell_group(kin_group *group)
{
    kin_context *context = group->context;
    kin__frame frame = {.component = no_component(context)};
    kin__frame_enter(context, &frame);
    tell_audience(&frame, &context->core->events.audience, group, KIN__EVENT_GROUP_CREATED);
    kin__frame_leave(context, &frame);
}
