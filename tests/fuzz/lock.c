// Fuzzing locks: any bytes as the lock of a package.
//
// A lock that is accepted is written and read again, which gives the same text, and is compared with itself.
#include "generator/evolve/evolve.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void expect(bool holds, const char *what, const text *text)
{
    if (holds)
        return;
    fprintf(stderr, "%s:\n%.*s", what, (int)text->size, text->bytes);
    abort();
}

static lock *parse(arena *arena, diagnostics *diagnostics, const char *bytes, size_t size)
{
    return lock_parse(arena, diagnostics, source_from_bytes(arena, "fuzz.lock", bytes, size));
}

static text write(arena *arena, const lock *lock)
{
    lock_counts counts;
    text text = text_create(arena);
    lock_append(&text, lock, &counts);
    return text;
}

static bool is_same(const text *one, const text *other)
{
    return one->size == other->size && memcmp(one->bytes, other->bytes, one->size) == 0;
}

static void check(arena *arena, diagnostics *diagnostics, const lock *read)
{
    text first = write(arena, read);
    lock *now = parse(arena, diagnostics, first.bytes, first.size);
    expect(now != NULL, "what was written is not read", &first);
    text second = write(arena, now);
    expect(is_same(&first, &second), "what was read is written otherwise", &first);
    lock *before = parse(arena, diagnostics, first.bytes, first.size);
    evolve_lock(arena, diagnostics, now, before); // saves may have values that the current type cannot hold
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    arena arena = {0};
    diagnostics diagnostics = diagnostics_create(&arena);
    lock *read = parse(&arena, &diagnostics, (const char *)bytes, size);
    if (read != NULL)
        check(&arena, &diagnostics, read);
    arena_release(&arena);
    return 0;
}
