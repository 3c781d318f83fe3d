#include "encode/encoder.h"

#include <string.h>

void kin__encoder_begin(kin__encoder *encoder, bool (*write)(const void *bytes, size_t size, void *user), void *user)
{
    encoder->write = write;
    encoder->user = user;
    encoder->has_failed = false;
    encoder->used = 0;
}

static void pass_on(kin__encoder *encoder, const void *bytes, size_t size)
{
    if (size > 0 && !encoder->has_failed)
        encoder->has_failed = !encoder->write(bytes, size, encoder->user);
}

bool kin__encoder_flush(kin__encoder *encoder)
{
    pass_on(encoder, encoder->bytes, encoder->used);
    encoder->used = 0;
    return !encoder->has_failed;
}

void kin__encode_bytes(kin__encoder *encoder, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    if (size > KIN__ENCODER_SIZE / 2) {
        kin__encoder_flush(encoder);
        pass_on(encoder, bytes, size);
        return;
    }
    memcpy(kin__encoder_room(encoder, size), bytes, size);
    kin__encoder_advance(encoder, size);
}

void kin__encode_double(kin__encoder *encoder, double number)
{
    uint64_t bits;
    _Static_assert(sizeof bits == sizeof number, "doubles of 64 bits");
    memcpy(&bits, &number, sizeof bits);
    kin__encode_64(encoder, bits);
}

void kin__encode_name(kin__encoder *encoder, const char *name)
{
    size_t length = strlen(name);
    KIN_ASSERT(length <= UINT16_MAX);
    kin__encode_16(encoder, (uint16_t)length);
    kin__encode_bytes(encoder, name, length);
}
