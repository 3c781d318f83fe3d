// Holds: the slot of a held entity is not used again after the entity is destroyed, until its last hold is removed.
//
//   chunk.holders[slot]   holds of the entity: by owners (retain.h) and by entries of collectors
//
// Removing the last hold of a dead entity notifies its KIN_ENTITY_RELEASED listeners and frees the slot.
//
// Invariants:
//   1. a slot with holds is living or pending, never free
//   2. the row of a dead, held slot stores the entity's handle, once its components are gone
#ifndef KIN_SRC_HOLD_H
#define KIN_SRC_HOLD_H

#include "core/frame.h"
#include "storage/chunk.h"

// Returns whether removing a hold of the entity notifies listeners: the entity is dead, this is its last hold, and the
// context has listeners of ends.
bool kin__hold_is_last(const kin_context *context, kin_entity entity);

// Returns the dead entity in the lowest held slot; 0 if there is none. Looks at every slot.
kin_entity kin__hold_first(const kin_context *context);

// Adds a hold of an entity that is alive, being destroyed, or dead and held.
static inline void kin__hold_add(const kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(context->core->slots.counts_holders);
    KIN_ASSERT(kin__chunk_of(context, entity) != NULL || kin__is_held(context, slot) ||
               kin__is_slot_being_destroyed(context, slot));
    kin__chunk_of_slot(context, slot)->holders[slot % KIN__CHUNK_SLOTS]++;
}

// The general case of kin__hold_remove: the entity may be dead, and this its last hold. The number of the slot is
// enough.
void kin__hold_remove_general(kin_context *context, kin_entity slot_or_entity);

// Removes a hold of an entity. Frees its slot if the entity is dead and this was its last hold.
static inline void kin__hold_remove(kin_context *context, kin_entity slot_or_entity)
{
    uint32_t slot = kin_entity_slot(slot_or_entity), place = slot % KIN__CHUNK_SLOTS;
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    if (chunk->ids[place] == slot_or_entity && chunk->holders[place] > 0)
        chunk->holders[place]--;
    else
        kin__hold_remove_general(context, slot_or_entity);
}

#endif
