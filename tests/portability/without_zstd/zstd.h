// zstd for machines without it: whatever is compressed or decompressed fails. Files that are not compressed need none.
#ifndef KIN_TESTS_PORTABILITY_ZSTD_H
#define KIN_TESTS_PORTABILITY_ZSTD_H

#include <stddef.h>

typedef struct ZSTD_context ZSTD_CCtx, ZSTD_DCtx;
typedef struct ZSTD_inBuffer {
    const void *src;
    size_t size, pos;
} ZSTD_inBuffer;
typedef struct ZSTD_outBuffer {
    void *dst;
    size_t size, pos;
} ZSTD_outBuffer;
typedef enum { ZSTD_e_continue, ZSTD_e_end } ZSTD_EndDirective;

enum { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag, ZSTD_c_windowLog, ZSTD_d_windowLogMax };

#define ZSTD_createCCtx()                                 NULL
#define ZSTD_createDCtx()                                 NULL
#define ZSTD_freeCCtx(context)                            ((void)(context))
#define ZSTD_freeDCtx(context)                            ((void)(context))
#define ZSTD_CCtx_setParameter(context, parameter, value) ((void)(context), (void)(value))
#define ZSTD_DCtx_setParameter(context, parameter, value) ((void)(context), (void)(value))
#define ZSTD_CStreamOutSize()                             ((size_t)1)
#define ZSTD_DStreamInSize()                              ((size_t)1)
#define ZSTD_compressStream2(context, out, in, directive) ((void)(out), (void)(in), (void)(directive), (size_t)-1)
#define ZSTD_decompressStream(context, out, in)           ((void)(out), (void)(in), (size_t)-1)
#define ZSTD_isError(size)                                ((size) == (size_t)-1)
#define ZSTD_getErrorName(size)                           "there is no zstd here"

#endif
