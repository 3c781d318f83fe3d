// Delta: the blocks of a context (snapshot/snapshot.h) that differ between two moments.
//
// Blocks with the same image are equal. Others are compared by the hashes of their contents, which images keep, so that
// what is not saved makes no difference. Cost: a look at each block, and a hash of those that do not share an image.
#ifndef KIN_SRC_DELTA_H
#define KIN_SRC_DELTA_H

#include "snapshot/snapshot.h"

// A context in two moments.
typedef struct kin__moments {
    const kin__context_snapshot *before, *after;
    const kin__shape *shape; // of both
    uint32_t context;        // its number
} kin__moments;

// Is called with a block of the later moment; or, if it is gone, with its numbers alone. Returns false to end the walk.
typedef bool kin__delta_visitor(const kin__block *block, bool is_gone, void *user);

// Visits the blocks that differ in the order of a file. Returns whether the visitor never returned false.
bool kin__delta_visit(const kin__moments *moments, kin__delta_visitor *visit, void *user);

#endif
