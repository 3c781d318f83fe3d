// Fuzzing what kin does with saves: any bytes as a file, with the sums of its blocks made right, or as lines of JSON.
//
// A file that is accepted has no differences from itself. Lines that are accepted become a file that is accepted, and
// whose lines are packed into the same bytes again.
#undef _XOPEN_SOURCE
#define _GNU_SOURCE // for memfd_create
#include "check/package.h"
#include "fuzz/repair.h"
#include "save/dump.h"
#include "save/pack.h"
#include "save/save_chunk.h"
#include "save/save_diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { PATH_SIZE = 256 };

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

// A file in memory, which has a path.
typedef struct memory_file {
    int number;
    char path[PATH_SIZE];
} memory_file;

static memory_file memory_file_create(const void *bytes, size_t size)
{
    memory_file file = {.number = memfd_create("kin", 0)};
    expect(file.number >= 0 && write(file.number, bytes, size) == (ssize_t)size, "no file in memory");
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.number);
    return file;
}

// ---- files

static uint64_t hash_of_blocks(arena *arena, const char *path)
{
    save_walk *walk = arena_allocate(arena, sizeof *walk);
    if (save_file_begin(&walk->file, arena, path))
        while (save_walk_next(walk) != SAVE_STEP_END)
            ;
    uint64_t hash = walk->file.hash;
    save_walk_end(walk);
    return hash;
}

static int dump(arena *arena, const char *path, text *lines)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *output = open_memstream(&bytes, &size);
    diagnostics diagnostics = diagnostics_create(arena);
    int status = dump_file(arena, &diagnostics, path, DUMP_LINES, output);
    fclose(output);
    if (lines != NULL)
        text_append(lines, bytes, size);
    free(bytes);
    return status;
}

static void try_file(arena *arena, const char *path)
{
    FILE *nowhere = fopen("/dev/null", "w");
    diagnostics diagnostics = diagnostics_create(arena);
    int status = dump(arena, path, NULL);
    int compared = save_diff(arena, &diagnostics, (const char *const[]){path, path}, nowhere);
    fclose(nowhere);
    expect(status == compared, "a file differs from itself, or is read by one verb only");
}

static void try_bytes(arena *arena, const uint8_t *bytes, size_t size)
{
    unsigned char *copy = (unsigned char *)arena_copy(arena, (const char *)bytes, size);
    repair(copy, size, NULL);
    memory_file file = memory_file_create(copy, size);
    uint64_t hash = hash_of_blocks(arena, file.path);
    close(file.number);
    repair(copy, size, &hash);
    file = memory_file_create(copy, size);
    try_file(arena, file.path);
    close(file.number);
}

// ---- lines

static const package *read_schema(arena *arena)
{
    static const char schema[] =
        "kin: 1\npackage: past\ncontexts: { past: { default: true }, other: {} }\n"
        "types: { Side: { values: [Green, Red] }, Spot: { fields: { x: float, y: float } } }\n"
        "messages: { Hit: { fields: { damage: int32, word: \"string[7]\" } } }\n"
        "components:\n"
        "  Frozen: {}\n"
        "  Crown: { unique: true }\n"
        "  Place: { fields: { at: Spot, spots: \"Spot[2]\", cell: int16, big: uint64, side: Side, on: bool } }\n"
        "  Path: { fields: { stops: \"Spot[]\", sides: \"Side[]\", amount: double } }\n"
        "  Name: { fields: { value: string, code: \"string[3]\", of: entity<past> } }\n";
    diagnostics diagnostics = diagnostics_create(arena);
    const package *package =
        package_read(arena, &diagnostics, source_from_bytes(arena, "past.yaml", schema, sizeof schema - 1));
    expect(package != NULL, "the schema is wrong");
    return package;
}

static bool pack(arena *arena, const text *lines, const char *path)
{
    memory_file input = memory_file_create(lines->bytes, lines->size);
    diagnostics diagnostics = diagnostics_create(arena);
    int status = pack_file(arena, &diagnostics, read_schema(arena), input.path, path);
    close(input.number);
    return status == 0;
}

static void temporary_path(char *path, const char *end)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, PATH_SIZE, "%s/kin-fuzz-%d%s", folder == NULL ? "/tmp" : folder, (int)getpid(), end);
}

static void try_lines(arena *arena, const uint8_t *bytes, size_t size)
{
    char path[PATH_SIZE], again[PATH_SIZE];
    text lines = text_create(arena), dumped = text_create(arena), second = text_create(arena);
    temporary_path(path, ".kin");
    temporary_path(again, "-again.kin");
    text_append(&lines, (const char *)bytes, size);
    if (pack(arena, &lines, path)) {
        expect(dump(arena, path, &dumped) == 0, "what was packed cannot be read");
        expect(pack(arena, &dumped, again), "what was dumped cannot be packed");
        expect(dump(arena, again, &second) == 0, "what was packed again cannot be read");
        expect(second.size == dumped.size && memcmp(second.bytes, dumped.bytes, dumped.size) == 0, "lines differ");
    }
    remove(path);
    remove(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    arena arena = {0};
    if (size > KIN__MAGIC_SIZE && bytes[0] == kin__magic[0])
        try_bytes(&arena, bytes, size);
    else
        try_lines(&arena, bytes, size);
    arena_release(&arena);
    return 0;
}
