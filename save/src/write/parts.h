// Parts: the contexts of a snapshot that are in its file, sorted by the bytes of their identities; and the leaves of
// its messages.
#ifndef KIN_SRC_PARTS_H
#define KIN_SRC_PARTS_H

#include "frame/fault.h"
#include "snapshot/snapshot.h"
#include "world/world.h"

typedef struct kin__written_part {
    const kin__context_snapshot *part;
    kin__shape *shape;
} kin__written_part;

typedef struct kin__written_parts {
    kin__written_part *parts;
    uint32_t count;
    const kin_world_info *world; // whose systems are in the file; NULL: none
    kin__message_leaves messages;
    kin__memory memory; // of the shapes: malloc's
    kin__fault *fault;
} kin__written_parts;

// Makes them. False, with a fault noted, when out of memory, for a snapshot that is empty, and for that of a world of
// which a context has ended. Release them in any case.
bool kin__written_parts_make(kin__written_parts *parts, const kin_snapshot *snapshot, kin__fault *fault);
void kin__written_parts_release(kin__written_parts *parts);

#endif
