#include "file/file.h"

#include "base/base.h"
#include "file/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- output

enum { LARGE_WINDOW_LEVEL = 17 }; // levels from this one on may use a larger window than readers allow

bool kin__output_begin(kin__output *output, kin_sink sink, int level, kin__fault *fault)
{
    *output = (kin__output){.sink = sink, .fault = fault};
    if (level == 0)
        return true;
    output->zstd = ZSTD_createCCtx();
    output->packed = malloc(ZSTD_CStreamOutSize());
    if (output->zstd == NULL || output->packed == NULL)
        return kin__fault_note(fault, KIN_ERROR_NO_MEMORY, "no memory to compress it; free some and try again");
    ZSTD_CCtx_setParameter(output->zstd, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(output->zstd, ZSTD_c_checksumFlag, 1);
    if (level >= LARGE_WINDOW_LEVEL)
        ZSTD_CCtx_setParameter(output->zstd, ZSTD_c_windowLog, KIN__WINDOW_LOG);
    return true;
}

static bool pass(kin__output *output, const void *bytes, size_t size)
{
    if (size > 0 && !output->sink.write(bytes, size, output->sink.user))
        return kin__fault_note(output->fault, KIN_ERROR_STREAM, "the sink failed; try again with another one");
    return true;
}

static bool compress(kin__output *output, const void *bytes, size_t size, ZSTD_EndDirective directive)
{
    KIN_ASSERT(output->zstd != NULL && output->fault->status == KIN_OK);
    ZSTD_inBuffer in = {bytes, size, 0};
    for (;;) {
        ZSTD_outBuffer out = {output->packed, ZSTD_CStreamOutSize(), 0};
        size_t left = ZSTD_compressStream2(output->zstd, &out, &in, directive);
        if (ZSTD_isError(left))
            return kin__fault_note(output->fault, KIN_ERROR_NO_MEMORY, "zstd failed: %s; try again",
                                   ZSTD_getErrorName(left));
        if (!pass(output, output->packed, out.pos))
            return false;
        bool is_done = left == 0;
        if (directive == ZSTD_e_continue)
            is_done = in.pos == in.size;
        if (is_done)
            return true;
    }
}

bool kin__output_write(kin__output *output, const void *bytes, size_t size)
{
    if (output->fault->status != KIN_OK)
        return false;
    if (output->zstd == NULL)
        return pass(output, bytes, size);
    return compress(output, bytes, size, ZSTD_e_continue);
}

bool kin__output_flush(kin__output *output)
{
    if (output->fault->status != KIN_OK)
        return false;
    return output->zstd == NULL || compress(output, NULL, 0, ZSTD_e_flush);
}

bool kin__output_end(kin__output *output)
{
    if (output->zstd != NULL && output->fault->status == KIN_OK)
        compress(output, NULL, 0, ZSTD_e_end);
    ZSTD_freeCCtx(output->zstd);
    free(output->packed);
    return output->fault->status == KIN_OK;
}

// ---- input

static const unsigned char zstd_magic[4] = {0x28, 0xb5, 0x2f, 0xfd};

// Reads `size` bytes, or fewer at the end of the source.
static size_t fetch(kin_source source, unsigned char *bytes, size_t size)
{
    size_t count = 0;
    while (count < size) {
        KIN_ASSERT(source.read != NULL);
        size_t more = source.read(bytes + count, size - count, source.user);
        if (more == 0 || more > size - count)
            break;
        count += more;
    }
    return count;
}

// Reads as many compressed bytes as zstd asks for, which never exceeds the frame.
static bool fill(kin__input *input)
{
    size_t size = kin__min_size(input->hint, ZSTD_DStreamInSize());
    input->packed_at = 0;
    input->packed_size = fetch(input->source, input->packed, size);
    return input->packed_size > 0;
}

// Decompresses up to `size` bytes. Returns their number.
static size_t unpack(kin__input *input, unsigned char *bytes, size_t size)
{
    ZSTD_outBuffer out = {bytes, size, 0};
    while (out.pos < size && !input->frame_is_over) {
        ZSTD_inBuffer in = {input->packed, input->packed_size, input->packed_at};
        size_t hint = ZSTD_decompressStream(input->zstd, &out, &in);
        if (ZSTD_isError(hint)) {
            kin__fault_note(input->fault, KIN_ERROR_CORRUPT, "after byte %" PRIu64 ", zstd reports: %s [K1303]",
                            input->offset + out.pos, ZSTD_getErrorName(hint));
            break;
        }
        KIN_ASSERT(out.pos <= out.size && in.pos <= in.size);
        input->packed_at = in.pos;
        input->frame_is_over = hint == 0;
        input->hint = hint;
        bool needs_more = out.pos < size && in.pos == in.size;
        if (hint != 0 && needs_more && !fill(input))
            break;
    }
    return out.pos;
}

static bool begin_zstd(kin__input *input)
{
    if (!KIN__HAS_ZSTD)
        return kin__fault_note(input->fault, KIN_ERROR_STREAM,
                               "it is compressed, and this program was built without libzstd; use 'zstd -d' first");
    input->zstd = ZSTD_createDCtx();
    input->packed = malloc(ZSTD_DStreamInSize());
    if (input->zstd == NULL || input->packed == NULL)
        return kin__fault_note(input->fault, KIN_ERROR_NO_MEMORY,
                               "no memory to decompress it; free some and try again");
    ZSTD_DCtx_setParameter(input->zstd, ZSTD_d_windowLogMax, KIN__WINDOW_LOG);
    memcpy(input->packed, zstd_magic, sizeof zstd_magic);
    input->packed_size = sizeof zstd_magic;
    return true;
}

bool kin__input_begin(kin__input *input, kin_source source, uint64_t limit, kin__fault *fault)
{
    unsigned char magic[KIN__MAGIC_SIZE];
    *input = (kin__input){.source = source, .limit = limit, .fault = fault};
    size_t count = fetch(source, magic, 4);
    if (count == 4 && memcmp(magic, zstd_magic, 4) == 0) {
        if (!begin_zstd(input))
            return false;
        count = unpack(input, magic, KIN__MAGIC_SIZE);
    } else if (count == 4 && memcmp(magic, kin__magic, 4) == 0) {
        count += fetch(source, magic + 4, KIN__MAGIC_SIZE - 4);
    }
    input->offset = count;
    if (count == KIN__MAGIC_SIZE && memcmp(magic, kin__magic, KIN__MAGIC_SIZE) == 0)
        return true;
    if (count < KIN__MAGIC_SIZE && input->zstd != NULL)
        return kin__fault_note(fault, KIN_ERROR_CORRUPT, "its compressed bytes end too early [K1302]");
    if (count < KIN__MAGIC_SIZE && memcmp(magic, kin__magic, count) == 0)
        return kin__fault_note(fault, KIN_ERROR_CORRUPT, "it ends after %zu bytes [K1302]", count);
    return kin__fault_note(fault, KIN_ERROR_CORRUPT, "it is not a file of Kin [K1301]");
}

size_t kin__input_read(kin__input *input, void *bytes, size_t size)
{
    if (input->fault->status != KIN_OK)
        return 0;
    if (size > input->limit - input->offset || input->offset > input->limit) {
        kin__fault_note(input->fault, KIN_ERROR_LIMIT, "it has more than %" PRIu64 " bytes, the limit; raise max_bytes",
                        input->limit);
        return 0;
    }
    size_t count;
    if (input->zstd == NULL)
        count = fetch(input->source, bytes, size);
    else
        count = unpack(input, bytes, size);
    KIN_ASSERT(count <= size);
    input->offset += count;
    input->has_ended = count < size && input->fault->status == KIN_OK;
    return count;
}

bool kin__input_is_over(kin__input *input)
{
    unsigned char more;
    if (input->zstd == NULL || input->fault->status != KIN_OK)
        return input->fault->status == KIN_OK;
    if (unpack(input, &more, 1) > 0)
        return kin__fault_note(input->fault, KIN_ERROR_CORRUPT, "bytes follow byte %" PRIu64 " in its frame [K1309]",
                               input->offset);
    if (!input->frame_is_over)
        return kin__fault_note(input->fault, KIN_ERROR_CORRUPT, "it ends too early after byte %" PRIu64 " [K1302]",
                               input->offset);
    return true;
}

void kin__input_end(kin__input *input)
{
    ZSTD_freeDCtx(input->zstd);
    free(input->packed);
}
