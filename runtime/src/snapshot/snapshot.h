// Snapshot: parts of contexts (part.h), and for a world the state of its systems (systems_state.h).
//
// A save makes all parts before it changes the snapshot, and a restore reserves all memory before it changes a context,
// so either one fails without any effect.
#ifndef KIN_SRC_SNAPSHOT_H
#define KIN_SRC_SNAPSHOT_H

#include "image/part.h"

#include <kin/snapshot.h>
#include <kin/world.h>

struct kin__xxh64;

// Functions of room world_snapshot that other rooms call for the state of systems.
typedef struct kin__systems_functions {
    // Adds the hashes of the path and of the state of each system, in running order, to one hash or two; the second may
    // be NULL. False when out of memory.
    bool (*add_to_hash)(kin_snapshot *snapshot, struct kin__xxh64 *hash, struct kin__xxh64 *second);
    // Returns how many systems differ.
    uint64_t (*compare)(const kin_snapshot *before, const kin_snapshot *after);
} kin__systems_functions;

struct kin_snapshot {
    kin__memory memory; // of this struct and its tables: the allocator of the first context, or of the world
    uint32_t part_count, part_capacity;
    kin__context_snapshot **parts; // in order of the names of the contexts; an entry is NULL once its context has ended
    void *systems;                 // the state of the systems, which the world writes and reads; NULL: none
    size_t systems_size, systems_capacity;
    const kin_world_info *world_info;                // of the world that has the systems; NULL: no world
    const kin__systems_functions *systems_functions; // NULL: no systems
    void *leaves;                                    // of the messages of `leaves_info`, kept for the next hash
    size_t leaves_size;
    const kin_world_info *leaves_info; // NULL: not hashed so far
};

// Moves the parts to `*snapshot`, which is made if it is NULL; else its old parts and its state of systems are
// released. `memory` is the snapshot memory of its only context, or of the world as a whole. False when out of memory,
// with nothing changed: the caller still owns the parts.
bool kin__snapshot_put(kin_snapshot **snapshot, kin__memory *memory, kin__context_snapshot *const *parts,
                       uint32_t part_count);

// Returns the part of the context with this info; NULL if the snapshot has none.
kin__context_snapshot *kin__snapshot_part(const kin_snapshot *snapshot, const kin_context_info *info);

#endif
