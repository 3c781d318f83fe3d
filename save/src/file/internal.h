// What the files of this room share: libzstd, which compresses whole files. `kin` can be built without it, with
// KIN__WITHOUT_ZSTD: then compressed files are refused, and no file is compressed.
#ifndef KIN_SRC_SAVE_FILE_INTERNAL_H
#define KIN_SRC_SAVE_FILE_INTERNAL_H

#ifndef KIN__WITHOUT_ZSTD
#include <zstd.h>
enum { KIN__HAS_ZSTD = 1 };
#else

#include <stddef.h>

enum { KIN__HAS_ZSTD = 0 };

typedef struct ZSTD_DCtx_s ZSTD_DCtx;
typedef struct ZSTD_CCtx_s ZSTD_CCtx;
typedef struct ZSTD_inBuffer {
    const void *src;
    size_t size, pos;
} ZSTD_inBuffer;
typedef struct ZSTD_outBuffer {
    void *dst;
    size_t size, pos;
} ZSTD_outBuffer;
typedef enum { ZSTD_e_continue, ZSTD_e_flush, ZSTD_e_end } ZSTD_EndDirective;
enum { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag, ZSTD_c_windowLog, ZSTD_d_windowLogMax };

// Without a context, none of the others is called.
#define ZSTD_createDCtx()                                 ((ZSTD_DCtx *)NULL)
#define ZSTD_createCCtx()                                 ((ZSTD_CCtx *)NULL)
#define ZSTD_freeDCtx(context)                            ((void)(context))
#define ZSTD_freeCCtx(context)                            ((void)(context))
#define ZSTD_DCtx_setParameter(context, parameter, value) ((void)(context))
#define ZSTD_CCtx_setParameter(context, parameter, value) ((void)(context))
#define ZSTD_DStreamInSize()                              ((size_t)1)
#define ZSTD_CStreamOutSize()                             ((size_t)1)
#define ZSTD_isError(code)                                ((code) != 0)
#define ZSTD_getErrorName(code)                           "no libzstd"

static inline size_t ZSTD_decompressStream(ZSTD_DCtx *context, ZSTD_outBuffer *out, ZSTD_inBuffer *in)
{
    (void)context;
    (void)out;
    (void)in;
    return 1;
}

static inline size_t ZSTD_compressStream2(ZSTD_CCtx *context, ZSTD_outBuffer *out, ZSTD_inBuffer *in,
                                          ZSTD_EndDirective directive)
{
    (void)context;
    (void)out;
    (void)in;
    (void)directive;
    return 1;
}

#endif

#endif
