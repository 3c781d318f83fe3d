// Fuzzing compressed files: any bytes as a frame of zstd, and any bytes as a file that is compressed.
//
// A frame is refused or gives a snapshot. A compressed file is accepted if and only if it is without compression, and
// then gives the same state. The limits of memory are those of the command line (runtime.mk).
#include "file/file.h"
#include "save/past_make.h"

#include <past/past.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const unsigned char zstd_magic[4] = {0x28, 0xb5, 0x2f, 0xfd};

static kin_status read_file(past_context *past, kin_snapshot **read, unsigned char *bytes, size_t size)
{
    buffer file = {bytes, size, size, 0, 0, 0, 0};
    kin_read_options options = {.max_bytes = (uint64_t)1 << 28};
    return kin_context_read(&past->base, read, buffer_source(&file), &options, NULL);
}

static void read_frame(past_context *past, const unsigned char *bytes, size_t size)
{
    kin_snapshot *read = NULL;
    unsigned char *frame = malloc(size + sizeof zstd_magic);
    memcpy(frame, zstd_magic, sizeof zstd_magic);
    memcpy(frame + sizeof zstd_magic, bytes, size);
    read_file(past, &read, frame, size + sizeof zstd_magic);
    kin_snapshot_destroy(read);
    free(frame);
}

static void read_compressed(past_context *past, const unsigned char *bytes, size_t size)
{
    kin_snapshot *plain = NULL, *read = NULL;
    size_t bound = ZSTD_compressBound(size);
    unsigned char *copy = malloc(size), *frame = malloc(bound);
    memcpy(copy, bytes, size);
    size_t length = ZSTD_compress(frame, bound, bytes, size, 1);
    kin_status expected = read_file(past, &plain, copy, size), status = read_file(past, &read, frame, length);
    if ((expected == KIN_OK) != (status == KIN_OK) && memcmp(bytes, zstd_magic, sizeof zstd_magic) != 0) {
        // Bytes behind the end are refused in a frame only.
        if (status != KIN_ERROR_CORRUPT || strstr(past_case_error, "[K1309]") == NULL)
            abort();
    } else if (status == KIN_OK && kin_snapshot_hash(plain) != kin_snapshot_hash(read)) {
        abort();
    }
    kin_snapshot_destroy(plain);
    kin_snapshot_destroy(read);
    free(copy);
    free(frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    kin_context_options options = past_case_options();
    if (size < sizeof zstd_magic)
        return 0;
    past_context *past = past_context_create(&options);
    read_frame(past, bytes, size);
    read_compressed(past, bytes, size);
    past_context_destroy(past);
    return 0;
}
