#include "naive.h"

#include <check.h>
#include <string.h>

static bool is_free(const naive_slot *slot)
{
    return !slot->alive && !slot->stripped && slot->holders == 0;
}

void naive_slots_begin(naive *naive)
{
    naive->next_creation_index = naive->options.first_creation_index;
}

// CTX-07: slots are given out as in a new context, passing over held ones.
void naive_slots_reset(naive *naive)
{
    naive->freed_count = naive->begun = 0;
    naive->next_creation_index = naive->options.first_creation_index;
    for (uint32_t i = 0; i < MODEL_SLOTS; i++)
        naive->slots[i].fresh = false;
}

static naive_slot *find_fresh(naive *naive)
{
    for (uint32_t i = 0; i < naive->begun; i++)
        if (naive->slots[i].fresh)
            return &naive->slots[i];
    return NULL;
}

// ENT-03: the slot that was freed last; when none is free, the lowest not yet used; then the next 512.
static naive_slot *next_slot(naive *naive)
{
    if (naive->freed_count > 0)
        return &naive->slots[naive->freed[--naive->freed_count]];
    naive_slot *slot = find_fresh(naive);
    while (slot == NULL) {
        if (naive->begun == MODEL_SLOTS)
            ck_abort_msg("the model has too few slots");
        for (uint32_t i = naive->begun; i < naive->begun + 512; i++)
            naive->slots[i].fresh = is_free(&naive->slots[i]);
        naive->begun += 512;
        slot = find_fresh(naive);
    }
    slot->fresh = false;
    return slot;
}

// ENT-02.
naive_slot *naive_slots_take(naive *naive)
{
    naive_slot *slot = next_slot(naive);
    memset(slot, 0, sizeof *slot);
    slot->alive = true;
    slot->entity = naive->next_creation_index++ << 24 | (uint64_t)(slot - naive->slots);
    return slot;
}

// ENT-10: alive, being destroyed, or held.
bool naive_slots_are_full(const naive *naive)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < MODEL_SLOTS; i++)
        used += !is_free(&naive->slots[i]);
    return used >= naive->options.max_entities || naive->next_creation_index > ((uint64_t)1 << 40) - 1;
}

void naive_slots_free(naive *naive, naive_slot *slot)
{
    uint32_t number = (uint32_t)(slot - naive->slots);
    if (is_free(slot) && number < naive->begun)
        naive->freed[naive->freed_count++] = number;
}

static naive_slot *slot_of(naive *naive, kin_entity entity)
{
    uint32_t number = kin_entity_slot(entity);
    return number < MODEL_SLOTS && naive->slots[number].entity == entity ? &naive->slots[number] : NULL;
}

naive_slot *naive_find(naive *naive, kin_entity entity)
{
    naive_slot *slot = slot_of(naive, entity);
    return slot != NULL && slot->alive ? slot : NULL;
}

naive_slot *naive_find_held(naive *naive, kin_entity entity)
{
    naive_slot *slot = slot_of(naive, entity);
    return slot != NULL && (slot->alive || slot->holders > 0) ? slot : NULL;
}

uint32_t naive_count_alive(const naive *naive)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < MODEL_SLOTS; i++)
        count += naive->slots[i].alive && !naive->slots[i].leaving;
    return count;
}

uint32_t naive_count_held(const naive *naive)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < MODEL_SLOTS; i++)
        count += !naive->slots[i].alive && !naive->slots[i].stripped && naive->slots[i].holders > 0;
    return count;
}

naive_slot *naive_carrier(naive *naive, int32_t part)
{
    for (uint32_t i = 0; i < MODEL_SLOTS; i++)
        if (naive->slots[i].alive && (naive->slots[i].parts & model_bit(part)) != 0)
            return &naive->slots[i];
    return NULL;
}
