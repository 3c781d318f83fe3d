// Fuzzing what kin does with saves: any bytes as a file, with the sums of its blocks made right, or as lines of JSON.
//
// A file that is accepted has no differences from itself. Lines that are accepted become a file that is accepted, and
// whose lines are packed into the same bytes again.
#undef _XOPEN_SOURCE
#define _GNU_SOURCE // for memfd_create
#include "fuzz/repair.h"
#include "fuzz/verbs.h"
#include "generator/save/save.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

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

static void try_file(arena *arena, const char *path)
{
    int status = dump(arena, path, NULL), compared = diff(arena, path, path);
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

static void try_lines(arena *arena, const uint8_t *bytes, size_t size)
{
    char path[PATH_SIZE];
    text lines = text_create(arena);
    temporary_path(path, ".kin");
    text_append(&lines, (const char *)bytes, size);
    pack_twice(arena, read_schema(arena, schema), &lines, path);
    remove(path);
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
