// Sharing: what a reading takes over from the present moment of its context, as the frame does not replace it.
//
// Values stay where they are: their images are shared. A component that the recording does not have stays with the
// entities that are the same.
#ifndef KIN_SRC_PLAY_SHARE_H
#define KIN_SRC_PLAY_SHARE_H

#include "play/replaced.h"

// Take over CTXT, the entities of chunks, the values, and what was stashed or lost; and the order of holders. False,
// with a fault noted, when out of memory, or when the frame leaves something without its entity.
bool kin__share_context(kin__reading *reading, const kin__context_snapshot *present);
bool kin__share_slots(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced);
bool kin__share_columns(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced);
bool kin__share_kept(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced);
bool kin__share_links(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced);

// Takes over the order of all shared values, whose rows the frame then replaces.
bool kin__share_orders(kin__reading *reading, const kin__context_snapshot *present);

// Sets the bits of the places whose entity is the same. NULL: no entities.
void kin__share_find_same(const kin__image *before, const kin__image *now, uint64_t same[KIN__CHUNK_WORDS]);

// Whether a component of the chunk is not taken over, as a migration decides about its entities.
bool kin__share_is_decided(const kin__reading *reading, const kin__replaced *replaced, uint32_t chunk,
                           kin_component_id id);

// Takes over the owners of entities that are the same, once all slots are known.
bool kin__share_owners(kin__reading *reading, const kin__context_snapshot *present);

#endif
