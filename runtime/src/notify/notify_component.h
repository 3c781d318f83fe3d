// Notifies that one component was added, removed or replaced: calls the groups that this concerns (mask.h), then the
// subscribers of the entity, then those of the context.
//
// Most contexts have rows of one word. For those the code is inlined where the change is made; notify_component.c has
// the code for wider rows. Both copy the row before the first call, so that listeners cannot alter which groups follow.
#ifndef KIN_SRC_NOTIFY_COMPONENT_H
#define KIN_SRC_NOTIFY_COMPONENT_H

#include "notify/dispatch.h"
#include "notify/mask.h"
#include "notify/notify_subscribers.h"
#include "notify/walk.h"

#include <string.h>

// For groups with an inexact mask: whether the row matches; and whether the change of the component alters that.
bool kin__frame_matches(const kin__frame *frame, const kin_group *group, const uint64_t *row);
bool kin__frame_crosses(const kin__frame *frame, const kin_group *group, uint64_t *row);

// Moves to the first group, from the current one on, whose mask the row passes. Returns the mask; NULL at the end.
static inline const uint64_t *kin__walk_find(kin__walk *walk, kin__mask_part part, const uint64_t *row,
                                             uint32_t row_words)
{
    uint32_t index = walk->index, count = walk->watch->count;
    if (index >= count)
        return NULL; // the list may have no memory
    const uint64_t *mask = kin__mask_at(walk->watch, index, row_words);
    while (index < count && !kin__mask_passes(mask, part, row, row_words)) {
        mask += kin__mask_words(row_words);
        index++;
    }
    walk->index = index;
    return index < count ? mask : NULL;
}

// Calls the groups that the entity enters or leaves because the component was added or removed.
static inline void kin__notify_crossed_groups(kin__frame *frame, bool added, uint64_t *row, uint32_t row_words)
{
    kin__walk walk = kin__walk_begin(frame->change.context, frame->change.component);
    for (;;) {
        const uint64_t *mask = kin__walk_find(&walk, KIN__MASK_CROSSED, row, row_words);
        if (mask == NULL)
            return;
        kin_group *group = kin__walk_group(&walk);
        bool matches_now = ((mask[0] & KIN__MASK_ENTERS) != 0) == added, crosses = true;
        if ((mask[0] & KIN__MASK_INEXACT) != 0) {
            crosses = kin__frame_crosses(frame, group, row);
            matches_now = kin__frame_matches(frame, group, row);
        }
        uint32_t event = matches_now ? KIN__EVENT_ADDED | KIN__EVENT_ENTERED
                         : added     ? KIN__EVENT_REMOVED
                                     : KIN__EVENT_REMOVED | KIN__EVENT_LOST;
        if (crosses && (group->subscribers.events & event) != 0)
            kin__notify_subscribers(frame, &group->subscribers, group, event);
        kin__walk_next(&walk, group);
    }
}

// The values of a replace, passed beside the frame. To read both of them from the frame right after they were written
// one by one is a store-forwarding stall: the wide load waits until the narrow stores have reached the cache.
typedef struct kin__replaced_values {
    const void *previous, *value;
} kin__replaced_values;

// Calls one group for each event that it has subscribers of: removed shows the previous value, added the new one,
// modified both.
static inline void kin__notify_group_of_replace(kin__frame *frame, kin_group *group, kin__replaced_values values)
{
    for (uint32_t events = group->subscribers.events & KIN__EVENTS_OF_GROUPS; events != 0; events &= events - 1) {
        uint32_t event = events & (0 - events);
        frame->change.previous = event == KIN__EVENT_ADDED ? NULL : values.previous;
        frame->change.value = event == KIN__EVENT_REMOVED ? NULL : values.value;
        kin__notify_subscribers(frame, &group->subscribers, group, event);
    }
    frame->change.previous = values.previous;
    frame->change.value = values.value;
}

// Calls the groups that contain the entity, whose component was replaced.
static inline void kin__notify_member_groups(kin__frame *frame, kin__replaced_values values, const uint64_t *row,
                                             uint32_t row_words)
{
    kin__walk walk = kin__walk_begin(frame->change.context, frame->change.component);
    for (;;) {
        const uint64_t *mask = kin__walk_find(&walk, KIN__MASK_MEMBER, row, row_words);
        if (mask == NULL)
            return;
        kin_group *group = kin__walk_group(&walk);
        if ((mask[0] & KIN__MASK_INEXACT) == 0 || kin__frame_matches(frame, group, row)) {
            if ((group->subscribers.events & KIN__EVENTS_OF_GROUPS) == KIN__EVENT_MODIFIED)
                kin__notify_subscribers(frame, &group->subscribers, group, KIN__EVENT_MODIFIED);
            else
                kin__notify_group_of_replace(frame, group, values);
        }
        kin__walk_next(&walk, group);
    }
}

// The same for rows of any number of words.
void kin__notify_crossed_groups_wide(kin__frame *frame, bool added);
void kin__notify_member_groups_wide(kin__frame *frame);

// Notifies an add or a remove. `row` is the entity's, after the change.
static inline void kin__notify_toggled(kin__frame *frame, const uint64_t *row, bool added)
{
    kin_context *context = frame->change.context;
    KIN_ASSERT(((row[frame->change.component / 64] >> (frame->change.component % 64) & 1) != 0) == added);
    kin__frame_enter(context, frame);
    if (context->row_words == 1) {
        uint64_t only = row[0];
        kin__notify_crossed_groups(frame, added, &only, 1);
    } else
        kin__notify_crossed_groups_wide(frame, added);
    if (context->core->events.change_subscribers > 0)
        kin__notify_change_subscribers(frame, added ? KIN__EVENT_COMPONENT_ADDED : KIN__EVENT_COMPONENT_REMOVED);
    kin__frame_leave(context);
}

// Notifies a replace. `row` is the entity's.
static inline void kin__notify_replacement(kin__frame *frame, kin__replaced_values values, const uint64_t *row)
{
    kin_context *context = frame->change.context;
    KIN_ASSERT((row[frame->change.component / 64] >> (frame->change.component % 64) & 1) != 0);
    kin__frame_enter(context, frame);
    if (context->row_words == 1) {
        uint64_t only = row[0];
        kin__notify_member_groups(frame, values, &only, 1);
    } else
        kin__notify_member_groups_wide(frame);
    if (context->core->events.change_subscribers > 0)
        kin__notify_change_subscribers(frame, KIN__EVENT_COMPONENT_REPLACED);
    kin__frame_leave(context);
}

#endif
