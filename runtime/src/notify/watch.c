#include "notify/watch.h"

#include "base/base.h"
#include "store/store.h"
#include "notify/direct.h"
#include "notify/mask.h"
#include "notify/spawn_watch.h"
#include "notify/subscriber.h"

#include <string.h>

// ---- lists of watching groups

// Calls `visit` for each component that the group watches, being alive included; repeatedly for one that several rules
// name. Stops, and returns false, when a visit returns false.
static bool visit_watched(kin_group *group, bool (*visit)(kin_group *group, uint32_t id))
{
    const kin_matcher *matcher = &group->matcher;
    uint32_t count = group->context->info->component_count;
    if (kin__matcher_is_exact(matcher)) {
        for (uint32_t id = 0; id < count; id++)
            if (!visit(group, id))
                return false;
        return true;
    }
    for (uint32_t i = 0; i < matcher->count; i++)
        for (uint32_t k = 0; k < matcher->rules[i].count; k++)
            if (!visit(group, matcher->rules[i].ids[k]))
                return false;
    return !kin__matcher_allows_empty(matcher) || visit(group, count);
}

static size_t mask_size(const kin_context *context)
{
    return kin__mask_words(context->row_words) * sizeof(uint64_t);
}

// Reserves as many places for groups as there can be visits: the matcher may name the component in each of its rules.
static bool reserve(kin_group *group, uint32_t id)
{
    const kin_context_info *info = group->context->info;
    kin__core *core = group->context->core;
    if (id < info->component_count && !kin__payload_reserve(group->context, info->components[id].size))
        return false;
    kin__watch *watch = &core->watches[id];
    uint32_t least = watch->reserved + KIN_MATCHER_MAX_RULES;
    return kin__direct_reserve(group->context, id) &&
           kin__array_reserve(&core->group_memory, &watch->groups, least, sizeof(kin_group *)) &&
           kin__array_reserve(&core->group_memory, &watch->masks, watch->reserved + 1, mask_size(group->context));
}

static bool count_reserved(kin_group *group, uint32_t id)
{
    group->context->core->watches[id].reserved++;
    return true;
}

bool kin__watch_reserve(kin_group *group)
{
    if (group->has_room)
        return true;
    group->has_room = visit_watched(group, reserve) && visit_watched(group, count_reserved);
    return group->has_room;
}

void kin__watch_release(kin_context *context, kin__watch *watch)
{
    kin__array_release(&context->core->group_memory, &watch->groups, sizeof(kin_group *));
    kin__array_release(&context->core->group_memory, &watch->masks, mask_size(context));
    kin__release(&context->core->group_memory, watch->direct, sizeof *watch->direct);
}

static bool count_unreserved(kin_group *group, uint32_t id)
{
    kin__watch *watch = &group->context->core->watches[id];
    KIN_ASSERT(watch->reserved > watch->count);
    watch->reserved--;
    return true;
}

void kin__watch_unreserve(kin_group *group)
{
    KIN_ASSERT(group->subscriber_count == 0);
    if (group->has_room)
        visit_watched(group, count_unreserved);
    group->has_room = false;
}

// Does nothing if the group is in the list: it may name a component twice.
static bool insert_group(kin_group *group, uint32_t id)
{
    kin__watch *watch = &group->context->core->watches[id];
    kin_group **groups = watch->groups.elements;
    uint32_t place = watch->count;
    while (place > 0 && groups[place - 1]->number > group->number)
        place--;
    if (place > 0 && groups[place - 1] == group)
        return true;
    kin_context *context = group->context;
    KIN_ASSERT(group->has_room && watch->count < watch->reserved);
    KIN_ASSERT(watch->count < watch->groups.capacity && watch->count < watch->masks.capacity);
    uint32_t later_count = watch->count - place;
    memmove(groups + place + 1, groups + place, later_count * sizeof *groups);
    memmove(kin__mask_at(watch, place + 1, context->row_words), kin__mask_at(watch, place, context->row_words),
            later_count * mask_size(context));
    groups[place] = group;
    kin__mask_make(kin__mask_at(watch, place, context->row_words), &group->matcher, id, context->row_words);
    watch->count++;
    watch->version++;
    kin__component_watch(context, id, true);
    return true;
}

// Does nothing if the group is not in the list.
static bool remove_group(kin_group *group, uint32_t id)
{
    kin__watch *watch = &group->context->core->watches[id];
    kin_group **groups = watch->groups.elements;
    uint32_t place = 0;
    while (place < watch->count && groups[place] != group)
        place++;
    if (place == watch->count)
        return true;
    kin_context *context = group->context;
    uint32_t later_count = watch->count - place - 1;
    memmove(groups + place, groups + place + 1, later_count * sizeof *groups);
    memmove(kin__mask_at(watch, place, context->row_words), kin__mask_at(watch, place + 1, context->row_words),
            later_count * mask_size(context));
    watch->count--;
    watch->version++;
    kin__component_watch(context, id, false);
    return true;
}

