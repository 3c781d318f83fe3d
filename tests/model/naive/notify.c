#include "naive.h"

#include <check.h>

bool naive_may_nest(const naive *naive)
{
    return naive->depth < NAIVE_DEPTH;
}

// ERR-02: once for each refused call.
kin_status naive_refuse(naive *naive, kin_status status, kin_entity entity, int32_t part)
{
    model_call(naive->side,
               (model_record){.kind = MODEL_ERROR, .number = (int32_t)status, .entity = entity, .part = part});
    return status;
}

void naive_change_begin(const naive *naive, naive_change *change, kin_entity entity, int32_t part)
{
    change->entity = entity;
    change->part = part;
    change->previous = change->value = MODEL_NO_VALUE;
    change->event = 0;
    change->is_destruction = false;
    change->life = naive->life;
    change->count = 0;
}

static bool is_replaced(const naive_change *change)
{
    return change->previous != MODEL_NO_VALUE && change->value != MODEL_NO_VALUE;
}

static void append(naive_change *change, uint32_t subscription, int32_t event)
{
    if (change->count == NAIVE_CALLS)
        ck_abort_msg("the model makes too many calls");
    change->calls[change->count++] = (naive_call){subscription, event};
}

// Finds subscribers in order of subscription (DSP-02). Those of added-or-removed are called for both (GRP-05).
void naive_find_group(const naive *naive, naive_change *change, int32_t matcher, kin_group_event event)
{
    bool is_loss = event == KIN_REMOVED && !is_replaced(change) && change->part != naive->package->off;
    for (uint32_t i = 0; i < naive->subscription_count; i++) {
        const naive_subscription *each = &naive->subscriptions[i];
        bool is_notified =
            each->event == (int32_t)event || (each->event == KIN_ADDED_OR_REMOVED && event != KIN_MODIFIED);
        is_notified = is_notified || (each->event == NAIVE_LOST && is_loss);
        if (!each->ended && each->source == SOURCE_GROUP && each->matcher == matcher && is_notified)
            append(change, i, (int32_t)event);
    }
}

// DSP-05: one call for a change.
void naive_find_own(const naive *naive, naive_change *change, kin_entity_event event)
{
    for (uint32_t i = 0; i < naive->subscription_count; i++) {
        const naive_subscription *each = &naive->subscriptions[i];
        if (!each->ended && each->source == SOURCE_ENTITY && each->entity == change->entity &&
            each->event == (int32_t)event)
            append(change, i, -1);
    }
}

void naive_find_context(const naive *naive, naive_change *change, kin_context_event event)
{
    for (uint32_t i = 0; i < naive->subscription_count; i++) {
        const naive_subscription *each = &naive->subscriptions[i];
        if (!each->ended && each->source == SOURCE_CONTEXT && each->event == (int32_t)event)
            append(change, i, -1);
    }
}

// DSP-02, DSP-04, CTX-12: the entity's own listeners, then those of all changes.
void naive_find_changed(const naive *naive, naive_change *change, kin_entity_event event)
{
    change->event = (int32_t)event;
    naive_find_own(naive, change, event);
    naive_find_context(naive, change, KIN_COMPONENT_CHANGED);
}

static void make_call(naive *naive, const naive_change *change, const naive_call *call)
{
    const naive_subscription *subscription = &naive->subscriptions[call->subscription];
    if (subscription->collector >= 0) {
        naive_collect(naive, subscription->collector, change->entity);
        return;
    }
    // DSP-04: in a replace, removed shows the former value and added the new one.
    bool replaced = is_replaced(change);
    model_record record = {.kind = MODEL_CALL,
                           .number = subscription->number,
                           .place = subscription->source == SOURCE_GROUP ? subscription->matcher : -1,
                           .entity = change->entity,
                           .part = change->part,
                           .previous = replaced && call->event == KIN_ADDED ? MODEL_NO_VALUE : change->previous,
                           .value = replaced && call->event == KIN_REMOVED ? MODEL_NO_VALUE : change->value};
    if (subscription->source == SOURCE_CONTEXT && subscription->event == KIN_GROUP_CREATED)
        record.place = change->matcher;
    if (subscription->source == SOURCE_CONTEXT && subscription->event == KIN_COMPONENT_CHANGED)
        record.event = change->event;
    model_call(naive->side, record);
}

// DSP-07: calls that wait for an entity that has died since are skipped, except those of its destruction. DSP-08: so
// are the calls of ended subscriptions.
void naive_notify(naive *naive, naive_change *change)
{
    naive->depth++;
    for (uint32_t i = 0; i < change->count; i++) {
        const naive_call *call = &change->calls[i];
        bool is_about_it = change->entity != 0 && !change->is_destruction;
        bool is_current = naive->life == change->life && naive_find(naive, change->entity) != NULL;
        if (!naive->subscriptions[call->subscription].ended && (!is_about_it || is_current))
            make_call(naive, change, call);
    }
    change->count = 0;
    naive->depth--;
}
