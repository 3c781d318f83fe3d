// Output: bytes to a sink, compressed or not. Its memory is malloc's, as another thread may write than the one that the
// context belongs to.
#ifndef KIN_SRC_OUTPUT_H
#define KIN_SRC_OUTPUT_H

#include "frame/fault.h"

#include <kin/save.h>

typedef struct kin__output {
    kin_sink sink;
    struct ZSTD_CCtx_s *zstd; // NULL: not compressed
    unsigned char *packed;    // compressed bytes on their way to the sink
    kin__fault *fault;
} kin__output;

// False, with a fault noted, when out of memory. End it in any case.
bool kin__output_begin(kin__output *output, kin_sink sink, int level, kin__fault *fault);

// Writes bytes. False when there is a fault.
bool kin__output_write(kin__output *output, const void *bytes, size_t size);

// Passes all that was written so far to the sink, so that it can be read. False when there is a fault.
bool kin__output_flush(kin__output *output);

// Writes what is still on its way, unless there is a fault, and releases all memory. False when there is a fault.
bool kin__output_end(kin__output *output);

#endif
