// Restoring holds: what a snapshot has of owners, and of the slots that dead entities keep (hold.h, retain.h).
//
//   owners   entity, owner | entity, owner | …    with fast_retain: entity, count
//   held     the dead entities whose slots are held, in ascending slot
//
// Counts of holders are computed, not saved: after a restore a slot is held by the owners of the snapshot, and by
// collectors of its scope (kin__slot_extension.in_scope). A held slot that nobody holds any more goes to the end of its
// pool's list.
//
// The name of an owner is the caller's string, and valid while it retains. So an owner that the restore brings back has
// no name; one that retains before and after keeps it.
//
// Cost: saving visits the table of owners, and all slots while one is held; restoring visits all slots.
#ifndef KIN_SRC_HOLD_RESTORE_H
#define KIN_SRC_HOLD_RESTORE_H

#include "store/store.h"

typedef struct kin__saved_owner {
    kin_entity entity;
    const void *owner; // NULL with fast_retain
    uintptr_t count;   // with fast_retain: how often it is retained; else 1
} kin__saved_owner;

// Returns how many owners there are, and writes them, in any order.
uint32_t kin__owners_saved_count(const kin_context *context);
void kin__owners_save(const kin_context *context, kin__saved_owner *owners);

// Returns how many dead entities are held, and writes them. No change may be under way.
uint32_t kin__held_saved_count(const kin_context *context);
void kin__held_save(const kin_context *context, kin_entity *held);

// Returns a dead entity that a collector outside of the scope holds: after a restore it will not. 0: none.
kin_entity kin__held_from_outside(const kin_context *context);

// Reserves the table of owners, and counts in all chunks, which exist. False when out of memory.
bool kin__holds_restore_reserve(kin_context *context, const kin__saved_owner *owners, uint32_t owner_count);

// Puts owners in place and counts all holders, pending and held slots. Heads, pools and the collectors of the scope are
// in place.
void kin__holds_restore(kin_context *context, const kin__saved_owner *owners, uint32_t owner_count,
                        const kin_entity *held, uint32_t held_count);

// ---- between the parts of holds

// The table of owners: writes its pairs, reserves it, and puts it in place. (retain.c)
void kin__owners_save_table(const kin_context *context, kin__saved_owner *saved);
bool kin__owners_restore_reserve(kin_context *context, uint32_t count);
void kin__owners_restore(kin_context *context, const kin__saved_owner *saved, uint32_t count);

#endif
