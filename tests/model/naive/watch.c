#include "naive.h"

#include <check.h>
#include <string.h>

// ---- groups

bool naive_has_group(const naive *naive, int32_t matcher)
{
    for (uint32_t i = 0; i < naive->group_count; i++)
        if (naive->groups[i] == matcher)
            return true;
    return false;
}

static void find_hearers(const naive *naive, naive_change *change)
{
    naive_change_begin(naive, change, 0, MODEL_NO_PART);
    naive_find_context(naive, change, KIN_GROUP_CREATED);
}

bool naive_can_report_group(const naive *naive)
{
    naive_change change;
    find_hearers(naive, &change);
    return change.count == 0 || naive_may_nest(naive);
}

void naive_report_group(naive *naive, int32_t matcher)
{
    naive_change change;
    find_hearers(naive, &change);
    change.matcher = matcher;
    naive_notify(naive, &change);
}

// GRP-01, CTX-04. False if the group cannot be reported.
bool naive_make_group(naive *naive, int32_t matcher)
{
    if (naive_has_group(naive, matcher))
        return true;
    if (!naive_can_report_group(naive)) {
        naive_refuse(naive, KIN_ERROR_LIMIT, 0, MODEL_NO_PART);
        return false;
    }
    naive->groups[naive->group_count++] = matcher;
    naive_report_group(naive, matcher);
    return true;
}

// ---- subscriptions

static void append(naive *naive, naive_subscription made)
{
    if (naive->subscription_count == NAIVE_SUBSCRIPTIONS)
        ck_abort_msg("the model subscribes too much");
    naive->subscriptions[naive->subscription_count++] = made;
}

// Pending calls refer to subscriptions by their places.
static void forget_ended(naive *naive)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < naive->subscription_count && naive->depth == 0; i++)
        if (!naive->subscriptions[i].ended)
            naive->subscriptions[kept++] = naive->subscriptions[i];
    if (naive->depth == 0)
        naive->subscription_count = kept;
}

static void end_subscriptions(naive *naive, int32_t number, int32_t collector)
{
    for (uint32_t i = 0; i < naive->subscription_count; i++) {
        naive_subscription *each = &naive->subscriptions[i];
        if (each->collector == collector && (collector >= 0 || each->number == number))
            each->ended = true;
    }
    forget_ended(naive);
}

// ENT-16.
void naive_end_own(naive *naive, kin_entity entity, bool released_too)
{
    for (uint32_t i = 0; i < naive->subscription_count; i++) {
        naive_subscription *each = &naive->subscriptions[i];
        if (each->source == SOURCE_ENTITY && each->entity == entity &&
            (released_too || each->event != KIN_ENTITY_RELEASED))
            each->ended = true;
    }
}

// GRP-08; without a listener it is refused.
static kin_status subscribe(naive *naive, const model_operation *operation)
{
    naive_subscription made = {.source = SOURCE_GROUP,
                               .number = operation->value,
                               .collector = -1,
                               .matcher = operation->number,
                               .entity = operation->entity,
                               .event = operation->event};
    if (operation->code == MODEL_SUBSCRIBE_ENTITY)
        made.source = SOURCE_ENTITY;
    if (operation->code == MODEL_SUBSCRIBE_CONTEXT)
        made.source = SOURCE_CONTEXT;
    if (made.source == SOURCE_GROUP && !naive_make_group(naive, operation->number))
        return KIN_ERROR_LIMIT;
    kin_entity entity = made.source == SOURCE_ENTITY ? operation->entity : 0;
    kin_status status = operation->owner == 0 ? KIN_ERROR_INVALID : KIN_OK;
    if (made.source == SOURCE_ENTITY && naive_find(naive, entity) == NULL)
        status = KIN_ERROR_NOT_ALIVE;
    if (status == KIN_OK)
        append(naive, made);
    else
        naive_refuse(naive, status, entity, MODEL_NO_PART);
    return status == KIN_OK ? KIN_OK : KIN_ERROR_INVALID; // refused; the error has the reason
}

// ---- collectors

// COL-03, COL-04.
void naive_collect(naive *naive, int32_t number, kin_entity entity)
{
    naive_entries *collected = &naive->collectors[number].collected;
    for (uint32_t i = 0; i < collected->count; i++)
        if (collected->entries[i] == entity)
            return;
    if (collected->count == NAIVE_ENTRIES)
        ck_abort_msg("the model collects too much");
    collected->entries[collected->count++] = entity;
    naive_hold_entity(naive, entity);
}

// Clears in order of collection; each entity is removed before it is released. Entities collected meanwhile stay.
void naive_clear(naive *naive, int32_t number)
{
    const naive_collector *collector = &naive->collectors[number];
    naive_entries *collected = &naive->collectors[number].collected;
    uint32_t serial = collector->serial;
    for (uint32_t left = collected->count; left > 0 && collected->count > 0; left--) {
        kin_entity first = collected->entries[0];
        collected->count--;
        memmove(collected->entries, collected->entries + 1, collected->count * sizeof first);
        naive_end_hold(naive, first);
        if (collector->serial != serial)
            return; // it has been destroyed, and another is in its place
    }
}

// COL-05.
void naive_set_active(naive *naive, int32_t number, bool active)
{
    naive_collector *collector = &naive->collectors[number];
    if (collector->active == active)
        return;
    collector->active = active;
    for (int i = 0; i < 2 && active && collector->matchers[i] >= 0; i++)
        append(naive, (naive_subscription){.source = SOURCE_GROUP,
                                           .collector = number,
                                           .matcher = collector->matchers[i],
                                           .event = collector->events[i]});
    if (active)
        return;
    end_subscriptions(naive, -1, number);
    naive_clear(naive, number);
}

void naive_begin_collector(naive *naive, int32_t number, const int32_t *matchers, const int32_t *events)
{
    naive_collector *collector = &naive->collectors[number];
    uint32_t serial = collector->serial + 1;
    memset(collector, 0, sizeof *collector);
    collector->serial = serial;
    collector->made = true;
    for (int i = 0; i < 2; i++) {
        collector->matchers[i] = matchers[i];
        collector->events[i] = events[i];
    }
    naive_set_active(naive, number, true);
}

static kin_status make_collector(naive *naive, const model_operation *operation)
{
    int32_t matchers[] = {operation->number, operation->other};
    int32_t events[] = {operation->event, KIN_ADDED_OR_REMOVED};
    if (!naive_make_group(naive, matchers[0]) || !naive_make_group(naive, matchers[1]))
        return KIN_ERROR_LIMIT;
    naive_begin_collector(naive, operation->value, matchers, events);
    return KIN_OK;
}

void naive_end_collector(naive *naive, int32_t number)
{
    naive_set_active(naive, number, false);
    naive_clear(naive, number); // no callback can create another one here before this is finished
    naive->collectors[number].made = false;
}

kin_status naive_watch(naive *naive, const model_operation *operation)
{
    switch (operation->code) {
    case MODEL_UNSUBSCRIBE:
        end_subscriptions(naive, operation->number, -1);
        break;
    case MODEL_MAKE_COLLECTOR:
        return make_collector(naive, operation);
    case MODEL_END_COLLECTOR:
        naive_end_collector(naive, operation->number);
        break;
    case MODEL_ACTIVATE:
    case MODEL_DEACTIVATE:
        naive_set_active(naive, operation->number, operation->code == MODEL_ACTIVATE);
        break;
    case MODEL_CLEAR:
        naive_clear(naive, operation->number);
        break;
    default:
        return subscribe(naive, operation);
    }
    return KIN_OK;
}
