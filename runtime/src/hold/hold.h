// Holds: a held slot is not used again when its entity is destroyed, until the last holder lets go.
//
// Holders are counted a slot (kin__chunk.holders). Owners (retain.h) and entries of collectors are holders. The last one
// to let go of a dead entity notifies its KIN_ENTITY_RELEASED listeners and frees the slot.
#ifndef KIN_SRC_HOLD_H
#define KIN_SRC_HOLD_H

#include "storage/chunk.h"

// Whether letting go of an entity notifies listeners: it is dead, this is its last holder, and the context has
// listeners of ends.
bool kin__is_last_holder(const kin_context *context, kin_entity entity);

// The dead entity in the lowest held slot; 0 when there is none.
kin_entity kin__first_held(const kin_context *context);

// Holds an entity that is alive, or dead and held.
static inline void kin__hold(const kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    kin__chunk_of_slot(context, slot)->holders[slot % KIN__CHUNK_SLOTS]++;
}

// The general case of kin__let_go: the entity may be dead and this its last holder. Only its slot need be given.
void kin__let_go_last(kin_context *context, kin_entity slot_or_entity);

// Lets go of an entity. Frees its slot when it is dead and this was its last holder.
static inline void kin__let_go(kin_context *context, kin_entity slot_or_entity)
{
    uint32_t slot = kin_entity_slot(slot_or_entity), place = slot % KIN__CHUNK_SLOTS;
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    if (chunk->ids[place] == slot_or_entity && chunk->holders[place] > 0)
        chunk->holders[place]--;
    else
        kin__let_go_last(context, slot_or_entity);
}

#endif
