// Input: bytes from a source, which may be compressed. It never reads more of the source than it needs.
#ifndef KIN_SRC_INPUT_H
#define KIN_SRC_INPUT_H

#include "frame/fault.h"

#include <kin/save.h>

typedef struct kin__input {
    kin_source source;
    uint64_t offset, limit;   // bytes read so far, and the most allowed
    struct ZSTD_DCtx_s *zstd; // NULL: not compressed
    unsigned char *packed;    // compressed bytes from the source
    size_t packed_at, packed_size, hint;
    bool frame_is_over;
    bool has_ended; // the source gave fewer bytes than were asked for
    kin__fault *fault;
} kin__input;

// Reads the magic bytes. `limit` counts bytes after decompression. False, with a fault noted, if it is not a file of
// Kin. Call kin__input_end in any case.
bool kin__input_begin(kin__input *input, kin_source source, uint64_t limit, kin__fault *fault);

// Returns the number of bytes read, less than `size` at the end or after a fault.
size_t kin__input_read(kin__input *input, void *bytes, size_t size);

// Whether the compressed frame ends here and its own checksum is correct. False, with a fault noted, if not.
bool kin__input_is_over(kin__input *input);

void kin__input_end(kin__input *input);

#endif
