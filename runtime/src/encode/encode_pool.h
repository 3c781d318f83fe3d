// Encodes the state of a context besides chunks and values: creation indices, and which slots are used next (block.h).
#ifndef KIN_SRC_ENCODE_POOL_H
#define KIN_SRC_ENCODE_POOL_H

#include "encode/encoder.h"
#include "image/part.h"

// Appends the content of CTXT, which follows its numbers.
void kin__encode_context(kin__encoder *encoder, const kin__context_snapshot *part);

// Returns the hash of these bytes.
uint64_t kin__hash_context(const kin__context_snapshot *part);

#endif
