// Holds: the slot of a held entity is not used again after the entity is destroyed, until its last hold is removed.
//
//   chunk.holders[slot]   holds of the entity by owners (retain.h); once it is destroyed, also by entries of collectors
//
// Each entry of a collector holds its entity. While the entity lives or is being destroyed, the bit of its slot in the
// collector's marks is all that says so: collecting it and dropping it again write no count. When it is destroyed,
// kin__slot_free finds the marks and counts them. Later the entity is not collected any more.
//
// Removing the last hold of a destroyed entity notifies its KIN_ENTITY_RELEASED listeners and frees the slot.
//
// Invariants, of which kin__holds_are_valid() checks the first two:
//   1. holders of a destroyed entity are its owners and the entries that have it; holders of another are its owners
//   2. slots.held counts the destroyed entities that have holders
//   3. a held slot is living or pending, never free
//   4. the row of a dead, held slot stores the entity's handle, once its components are gone
#ifndef KIN_SRC_HOLD_H
#define KIN_SRC_HOLD_H

#include "store/store.h"

// Returns whether removing a hold of the entity notifies listeners: the entity is dead, this is its last hold, and the
// context has listeners of ends.
bool kin__hold_is_last(const kin_context *context, kin_entity entity);

// Returns the dead entity in the lowest held slot; 0 if there is none. Looks at every slot.
kin_entity kin__hold_first(const kin_context *context);

// Adds the hold of an owner. The entity is alive, being destroyed, or dead and held.
static inline void kin__hold_add(const kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(context->core->slots.counts_holders);
    KIN_ASSERT(kin__chunk_of(context, entity) != NULL || kin__is_held(context, slot) ||
               kin__is_slot_being_destroyed(context, slot));
    kin__chunk_of_slot(context, slot)->holders[slot % KIN__CHUNK_SLOTS]++;
}

// The general case of kin__hold_remove: the entity may be dead, and this its last hold.
void kin__hold_remove_general(kin_context *context, uint32_t slot);

// The general case of kin__hold_remove_entry: the entity is dead.
void kin__hold_remove_entry_of_dead(kin_context *context, uint32_t slot);

// Removes the hold of an owner. Frees the slot if the entity is dead and this was its last hold.
static inline void kin__hold_remove(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity), place = slot % KIN__CHUNK_SLOTS;
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    if (chunk->ids[place] == entity && chunk->holders[place] > 0)
        chunk->holders[place]--;
    else
        kin__hold_remove_general(context, slot);
}

// Removes the hold of an entry that a collector drops, after its mark is cleared. Frees the slot if the entity is dead
// and this was its last hold.
static inline void kin__hold_remove_entry(kin_context *context, uint32_t slot)
{
    if (context->core->slots.held > 0 &&
        !kin__chunk_is_alive(kin__chunk_of_slot(context, slot), slot % KIN__CHUNK_SLOTS))
        kin__hold_remove_entry_of_dead(context, slot);
}

bool kin__holds_are_valid(const kin_context *context);

#endif
