#include "frame/output.h"

#include "frame/format.h"
#include "frame/zstd.h"

#include <stdlib.h>

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
    ZSTD_inBuffer in = {bytes, size, 0};
    for (;;) {
        ZSTD_outBuffer out = {output->packed, ZSTD_CStreamOutSize(), 0};
        size_t left = ZSTD_compressStream2(output->zstd, &out, &in, directive);
        if (ZSTD_isError(left))
            return kin__fault_note(output->fault, KIN_ERROR_NO_MEMORY, "zstd failed: %s; try again",
                                   ZSTD_getErrorName(left));
        if (!pass(output, output->packed, out.pos))
            return false;
        if (directive == ZSTD_e_continue ? in.pos == in.size : left == 0)
            return true;
    }
}

bool kin__output_write(kin__output *output, const void *bytes, size_t size)
{
    if (output->fault->status != KIN_OK)
        return false;
    return output->zstd == NULL ? pass(output, bytes, size) : compress(output, bytes, size, ZSTD_e_continue);
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
