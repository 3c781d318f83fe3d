// Output: bytes to a sink, compressed or not. It uses malloc, as the writing thread need not be that of the context.
#ifndef KIN_SRC_OUTPUT_H
#define KIN_SRC_OUTPUT_H

#include "frame/fault.h"

#include <kin/save.h>

typedef struct kin__output {
    kin_sink sink;
    struct ZSTD_CCtx_s *zstd; // NULL: not compressed
    unsigned char *packed;    // compressed bytes for the sink
    kin__fault *fault;
} kin__output;

// False, with a fault noted, when out of memory. Call kin__output_end in any case.
bool kin__output_begin(kin__output *output, kin_sink sink, int level, kin__fault *fault);

// Writes bytes. False after a fault.
bool kin__output_write(kin__output *output, const void *bytes, size_t size);

// Passes all bytes written so far to the sink, so that a reader can read them. False after a fault.
bool kin__output_flush(kin__output *output);

// Writes the remaining bytes, unless a fault is noted, and releases all memory. False after a fault.
bool kin__output_end(kin__output *output);

#endif
