#include "model_slots.h"

#include <check.h>
#include <string.h>

static bool is_free(const model_slot *slot)
{
    return !slot->alive && !slot->stripped && slot->holders == 0;
}

void model_slots_begin(model_slots *slots, uint32_t max_entities)
{
    memset(slots, 0, sizeof *slots);
    slots->max_entities = max_entities;
    slots->next_creation_index = 1;
}

void model_slots_reset(model_slots *slots)
{
    slots->freed_count = slots->begun = 0;
    slots->next_creation_index = 1;
    for (uint32_t i = 0; i < MODEL_SLOTS; i++)
        slots->slots[i].fresh = false;
}

static model_slot *find_fresh(model_slots *slots)
{
    for (uint32_t i = 0; i < slots->begun; i++)
        if (slots->slots[i].fresh)
            return &slots->slots[i];
    return NULL;
}

static model_slot *take(model_slots *slots)
{
    if (slots->freed_count > 0)
        return &slots->slots[slots->freed[--slots->freed_count]];
    model_slot *slot = find_fresh(slots);
    while (slot == NULL) {
        if (slots->begun == MODEL_SLOTS)
            ck_abort_msg("the model has too few slots");
        for (uint32_t i = 0; i < 512; i++)
            slots->slots[slots->begun + i].fresh = is_free(&slots->slots[slots->begun + i]);
        slots->begun += 512;
        slot = find_fresh(slots);
    }
    slot->fresh = false;
    return slot;
}

model_slot *model_slots_create(model_slots *slots)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < MODEL_SLOTS; i++)
        used += !is_free(&slots->slots[i]);
    if (used >= slots->max_entities)
        return NULL;
    model_slot *slot = take(slots);
    *slot = (model_slot){.alive = true};
    slot->entity = slots->next_creation_index++ << 24 | (uint64_t)(slot - slots->slots);
    return slot;
}

model_slot *model_slots_find(model_slots *slots, kin_entity entity)
{
    uint32_t number = kin_entity_slot(entity);
    model_slot *slot = number < MODEL_SLOTS ? &slots->slots[number] : NULL;
    return slot != NULL && slot->alive && slot->entity == entity ? slot : NULL;
}

void model_slots_free(model_slots *slots, model_slot *slot)
{
    uint32_t number = (uint32_t)(slot - slots->slots);
    if (is_free(slot) && number < slots->begun)
        slots->freed[slots->freed_count++] = number;
}

uint32_t model_slots_alive(const model_slots *slots)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < MODEL_SLOTS; i++)
        count += slots->slots[i].alive;
    return count;
}

uint32_t model_slots_held(const model_slots *slots)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < MODEL_SLOTS; i++)
        count += !slots->slots[i].alive && !slots->slots[i].stripped && slots->slots[i].holders > 0;
    return count;
}
