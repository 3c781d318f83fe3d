// Snapshots of a context: a deep copy, and putting it back. A context's snapshot has the context alone: groups, and who
// listens or collects, are not rewound.

#include "naive.h"

#include <stdlib.h>
#include <string.h>

// SNP-06.
static bool is_inside(const naive *naive)
{
    bool inside = naive->depth > 0 || naive->deliveries > 0;
    for (uint32_t i = 0; i < naive->node_count; i++)
        inside = inside || naive->nodes[i].running > 0;
    return inside;
}

static void *copy_of(const void *from, size_t size)
{
    void *copy = malloc(size + 1);
    memcpy(copy, from, size);
    return copy;
}

// ---- opaque values (SNP-09)

// SNP-03: a snapshot of the context has stashed values, and none that only events wait for.
static bool is_stashed(const naive_slot *slot)
{
    return slot->alive && (slot->stashed & ~slot->moved & model_bit(PART_COIN)) != 0;
}

static uint32_t list_coins(const naive *naive, bool is_saved, uint32_t *coins)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < naive->touched; i++) {
        const naive_slot *slot = &naive->slots[i];
        if (slot->alive && (slot->parts & model_bit(PART_COIN)) != 0)
            coins[count++] = slot->coin;
        if (is_saved ? is_stashed(slot) : naive_keeps(naive, i, PART_COIN))
            coins[count++] = slot->last_coin;
    }
    return count;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

uint32_t naive_count_coins(const naive *naive)
{
    static uint32_t coins[2 * MODEL_SLOTS * (1 + MODEL_SNAPSHOTS)];
    uint32_t count = list_coins(naive, false, coins), different = 0;
    for (int32_t i = 0; i < MODEL_SNAPSHOTS; i++) {
        const naive_moment *moment = &naive->moments[i];
        for (uint32_t k = 0; k < moment->coin_count; k++)
            coins[count++] = moment->coins[k];
    }
    qsort(coins, count, sizeof *coins, compare_numbers);
    for (uint32_t i = 0; i < count; i++)
        different += i == 0 || coins[i] != coins[i - 1];
    return different;
}

// ---- saving

void naive_end_snapshot(naive *naive, int32_t number)
{
    naive_moment *moment = &naive->moments[number];
    free(moment->slots);
    free(moment->freed);
    free(moment->holds);
    free(moment->coins);
    *moment = (naive_moment){0};
}

static uint32_t owners_of(const naive_slot *slot, const naive_hold *holds, uint32_t count)
{
    uint32_t owners = slot->retained;
    for (uint32_t i = 0; i < count; i++)
        owners += holds[i].entity == slot->entity;
    return owners;
}

// SNP-08: whether a dead entity is held by others than owners, all of which are outside of the snapshot.
static bool is_held_outside(const naive *naive)
{
    for (uint32_t i = 0; i < naive->touched; i++) {
        const naive_slot *slot = &naive->slots[i];
        if (!slot->alive && slot->holders > 0 && slot->holders > owners_of(slot, naive->holds, naive->hold_count))
            return true;
    }
    return false;
}

// SNP-03.
kin_status naive_save(naive *naive, int32_t number)
{
    naive_moment *moment = &naive->moments[number];
    if (is_inside(naive))
        return naive_refuse(naive, KIN_ERROR_INVALID, 0, MODEL_NO_PART);
    naive_end_snapshot(naive, number);
    moment->slots = copy_of(naive->slots, naive->touched * sizeof *naive->slots);
    moment->freed = copy_of(naive->freed, naive->freed_count * sizeof *naive->freed);
    moment->holds = copy_of(naive->holds, naive->hold_count * sizeof *naive->holds);
    memcpy(moment->pools, naive->pools, sizeof naive->pools);
    moment->touched = naive->touched;
    moment->freed_count = naive->freed_count;
    moment->begun = naive->begun;
    moment->next_creation_index = naive->next_creation_index;
    moment->hold_count = naive->hold_count;
    static uint32_t coins[2 * MODEL_SLOTS];
    moment->coin_count = list_coins(naive, true, coins);
    moment->coins = copy_of(coins, moment->coin_count * sizeof *coins);
    return is_held_outside(naive) ? naive_refuse(naive, KIN_ERROR_RETAINED, 0, MODEL_NO_PART) : KIN_OK;
}

// ---- going back

