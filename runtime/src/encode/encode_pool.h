// What a context has besides chunks and values, as bytes: creation indices, and which slots come next (block.h).
#ifndef KIN_SRC_ENCODE_POOL_H
#define KIN_SRC_ENCODE_POOL_H

#include "encode/encoder.h"
#include "image/part.h"

// Appends what is behind the numbers of CTXT.
void kin__encode_context(kin__encoder *encoder, const kin__context_snapshot *part);

// Returns the hash of these bytes.
uint64_t kin__hash_context(const kin__context_snapshot *part);

#endif
