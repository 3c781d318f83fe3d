// Slots of the naive world: which are alive, being stripped, held or free, and which one comes next.
//
// A new entity gets the slot that was freed last; when none is free, the lowest not yet used of the 512s that were
// begun; then the next 512 are begun. A reset begins anew and passes over those that are held or being stripped.
#ifndef KIN_TESTS_RUNTIME_MODEL_SLOTS_H
#define KIN_TESTS_RUNTIME_MODEL_SLOTS_H

#include "model.h"

typedef struct model_slot {
    kin_entity entity; // the last one here
    bool alive, stripped, fresh;
    uint32_t holders;
    uint32_t mask; // components
    int32_t values[MODEL_COMPONENTS];
} model_slot;

typedef struct model_slots {
    model_slot slots[MODEL_SLOTS];
    uint32_t freed[MODEL_SLOTS], freed_count; // freed last, last
    uint32_t begun;                           // slots of which some may be fresh
    uint64_t next_creation_index;
    uint32_t max_entities;
} model_slots;

void model_slots_begin(model_slots *slots, uint32_t max_entities);
void model_slots_reset(model_slots *slots);

// NULL when as many as allowed are alive, being stripped or held.
model_slot *model_slots_create(model_slots *slots);

// The slot of a living entity, or NULL.
model_slot *model_slots_find(model_slots *slots, kin_entity entity);

// Nobody strips or nobody holds it any more: frees it when it is dead and neither does.
void model_slots_free(model_slots *slots, model_slot *slot);

uint32_t model_slots_alive(const model_slots *slots);
uint32_t model_slots_held(const model_slots *slots);

#endif