// SNP-19: those of entities that are alive before and after stay.
static bool stays(naive *naive, const naive_moment *moment, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    return naive_find(naive, entity) != NULL && slot < moment->touched && moment->slots[slot].entity == entity &&
           moment->slots[slot].alive;
}

static void end_listeners(naive *naive, const naive_moment *moment)
{
    for (uint32_t i = 0; i < naive->subscription_count; i++) {
        naive_subscription *each = &naive->subscriptions[i];
        if (each->source == SOURCE_ENTITY && !stays(naive, moment, each->entity))
            each->ended = true;
    }
    for (uint32_t i = 0; i < naive->event_listener_count; i++)
        if (!stays(naive, moment, naive->event_listeners[i].entity))
            naive->event_listeners[i].ended = true;
}

// The name of an owner is its own, and good while it retains: an owner that comes back has none.
static void restore_holds(naive *naive, const naive_moment *moment)
{
    static naive_hold now[NAIVE_HOLDS];
    uint32_t count = naive->hold_count;
    memcpy(now, naive->holds, count * sizeof *now);
    memcpy(naive->holds, moment->holds, moment->hold_count * sizeof *naive->holds);
    naive->hold_count = moment->hold_count;
    for (uint32_t i = 0; i < naive->hold_count; i++) {
        naive_hold *hold = &naive->holds[i];
        hold->has_name = false;
        for (uint32_t k = 0; k < count; k++)
            if (now[k].entity == hold->entity && now[k].owner == hold->owner)
                hold->has_name = now[k].has_name;
    }
}

static void put_back(naive *naive, const naive_moment *moment)
{
    memset(naive->slots, 0, naive->touched * sizeof *naive->slots);
    memcpy(naive->slots, moment->slots, moment->touched * sizeof *naive->slots);
    memcpy(naive->freed, moment->freed, moment->freed_count * sizeof *naive->freed);
    memcpy(naive->pools, moment->pools, sizeof naive->pools);
    naive->touched = moment->touched;
    naive->freed_count = moment->freed_count;
    naive->begun = moment->begun;
    naive->next_creation_index = moment->next_creation_index;
    restore_holds(naive, moment);
}

// SNP-18: slots that only collectors held are free, and taken last, by slot.
static void hold_again(naive *naive)
{
    for (uint32_t i = 0; i < naive->touched; i++) {
        naive_slot *slot = &naive->slots[i];
        uint32_t before = slot->holders;
        slot->holders = owners_of(slot, naive->holds, naive->hold_count);
        if (slot->alive || before == 0 || slot->holders > 0 || i >= naive->begun)
            continue;
        memmove(naive->freed + 1, naive->freed, naive->freed_count++ * sizeof *naive->freed);
        naive->freed[0] = i;
    }
}

// SNP-21: every active collector has the members of its groups, by slot.
static void collect_members(naive *naive)
{
    for (int32_t c = 0; c < (int32_t)(sizeof naive->collectors / sizeof *naive->collectors); c++) {
        const naive_collector *collector = &naive->collectors[c];
        for (uint32_t i = 0; i < naive->touched && collector->made && collector->active; i++)
            for (int k = 0; k < 2; k++) {
                bool enters = collector->events[k] == KIN_ADDED || collector->events[k] == KIN_ADDED_OR_REMOVED;
                if (enters && collector->matchers[k] >= 0 && naive->slots[i].alive &&
                    model_matches(&naive->package->matchers[collector->matchers[k]], naive->slots[i].parts))
                    naive_collect(naive, c, naive->slots[i].entity);
            }
    }
}

// SNP-13, SNP-14, SNP-18.
kin_status naive_rewind(naive *naive, const model_operation *operation)
{
    const naive_moment *moment = &naive->moments[operation->number];
    if (is_inside(naive) || moment->slots == NULL)
        return naive_refuse(naive, KIN_ERROR_INVALID, 0, MODEL_NO_PART);
    end_listeners(naive, moment);
    put_back(naive, moment);
    for (uint32_t c = 0; c < sizeof naive->collectors / sizeof *naive->collectors; c++)
        naive->collectors[c].collected.count = 0;
    hold_again(naive);
    if (operation->other == KIN_RESTORE_ANEW)
        collect_members(naive);
    naive_change change;
    naive_change_begin(naive, &change, 0, MODEL_NO_PART);
    naive_find_context(naive, &change, KIN_CONTEXT_RESTORED);
    naive_notify(naive, &change);
    return KIN_OK;
}
