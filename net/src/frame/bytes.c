#include "frame/frame.h"

#include <string.h>

bool kin__bytes_out_grow(kin__bytes_out *out, size_t size)
{
    size_t capacity = 2 * (out->size + size) + 1024;
    unsigned char *at = out->has_failed ? NULL : kin__allocate(&out->memory, capacity);
    if (at == NULL) {
        out->has_failed = true;
        return false;
    }
    if (out->size > 0)
        memcpy(at, out->at, out->size);
    kin__release(&out->memory, out->at, out->capacity);
    out->at = at;
    out->capacity = capacity;
    return true;
}

void kin__bytes_out_release(kin__bytes_out *out)
{
    kin__release(&out->memory, out->at, out->capacity);
    out->at = NULL;
    out->size = out->capacity = 0;
}

void kin__put_bytes(kin__bytes_out *out, const void *bytes, size_t size)
{
    if (size == 0 || !kin__bytes_out_reserve(out, size))
        return;
    memcpy(out->at + out->size, bytes, size);
    out->size += size;
}

void kin__put_32(kin__bytes_out *out, uint32_t number)
{
    unsigned char bytes[4];
    kin__little_write_32(bytes, number);
    kin__put_bytes(out, bytes, sizeof bytes);
}

void kin__put_64(kin__bytes_out *out, uint64_t number)
{
    unsigned char bytes[8];
    kin__little_write_64(bytes, number);
    kin__put_bytes(out, bytes, sizeof bytes);
}

void kin__put_double(kin__bytes_out *out, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    kin__put_64(out, bits);
}

// Returns the seven bits of a group.
static unsigned group_of(const uint64_t *set, uint32_t bits, uint32_t group)
{
    unsigned value = 0;
    for (uint32_t i = 0; i < 7 && group * 7 + i < bits; i++)
        value |= (unsigned)kin__bits_have(set, group * 7 + i) << i;
    return value;
}

void kin__put_bits(kin__bytes_out *out, const uint64_t *set, uint32_t bits)
{
    if (bits <= 63) {
        kin__put_number(out, set[0]);
        return;
    }
    uint32_t count = (bits + 6) / 7;
    while (count > 1 && group_of(set, bits, count - 1) == 0)
        count--;
    for (uint32_t group = 0; group < count; group++)
        kin__put_8(out, (uint8_t)(group_of(set, bits, group) | (group + 1 < count ? 128 : 0)));
}

// ---- reading

const char kin__no_memory[] = "there is no memory";

bool kin__note_no_memory(kin__fault *fault, size_t refused)
{
    return kin__fault_note(fault, KIN_ERROR_NO_MEMORY, "no memory for %zu byte%s; free some and try again", refused,
                           refused == 1 ? "" : "s");
}

uint32_t kin__take_32(kin__bytes_in *in)
{
    const unsigned char *at = kin__take_bytes(in, 4);
    return at == NULL ? 0 : kin__little_read_32(at);
}

uint64_t kin__take_64(kin__bytes_in *in)
{
    const unsigned char *at = kin__take_bytes(in, 8);
    return at == NULL ? 0 : kin__little_read_64(at);
}

uint8_t kin__take_8(kin__bytes_in *in)
{
    const unsigned char *at = kin__take_bytes(in, 1);
    return at == NULL ? 0 : *at;
}

double kin__take_double(kin__bytes_in *in)
{
    uint64_t bits = kin__take_64(in);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

uint64_t kin__take_at_most(kin__bytes_in *in, uint64_t most)
{
    uint64_t number = kin__take_number(in);
    if (number <= most)
        return number;
    kin__refuse(in, "a number is too large");
    return 0;
}

uint64_t kin__take_long_number(kin__bytes_in *in)
{
    uint64_t number = 0;
    for (uint32_t shift = 0; in->at < in->end; shift += 7) {
        unsigned char byte = *in->at++;
        bool fits = shift < 63 || (shift == 63 && byte <= 1);
        bool is_short = byte == 0 && shift > 0;
        if (!fits || is_short) {
            kin__refuse(in, "a number is not in its shortest form");
            return 0;
        }
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return number;
    }
    kin__refuse(in, "it ends too early");
    return 0;
}

static void take_long_bits(kin__bytes_in *in, uint64_t *set, uint32_t bits)
{
    for (uint32_t group = 0; in->fault == NULL; group++) {
        const unsigned char *byte = kin__take_bytes(in, 1);
        for (uint32_t i = 0; byte != NULL && i < 7; i++) {
            if ((*byte >> i & 1) == 0)
                continue;
            if (group * 7 + i >= bits) {
                kin__refuse(in, "a mask has a bit that does not exist");
                return;
            }
            kin__bits_add(set, group * 7 + i);
        }
        if (byte == NULL || *byte < 128)
            return;
        if (group * 7 > bits)
            kin__refuse(in, "a mask is too long");
    }
}

void kin__take_bits(kin__bytes_in *in, uint64_t *set, uint32_t bits)
{
    memset(set, 0, (bits + 63) / 64 * sizeof *set);
    if (bits > 63) {
        take_long_bits(in, set, bits);
        return;
    }
    set[0] = kin__take_number(in);
    if (set[0] >> bits != 0) {
        set[0] = 0;
        kin__refuse(in, "a mask has a bit that does not exist");
    }
}
