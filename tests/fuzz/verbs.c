// Fuzzing what kin does with locks and lines together: parts that a line `====` ends, of which the first is a lock.
//
//   lock         `kin lock`: a package with this lock; the lock that is written then is complete, and stays as it is
//   lock         `kin breaking`: from the first lock to this one, and from each to the package
//   lines        `kin pack`: with the names of the first lock, if the package may have it
//   lines        `kin diff`: of both saves, in both directions
#undef _XOPEN_SOURCE
#define _GNU_SOURCE // for memfd_create
#include "fuzz/verbs.h"

#include "generator/evolve/evolve.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char schema[] =
    "kin: 1\npackage: past\nversion: 4\ncontexts: { past: { default: true }, other: {} }\n"
    "types:\n"
    "  Side: { values: { Green: 1, Red: { value: 7, was: Crimson } } }\n"
    "  Spot: { fields: { x: float, y: { type: float, was: north } } }\n"
    "removed: [Mana, Door.width]\n"
    "messages: { Hit: { fields: { damage: int32, word: \"string[7]\", to: entity<past> } } }\n"
    "components:\n"
    "  Frozen: {}\n"
    "  Crown: { unique: true, fields: { weight: { type: int16, range: [0, 100] } } }\n"
    "  Place: { contexts: [past, other], fields: { at: Spot, spots: \"Spot[2]\", cell: { type: int16, index: primary } "
    "} }\n"
    "  Path: { stash: true, was: Route, fields: { stops: \"Spot[]\", sides: \"Side[]\", amount: double } }\n"
    "  Name: { fields: { value: string, code: \"string[3]\" } }\n"
    "  Look: { storage: shared, fields: { model: string, side: Side } }\n"
    "  ChildOf: { fields: { parent: { type: entity<past>, reverse: children, tree: true, on_destroy: clear } } }\n"
    "  Owns: { fields: { what: { type: entity<past>, reverse: owners, was: thing } } }\n"
    "groups: { paths: { all: [Path] } }\n"
    "schedule: { update: {} }\n"
    "systems: { Walk: { in: update, group: paths, reads: [Path], was: March, inbox: [Hit] } }\n";

enum { PARTS = 4 };

// Returns the first part of what is left, without the line that ends it.
static text take_part(arena *arena, const char **bytes, size_t *left)
{
    static const char end[] = "\n====\n";
    text part = text_create(arena);
    const char *found = *left == 0 ? NULL : memmem(*bytes, *left, end, sizeof end - 1);
    size_t size = found == NULL ? *left : (size_t)(found - *bytes) + 1,
           taken = found == NULL ? size : size + sizeof end - 2;
    if (size > 0)
        text_append(&part, *bytes, size);
    *bytes += taken;
    *left -= taken;
    return part;
}

static lock *parse(arena *arena, const text *text)
{
    diagnostics diagnostics = diagnostics_create(arena);
    lock *lock = lock_parse(arena, &diagnostics, source_from_bytes(arena, "past.lock", text->bytes, text->size));
    print(&diagnostics);
    return lock;
}

static text write_lock(arena *arena, const lock *lock)
{
    lock_counts counts;
    text text = text_create(arena);
    lock_append(&text, lock, &counts);
    return text;
}

// ---- kin lock

// Returns the package with the identities of the lock; NULL if saves would lose what the schema does not name.
static package *apply(arena *arena, const text *given, text *written)
{
    diagnostics diagnostics = diagnostics_create(arena);
    package *package = read_schema(arena, schema);
    lock *before = parse(arena, given);
    if (before == NULL || strcmp(before->package, package->name) != 0)
        return NULL;
    evolution evolution = evolve_package(arena, &diagnostics, package, before);
    text summary = text_create(arena);
    evolve_append_summary(&summary, &evolution);
    print(&diagnostics);
    *written = write_lock(arena, evolution.lock);
    package->has_lock = true;
    return diagnostics_exit_status(&diagnostics) == 0 ? package : NULL;
}

static package *try_lock(arena *arena, const text *given)
{
    text written = {0}, again = {0};
    package *package = apply(arena, given, &written);
    if (package == NULL)
        return NULL;
    expect(apply(arena, &written, &again) != NULL, "the package does not have the lock that was written for it");
    expect(written.size == again.size && memcmp(written.bytes, again.bytes, again.size) == 0,
           "the lock is written otherwise the second time");
    return package;
}

// ---- kin breaking

static void finish(diagnostics *diagnostics, const evolution *evolution, arena *arena)
{
    text summary = text_create(arena), lock = write_lock(arena, evolution->lock);
    evolve_append_summary(&summary, evolution);
    print(diagnostics);
    expect(evolve_is_breaking(evolution) || diagnostics_exit_status(diagnostics) == 0, "an error breaks nothing");
    expect(parse(arena, &lock) != NULL, "a lock of both cannot be read");
}

static void try_breaking(arena *arena, const text *before, const text *now)
{
    diagnostics diagnostics = diagnostics_create(arena), others = diagnostics_create(arena);
    lock *first = parse(arena, before), *second = parse(arena, now);
    if (first != NULL && second != NULL && strcmp(first->package, second->package) == 0) {
        evolution evolution = evolve_lock(arena, &diagnostics, second, first);
        finish(&diagnostics, &evolution, arena);
    }
    second = parse(arena, now);
    package *package = read_schema(arena, schema);
    if (second == NULL || strcmp(second->package, package->name) != 0)
        return;
    evolution evolution = evolve_compare(arena, &others, package, second);
    finish(&others, &evolution, arena);
}

// ---- kin pack and kin diff

static void try_lines(arena *arena, const package *package, const text *one, const text *other)
{
    char path[PATH_SIZE], second[PATH_SIZE];
    temporary_path(path, ".kin");
    temporary_path(second, "-other.kin");
    if (pack_twice(arena, package, one, path)) {
        expect(diff(arena, path, path) == 0, "a save differs from itself");
        if (pack_twice(arena, package, other, second))
            expect(diff(arena, path, second) == diff(arena, second, path), "saves differ in one direction");
    }
    remove(path);
    remove(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    arena arena = {0};
    text parts[PARTS];
    const char *at = (const char *)bytes;
    for (int i = 0; i < PARTS; i++)
        parts[i] = take_part(&arena, &at, &size);
    const package *package = try_lock(&arena, &parts[0]);
    try_breaking(&arena, &parts[0], &parts[1]);
    try_lines(&arena, package != NULL ? package : read_schema(&arena, schema), &parts[2], &parts[3]);
    arena_release(&arena);
    return 0;
}
