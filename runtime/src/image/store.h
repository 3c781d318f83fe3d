// Stores: all that a context keeps for its snapshots.
//
//   last    for each block, an image that it was equal to when it was last saved or restored
//   spare   images without references, by number
//   parts   those of snapshots; and spare ones
//
// A context has no store before its first save or restore. The bytes of images come in slabs, which trimming releases
// once none of their images has references.
#ifndef KIN_SRC_STORE_H
#define KIN_SRC_STORE_H

#include "image/part.h"

// Empties the snapshots of the context, and releases all its images. Before its blocks are released.
void kin__store_release(kin_context *context);

// Releases what no snapshot has.
void kin__store_trim(kin_context *context);

// Returns the bytes that snapshots have.
size_t kin__store_used(const kin_context *context);

#endif