// ---- subscribers

uint32_t kin__event_bits(kin_group_event event)
{
    switch (event) {
    case KIN_ADDED:
        return KIN__EVENT_ADDED;
    case KIN_REMOVED:
        return KIN__EVENT_REMOVED;
    case KIN_ADDED_OR_REMOVED:
        return KIN__EVENT_ADDED | KIN__EVENT_REMOVED;
    case KIN_MODIFIED:
        return KIN__EVENT_MODIFIED;
    }
    return 0;
}

static bool refresh_direct(kin_group *group, uint32_t id)
{
    kin__direct_refresh(group->context, id);
    return true;
}

static bool count_listened(kin_group *group, uint32_t id)
{
    group->context->core->watches[id].listened++;
    return true;
}

static bool count_unlistened(kin_group *group, uint32_t id)
{
    kin__watch *watch = &group->context->core->watches[id];
    KIN_ASSERT(watch->listened > 0);
    watch->listened--;
    return true;
}

void kin__group_subscriber_begin(kin__subscriber *subscriber)
{
    kin_group *group = subscriber->group;
    KIN_ASSERT(group->has_room && subscriber->listener != NULL && subscriber->events != 0);
    subscriber->context = group->context;
    subscriber->list = &group->subscribers;
    kin__subscriber_append(subscriber);
    if (group->subscriber_count++ == 0) {
        visit_watched(group, insert_group);
        kin__spawn_watch(group->context, &group->matcher, true);
    }
    if (!subscriber->collects && group->listener_count++ == 0)
        visit_watched(group, count_listened);
    visit_watched(group, refresh_direct);
}

void kin__group_subscriber_end(kin__subscriber *subscriber)
{
    KIN_ASSERT(subscriber->serial != 0 && subscriber->group->subscriber_count > 0);
    subscriber->serial = 0;
    if (!subscriber->collects && --subscriber->group->listener_count == 0)
        visit_watched(subscriber->group, count_unlistened);
    if (--subscriber->group->subscriber_count == 0) {
        visit_watched(subscriber->group, remove_group);
        kin__spawn_watch(subscriber->context, &subscriber->group->matcher, false);
    }
    visit_watched(subscriber->group, refresh_direct);
}

void kin__group_subscriber_set_listener(kin__subscriber *subscriber, kin_listener *listener, bool collects)
{
    bool is_live = subscriber->serial != 0;
    if (is_live && subscriber->collects && !collects && subscriber->group->listener_count++ == 0)
        visit_watched(subscriber->group, count_listened);
    if (is_live && !subscriber->collects && collects && --subscriber->group->listener_count == 0)
        visit_watched(subscriber->group, count_unlistened);
    subscriber->listener = listener;
    subscriber->collects = collects;
    if (is_live)
        visit_watched(subscriber->group, refresh_direct);
}

static kin_subscription report_error(const kin_group *group, kin_status status, const char *reason)
{
    kin__attempt attempt = {.verb = "subscribe to a group", .reason = reason};
    if (group == NULL)
        kin__report_error_to(NULL, status, &attempt, 0);
    else
        kin__report_error(group->context, status, &attempt);
    return (kin_subscription){0};
}

kin_subscription kin_group_subscribe(kin_group *group, kin_group_event event, kin_listener *listener, void *user)
{
    if (group == NULL)
        return report_error(NULL, KIN_ERROR_INVALID, "the group is NULL; check the result of the call that made it");
    if (listener == NULL)
        return report_error(group, KIN_ERROR_INVALID, "the listener is NULL; pass a function");
    if (kin__event_bits(event) == 0)
        return report_error(group, KIN_ERROR_INVALID, "the event is unknown; use one of kin_group_event");
    if (kin__context_is_shared(group->context))
        return report_error(group, KIN_ERROR_INVALID, NULL);
    kin__subscriber *subscriber = kin__watch_reserve(group) ? kin__subscriber_make(group->context) : NULL;
    if (subscriber == NULL)
        return report_error(group, KIN_ERROR_NO_MEMORY, NULL);
    *subscriber =
        (kin__subscriber){.events = kin__event_bits(event), .listener = listener, .user = user, .group = group};
    kin__group_subscriber_begin(subscriber);
    return (kin_subscription){subscriber, subscriber->serial};
}
