// Telling one change to the groups that it concerns. Compiled for rows of one word, which most contexts have, where a
// change is made; for all others in notify.c.
//
// What the entity has is noted before anything is told and stays so, whatever listeners do meanwhile.
#ifndef KIN_SRC_NOTIFY_CHANGE_H
#define KIN_SRC_NOTIFY_CHANGE_H

#include "notify/call_subscribers.h"
#include "notify/dispatch.h"
#include "notify/mask.h"
#include "notify/walk.h"

#include <string.h>

// Whether a matcher that has to be asked holds; and whether the change of the component alters that.
bool kin__change_holds(const kin__frame *frame, const kin_group *group, const uint64_t *row);
bool kin__change_crosses(const kin__frame *frame, const kin_group *group, uint64_t *row);

// Goes on to the first group whose mask lets the row through; NULL when there is none.
static inline const uint64_t *kin__walk_find(kin__walk *walk, kin__mask_part part, const uint64_t *row,
                                             uint32_t row_words)
{
    uint32_t index = walk->index, count = walk->watch->count;
    if (index >= count)
        return NULL; // there may be no masks at all
    const uint64_t *mask = kin__mask_at(walk->watch, index, row_words);
    while (index < count && !kin__mask_passes(mask, part, row, row_words)) {
        mask += kin__mask_words(row_words);
        index++;
    }
    walk->index = index;
    return index < count ? mask : NULL;
}

// The component came or went: the groups whose match that alters.
static inline void kin__notify_crossing(kin__frame *frame, bool came, uint64_t *row, uint32_t row_words)
{
    kin__walk walk = kin__walk_begin(frame->change.context, frame->change.component);
    for (;;) {
        const uint64_t *mask = kin__walk_find(&walk, KIN__MASK_CROSSED, row, row_words);
        if (mask == NULL)
            return;
        kin_group *group = kin__walk_group(&walk);
        bool is = ((mask[0] & KIN__MASK_COMES) != 0) == came, crosses = true;
        if ((mask[0] & KIN__MASK_LOOK) != 0) {
            crosses = kin__change_crosses(frame, group, row);
            is = kin__change_holds(frame, group, row);
        }
        uint32_t event = is ? KIN__EVENT_ADDED : came ? KIN__EVENT_REMOVED : KIN__EVENT_REMOVED | KIN__EVENT_LOST;
        if (crosses && (group->subscribers.events & event) != 0)
            kin__notify_subscribers(frame, &group->subscribers, group, event);
        kin__walk_go_on(&walk, group);
    }
}

// What a replace shows, beside its frame: who reads both there at once, which were written one by one, waits until that
// has come to memory, behind all that the entity's own places were waited for.
typedef struct kin__shown {
    const void *previous, *value;
} kin__shown;

// Both values are shown of a modification; the former one of what goes, the new one of what comes.
static inline void kin__notify_replace(kin__frame *frame, kin_group *group, kin__shown shown)
{
    for (uint32_t events = group->subscribers.events & KIN__EVENTS_OF_GROUPS; events != 0; events &= events - 1) {
        uint32_t event = events & (0 - events);
        frame->change.previous = event == KIN__EVENT_ADDED ? NULL : shown.previous;
        frame->change.value = event == KIN__EVENT_REMOVED ? NULL : shown.value;
        kin__notify_subscribers(frame, &group->subscribers, group, event);
    }
    frame->change.previous = shown.previous;
    frame->change.value = shown.value;
}

// It was replaced: the groups that contain the entity, each of its events by itself.
static inline void kin__notify_members(kin__frame *frame, kin__shown shown, const uint64_t *row, uint32_t row_words)
{
    kin__walk walk = kin__walk_begin(frame->change.context, frame->change.component);
    for (;;) {
        const uint64_t *mask = kin__walk_find(&walk, KIN__MASK_MEMBER, row, row_words);
        if (mask == NULL)
            return;
        kin_group *group = kin__walk_group(&walk);
        if ((mask[0] & KIN__MASK_LOOK) == 0 || kin__change_holds(frame, group, row)) {
            if ((group->subscribers.events & KIN__EVENTS_OF_GROUPS) == KIN__EVENT_MODIFIED)
                kin__notify_subscribers(frame, &group->subscribers, group, KIN__EVENT_MODIFIED);
            else
                kin__notify_replace(frame, group, shown);
        }
        kin__walk_go_on(&walk, group);
    }
}

// The same for rows of any number of words; and those who listen to the entity itself.
void kin__notify_crossing_wide(kin__frame *frame, bool came);
void kin__notify_members_wide(kin__frame *frame);

// Tells an add (`came`) or a remove, as the row is after it.
static inline void kin__notify_toggled(kin__frame *frame, const uint64_t *row, bool came)
{
    kin_context *context = frame->change.context;
    kin__frame_enter(context, frame);
    if (context->row_words == 1) {
        uint64_t only = row[0];
        kin__notify_crossing(frame, came, &only, 1);
    } else
        kin__notify_crossing_wide(frame, came);
    if (context->core->events.entity_subscribers > 0)
        kin__notify_entity_subscribers(frame, came ? KIN__EVENT_COMPONENT_ADDED : KIN__EVENT_COMPONENT_REMOVED);
    kin__frame_leave(context);
}

static inline void kin__notify_replacement(kin__frame *frame, kin__shown shown, const uint64_t *row)
{
    kin_context *context = frame->change.context;
    kin__frame_enter(context, frame);
    if (context->row_words == 1) {
        uint64_t only = row[0];
        kin__notify_members(frame, shown, &only, 1);
    } else
        kin__notify_members_wide(frame);
    if (context->core->events.entity_subscribers > 0)
        kin__notify_entity_subscribers(frame, KIN__EVENT_COMPONENT_REPLACED);
    kin__frame_leave(context);
}

#endif
