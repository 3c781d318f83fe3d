// Snapshots: parts of contexts (part.h), and for a world the state of its systems, laid out as systems_state.h says.
//
// A save makes all parts before it touches the snapshot, and a restore reserves all that it needs before it changes a
// context: so either may be refused without a trace.
#ifndef KIN_SRC_SNAPSHOT_H
#define KIN_SRC_SNAPSHOT_H

#include "image/part.h"

#include <kin/snapshot.h>
#include <kin/world.h>

struct kin__xxh64;

// What other rooms can do with the state of systems.
typedef struct kin__systems_functions {
    // Adds the hash of the path and that of the state of each system, in order of running. False when out of memory.
    bool (*add_to_hash)(const kin_snapshot *snapshot, struct kin__xxh64 *hash);
    // Returns how many systems differ.
    uint64_t (*compare)(const kin_snapshot *before, const kin_snapshot *after);
} kin__systems_functions;

struct kin_snapshot {
    kin__memory memory; // of this struct and its tables: the allocator of the first context, or of the world
    uint32_t part_count, part_capacity;
    kin__context_snapshot **parts; // in order of the names of the contexts; an entry is NULL once its context has ended
    void *systems;                 // the state of the systems, written and read by the world; NULL: none
    size_t systems_size, systems_capacity;
    const kin_world_info *world_info;                // of the world whose systems they are; NULL: a context's
    const kin__systems_functions *systems_functions; // NULL: no systems
};

// Makes `*snapshot` of the parts, which it then owns; or gives the one that is there these parts, and lets go of those
// that it had, and of the state of systems. `memory` is that of the snapshots of its only context, or a whole of the
// world. False when out of memory, with nothing changed: then the parts are still the caller's.
bool kin__snapshot_put(kin_snapshot **snapshot, kin__memory *memory, kin__context_snapshot *const *parts,
                       uint32_t part_count);

// Returns the part of a context with this info; NULL if it has none.
kin__context_snapshot *kin__snapshot_part(const kin_snapshot *snapshot, const kin_context_info *info);

#endif
