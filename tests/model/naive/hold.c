#include "naive.h"

#include <check.h>

void naive_hold_entity(naive *naive, kin_entity entity)
{
    naive->slots[kin_entity_slot(entity)].holders++;
}

// ENT-18, RET-06: when the last holder of a dead entity releases it, that is reported; then its slot is free.
void naive_end_hold(naive *naive, kin_entity entity)
{
    naive_slot *slot = &naive->slots[kin_entity_slot(entity)];
    slot->holders--;
    if (slot->holders > 0 || slot->alive || slot->destroying)
        return;
    naive_change change;
    naive_change_begin(naive, &change, slot->entity, MODEL_NO_PART);
    change.is_destruction = slot->destroying = true;
    naive_find_own(naive, &change, KIN_ENTITY_RELEASED);
    naive_notify(naive, &change);
    naive_end_own(naive, change.entity, true);
    slot->destroying = false;
    naive_slots_free(naive, slot);
}

static naive_hold *find_hold(naive *naive, kin_entity entity, int32_t owner)
{
    for (uint32_t i = 0; i < naive->hold_count; i++)
        if (naive->holds[i].entity == entity && naive->holds[i].owner == owner)
            return &naive->holds[i];
    return NULL;
}

// RET-07: bit n for the name of owner n, or -1 if there are more owners than an error shows.
int32_t naive_shown_names(const naive *naive, const naive_slot *slot)
{
    enum { MOST_SHOWN = 3 };
    int32_t names = 0, owners = 0;
    for (uint32_t i = 0; i < naive->hold_count; i++)
        if (naive->holds[i].entity == slot->entity) {
            owners++;
            if (naive->holds[i].has_name)
                names |= 1 << naive->holds[i].owner;
        }
    return owners > MOST_SHOWN ? -1 : names;
}

// RET-02 to RET-04.
kin_status naive_retain(naive *naive, kin_entity entity, int32_t owner)
{
    naive_slot *slot = naive_find_held(naive, entity);
    if (slot == NULL)
        return naive_refuse(naive, KIN_ERROR_NOT_ALIVE, entity, MODEL_NO_PART);
    if (!naive->options.fast_retain && find_hold(naive, entity, owner) != NULL)
        return naive_refuse(naive, KIN_ERROR_RETAINED, entity, MODEL_NO_PART);
    if (naive->options.fast_retain)
        slot->retained++;
    else if (naive->hold_count == NAIVE_HOLDS)
        ck_abort_msg("the model holds too much");
    else
        naive->holds[naive->hold_count++] = (naive_hold){entity, owner, model_owner_names[owner] != NULL};
    naive_hold_entity(naive, entity);
    return KIN_OK;
}

// Whether the death of entities has subscribers: then the last release of a dead entity is reported.
static bool has_death_subscribers(const naive *naive)
{
    for (uint32_t i = 0; i < naive->subscription_count; i++) {
        const naive_subscription *each = &naive->subscriptions[i];
        bool life = each->event == KIN_ENTITY_WILL_BE_DESTROYED || each->event == KIN_ENTITY_WAS_DESTROYED;
        if (!each->ended && (each->source == SOURCE_ENTITY || (each->source == SOURCE_CONTEXT && life)))
            return true;
    }
    return false;
}

kin_status naive_release(naive *naive, kin_entity entity, int32_t owner)
{
    naive_slot *slot = naive_find_held(naive, entity);
    naive_hold *hold = find_hold(naive, entity, owner);
    bool holds = naive->options.fast_retain ? slot != NULL && slot->retained > 0 : hold != NULL;
    if (!holds)
        return naive_refuse(naive, KIN_ERROR_NOT_RETAINED, entity, MODEL_NO_PART);
    bool is_last = slot->holders == 1 && !slot->alive && !slot->destroying;
    if (is_last && has_death_subscribers(naive) && !naive_may_nest(naive))
        return naive_refuse(naive, KIN_ERROR_LIMIT, entity, MODEL_NO_PART);
    if (naive->options.fast_retain)
        slot->retained--;
    else
        *hold = naive->holds[--naive->hold_count];
    naive_end_hold(naive, entity);
    return KIN_OK;
}
