// Parts: the contexts of a snapshot that its file contains, sorted by the bytes of their identities.
#ifndef KIN_SRC_PARTS_H
#define KIN_SRC_PARTS_H

#include "frame/fault.h"
#include "shape/shape.h"
#include "snapshot/snapshot.h"

typedef struct kin__written_part {
    const kin__context_snapshot *part;
    kin__shape *shape;
} kin__written_part;

typedef struct kin__written_parts {
    kin__written_part *parts;
    uint32_t count;
    kin__memory memory; // of the shapes, from malloc
    kin__fault *fault;
} kin__written_parts;

// Makes the parts. False, with a fault noted, when out of memory and for an empty snapshot. Release them in any case.
bool kin__written_parts_make(kin__written_parts *parts, const kin_snapshot *snapshot, kin__fault *fault);
void kin__written_parts_release(kin__written_parts *parts);

#endif
