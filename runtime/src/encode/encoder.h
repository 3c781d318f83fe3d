// Encoder: buffers little-endian bytes and passes them to a function when the buffer is full.
//
// If the function fails, the encoder remembers that and does not call it again.
#ifndef KIN_SRC_ENCODER_H
#define KIN_SRC_ENCODER_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

enum { KIN__ENCODER_SIZE = 4096 }; // bytes: a few thousand cycles between two calls, and fits a small stack

typedef struct kin__encoder {
    bool (*write)(const void *bytes, size_t size, void *user); // returns false on failure
    void *user;
    bool has_failed;
    size_t used;
    unsigned char bytes[KIN__ENCODER_SIZE];
} kin__encoder;

// Begins without bytes. `write` is called with `user`.
void kin__encoder_begin(kin__encoder *encoder, bool (*write)(const void *bytes, size_t size, void *user), void *user);

// Passes all buffered bytes on. Returns whether every call so far succeeded.
bool kin__encoder_flush(kin__encoder *encoder);

// Returns the address of `size` bytes, at most KIN__ENCODER_SIZE, to write to. kin__encoder_advance appends them.
static inline unsigned char *kin__encoder_room(kin__encoder *encoder, size_t size)
{
    KIN_ASSERT(size <= KIN__ENCODER_SIZE);
    if (size > KIN__ENCODER_SIZE - encoder->used)
        kin__encoder_flush(encoder);
    return encoder->bytes + encoder->used;
}

static inline void kin__encoder_advance(kin__encoder *encoder, size_t size)
{
    KIN_ASSERT(size <= KIN__ENCODER_SIZE - encoder->used);
    encoder->used += size;
}

// Appends any number of bytes.
void kin__encode_bytes(kin__encoder *encoder, const void *bytes, size_t size);

static inline void kin__encode_8(kin__encoder *encoder, uint8_t number)
{
    *kin__encoder_room(encoder, sizeof number) = number;
    kin__encoder_advance(encoder, sizeof number);
}

static inline void kin__encode_16(kin__encoder *encoder, uint16_t number)
{
    kin__little_write_16(kin__encoder_room(encoder, sizeof number), number);
    kin__encoder_advance(encoder, sizeof number);
}

static inline void kin__encode_32(kin__encoder *encoder, uint32_t number)
{
    kin__little_write_32(kin__encoder_room(encoder, sizeof number), number);
    kin__encoder_advance(encoder, sizeof number);
}

static inline void kin__encode_64(kin__encoder *encoder, uint64_t number)
{
    kin__little_write_64(kin__encoder_room(encoder, sizeof number), number);
    kin__encoder_advance(encoder, sizeof number);
}

// Appends a number by its bits.
void kin__encode_double(kin__encoder *encoder, double number);

// Appends the length of a name as 16 bits, and its letters.
void kin__encode_name(kin__encoder *encoder, const char *name);

#endif
