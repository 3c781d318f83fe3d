#include "frame/decode.h"

const unsigned char *kin__decode_bytes(kin__decoder *decoder, size_t size)
{
    const unsigned char *at = decoder->at;
    if (size > kin__decoder_left(decoder)) {
        decoder->is_short = true;
        return NULL;
    }
    if (size > 0) // `at` is NULL in an empty block
        decoder->at += size;
    return at;
}

uint8_t kin__decode_8(kin__decoder *decoder)
{
    const unsigned char *bytes = kin__decode_bytes(decoder, 1);
    return bytes == NULL ? 0 : *bytes;
}

uint16_t kin__decode_16(kin__decoder *decoder)
{
    const unsigned char *bytes = kin__decode_bytes(decoder, 2);
    return (uint16_t)(bytes == NULL ? 0 : bytes[0] | bytes[1] << 8);
}

uint32_t kin__decode_32(kin__decoder *decoder)
{
    const unsigned char *bytes = kin__decode_bytes(decoder, 4);
    return bytes == NULL ? 0 : kin__little_read_32(bytes);
}

uint64_t kin__decode_64(kin__decoder *decoder)
{
    const unsigned char *bytes = kin__decode_bytes(decoder, 8);
    return bytes == NULL ? 0 : kin__little_read_64(bytes);
}

const char *kin__decode_text(kin__decoder *decoder, size_t *size)
{
    *size = kin__decode_16(decoder);
    const unsigned char *bytes = kin__decode_bytes(decoder, *size);
    if (bytes == NULL)
        *size = 0;
    return (const char *)bytes;
}

bool kin__decoder_end(kin__decoder *decoder, kin__block_reader *reader)
{
    if (decoder->is_short)
        return kin__block_reader_fault(reader, 1307, "its counts exceed its size");
    if (decoder->at != decoder->end)
        return kin__block_reader_fault(reader, 1307, "%zu bytes follow its content", kin__decoder_left(decoder));
    return true;
}

// Returns the size of the character at `at`; 0 if it is invalid. Overlong forms and surrogates are invalid.
static size_t character(const unsigned char *at, size_t left)
{
    if (at[0] < 0x80)
        return at[0] >= ' ' && at[0] != 0x7f;
    size_t size = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    if (at[0] < 0xc2 || at[0] > 0xf4 || size > left)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf0 && at[1] < 0x90) ||
        (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return size;
}

bool kin__is_name(const char *letters, size_t size)
{
    const unsigned char *at = (const unsigned char *)letters;
    while (size > 0) {
        size_t length = character(at, size);
        if (length == 0)
            return false;
        at += length;
        size -= length;
    }
    return true;
}
