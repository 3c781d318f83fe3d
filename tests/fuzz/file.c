// Fuzzing files of saves: any bytes as a file of one of three packages, with the sums of its blocks made right.
//
// A file that is accepted gives a snapshot that a context can restore, which a checked build checks. After 200
// operations the context is saved, written and read again, which gives the same state and the same bytes.
#include "base/base.h"
#include "fuzz/operate.h"
#include "fuzz/repair.h"
#include "save/past_make.h"
#include "save/save_others.h"

#include <past/past.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { PACKAGE = 18 };

// ---- the file

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s; the last error: %s\n", what, past_case_error);
    abort();
}

// Returns an empty context of the package that the file names.
static kin_context *create_context(const unsigned char *bytes)
{
    kin_context_options options = past_case_options();
    const unsigned char *package = bytes + KIN__MAGIC_SIZE + KIN__BLOCK_HEAD + PACKAGE;
    if (package[0] != 'a')
        return &past_context_create(&options)->base;
    return package[1] == 'l' ? save_almanac_create(false) : save_archive_create(false);
}

// ---- one input

// Writes the context's state and reads it again.
static void write_and_read(kin_context *context, const unsigned char *bytes)
{
    buffer file = {0}, again = {0};
    kin_snapshot *saved = NULL, *read = NULL;
    kin_context *other = create_context(bytes);
    expect(kin__context_save(context, &saved) == KIN_OK, "it is not saved");
    expect(kin_snapshot_write(saved, buffer_sink(&file), NULL) == KIN_OK, "it is not written");
    expect(kin_context_read(other, &read, buffer_source(&file), NULL, NULL) == KIN_OK, "it is not read again");
    expect(kin_snapshot_hash(saved) == kin_snapshot_hash(read), "it has another hash");
    expect(kin_snapshot_write(read, buffer_sink(&again), NULL) == KIN_OK, "it is not written again");
    expect(file.size == again.size && memcmp(file.bytes, again.bytes, file.size) == 0, "it has other bytes");
    kin_snapshot_destroy(saved);
    kin_snapshot_destroy(read);
    kin__context_destroy(other);
    buffer_release(&file);
    buffer_release(&again);
}

static void play_on(kin_context *context, const kin_snapshot *read, const unsigned char *bytes, size_t size)
{
    expect(kin__context_restore(context, read, KIN_RESTORE_EXACTLY) == KIN_OK, "it is not restored");
    write_and_read(context, bytes);
    operate(context, kin__xxh64_of(bytes, size, 0));
    write_and_read(context, bytes);
    expect(kin__context_restore(context, read, KIN_RESTORE_ANEW) == KIN_OK, "it is not restored again");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < KIN__MAGIC_SIZE + KIN__BLOCK_HEAD + PACKAGE + 2)
        return 0;
    buffer file = {malloc(size), size, size, 0, 0, 0, 0};
    memcpy(file.bytes, bytes, size);
    memcpy(file.bytes, kin__magic, KIN__MAGIC_SIZE);
    repair(file.bytes, size, NULL);
    past_case_error[0] = '\0';
    kin_context *context = create_context(file.bytes);
    kin_snapshot *read = NULL;
    kin_read_options options = {.drop_unknown = size % 2 == 0};
    kin_status status = kin_context_read(context, &read, buffer_source(&file), &options, NULL);
    expect((status == KIN_OK) == (read != NULL), "a file that was refused gave a snapshot");
    expect(status == KIN_OK || strstr(past_case_error, "[K13") != NULL, "it was refused without a code");
    if (status == KIN_OK)
        play_on(context, read, file.bytes, size);
    kin_snapshot_destroy(read);
    kin__context_destroy(context);
    buffer_release(&file);
    return 0;
}
