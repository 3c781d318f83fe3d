// Cleanup systems: each implements one `cleanup` of a schema. In the cleanup phase it processes the entities that had
// its component when the phase began: it removes the component, or destroys the entity.
//
//   marked   one bit for each slot of the context: a copy of the component's bits, made before the first change
//
// The bit set grows with the context, so that a cleanup never allocates. Entities that get the component during the
// cleanup are not processed.
//
// Invariant: `marked` has at least `slot_count` bits, which are at least the slots of the context.
//
// Cost: copies 64 bytes for each chunk, then one step for each word, and one change for each marked entity.
#ifndef KIN_SRC_CLEANUP_SYSTEM_H
#define KIN_SRC_CLEANUP_SYSTEM_H

#include "store/store.h"

#include <kin/systems.h>

typedef struct kin__cleanup_system {
    kin__slot_extension extension; // first member: its address is that of the cleanup system
    kin__memory memory;
    kin_context *context; // NULL once it is destroyed
    kin__cleanup cleanup;
    uint64_t *marked;    // one bit for each slot
    uint32_t slot_count; // bits of `marked`
} kin__cleanup_system;

// Returns NULL when out of memory.
kin__cleanup_system *kin__cleanup_system_create(kin_context *context, kin__cleanup cleanup);

// NULL is allowed.
void kin__cleanup_system_destroy(kin__cleanup_system *cleanup_system);

// The `cleanup` of the node. `self` is the cleanup system.
void kin__cleanup_system_run(void *self);

#endif
