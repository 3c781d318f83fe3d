#include "naive.h"

#include <check.h>
#include <string.h>

static bool is_free(const naive_slot *slot)
{
    return !slot->alive && !slot->destroying && slot->holders == 0;
}

void naive_slots_begin(naive *naive)
{
    naive->next_creation_index = naive->options.first_creation_index;
}

// CTX-07: slots are used as in a new context, except held ones.
void naive_slots_reset(naive *naive)
{
    naive->freed_count = naive->begun = 0;
    naive->next_creation_index = naive->options.first_creation_index;
    for (uint32_t i = 0; i < naive->touched; i++)
        naive->slots[i].fresh = false;
}

static int32_t pool_of(const naive *naive, uint32_t slot)
{
    return naive->pools[slot / 512];
}

int32_t naive_pool_of(const naive *naive, kin_entity entity)
{
    return pool_of(naive, kin_entity_slot(entity));
}

static naive_slot *find_freed(naive *naive, int32_t pool)
{
    for (uint32_t i = naive->freed_count; i > 0; i--) {
        uint32_t number = naive->freed[i - 1];
        if (pool_of(naive, number) != pool)
            continue;
        naive->freed_count--;
        memmove(&naive->freed[i - 1], &naive->freed[i], (naive->freed_count - (i - 1)) * sizeof *naive->freed);
        return &naive->slots[number];
    }
    return NULL;
}

static naive_slot *find_fresh(naive *naive, int32_t pool)
{
    for (uint32_t i = 0; i < naive->begun; i++)
        if (naive->slots[i].fresh && pool_of(naive, i) == pool)
            return &naive->slots[i];
    return NULL;
}

// ENT-03: the slot of the pool that was freed last; if none is free, its lowest unused slot; then the next 512.
static naive_slot *next_slot(naive *naive, int32_t pool)
{
    naive_slot *slot = find_freed(naive, pool);
    if (slot != NULL)
        return slot;
    slot = find_fresh(naive, pool);
    while (slot == NULL) {
        if (naive->begun == MODEL_SLOTS)
            ck_abort_msg("the model has too few slots");
        naive->pools[naive->begun / 512] = pool;
        for (uint32_t i = naive->begun; i < naive->begun + 512; i++)
            naive->slots[i].fresh = is_free(&naive->slots[i]);
        naive->begun += 512;
        naive->touched = naive->begun > naive->touched ? naive->begun : naive->touched;
        slot = find_fresh(naive, pool);
    }
    slot->fresh = false;
    return slot;
}

// ENT-02.
naive_slot *naive_slots_take(naive *naive, int32_t pool)
{
    naive_slot *slot = next_slot(naive, pool);
    memset(slot, 0, sizeof *slot);
    slot->alive = true;
    slot->entity = naive->next_creation_index++ << 24 | (uint64_t)(slot - naive->slots);
    return slot;
}

// Alive, being destroyed, or held; and limited by the last creation index.
uint64_t naive_slots_left(const naive *naive)
{
    uint64_t used = 0, indices = ((uint64_t)1 << 40) - naive->next_creation_index;
    for (uint32_t i = 0; i < naive->touched; i++)
        used += !is_free(&naive->slots[i]);
    uint64_t places = used < naive->options.max_entities ? naive->options.max_entities - used : 0;
    return places < indices ? places : indices;
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
    for (uint32_t i = 0; i < naive->touched; i++)
        count += naive->slots[i].alive && !naive->slots[i].leaving;
    return count;
}

uint32_t naive_count_held(const naive *naive)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < naive->touched; i++)
        count += !naive->slots[i].alive && !naive->slots[i].destroying && naive->slots[i].holders > 0;
    return count;
}

const naive_slot *naive_first_held(const naive *naive)
{
    for (uint32_t i = 0; i < naive->touched; i++) {
        const naive_slot *slot = &naive->slots[i];
        if (!slot->alive && !slot->destroying && slot->holders > 0)
            return slot;
    }
    return NULL;
}

naive_slot *naive_carrier(naive *naive, int32_t part)
{
    for (uint32_t i = 0; i < naive->touched; i++)
        if (naive->slots[i].alive && (naive->slots[i].parts & model_bit(part)) != 0)
            return &naive->slots[i];
    return NULL;
}
