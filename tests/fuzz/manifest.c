// Fuzzing the manifest: any bytes as a manifest, unchanged and with a valid last line.
//
// A manifest that is accepted equals one that kin writes: writing it gives the same bytes, and every entry is found.
#include "generator/base/base.h"
#include "generator/render/internal.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static size_t count_lines(const char *bytes, size_t size)
{
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += bytes[i] == '\n';
    return lines;
}

static void try(arena *arena, const char *bytes, size_t size)
{
    manifest read = manifest_create(arena);
    size_t wrong = manifest_parse(&read, bytes, size);
    expect(wrong <= count_lines(bytes, size), "a line is wrong that is not there");
    if (wrong != 0)
        return;
    text written = manifest_text(&read);
    expect(written.size == size && memcmp(written.bytes, bytes, size) == 0, "it would be written otherwise");
    for (size_t i = 0; i < read.count; i++) {
        expect(manifest_has(&read, &read.entries[i]), "an entry is not found");
        expect(manifest_find(&read, read.entries[i].name) != NULL, "a name is not found");
        expect(manifest_name_is_valid(read.entries[i].name), "a name is not one that kin writes");
    }
}

// A mutation rarely finds a valid hash.
static void try_completed(arena *arena, const char *bytes, size_t size)
{
    static const char last[] = "\nend ";
    size_t end = size;
    for (size_t at = 0; at + sizeof last - 1 <= size; at++)
        if (memcmp(bytes + at, last, sizeof last - 1) == 0)
            end = at + 1;
    text completed = text_create(arena);
    text_append(&completed, bytes, end);
    text_append_format(&completed, "end %016" PRIx64 "\n", hash_of(bytes, end));
    try(arena, completed.bytes, completed.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    arena arena = {0};
    try(&arena, (const char *)bytes, size);
    try_completed(&arena, (const char *)bytes, size);
    arena_release(&arena);
    return 0;
}
