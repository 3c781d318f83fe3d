// Manifest: what kin wrote into a package's folder, so that it knows its own files there and leaves all others alone.
//
//   # Written by kin, …                   what it is, for people
//   kin-manifest 1
//   made 0b242d361fda71bc                 what all of it was made from, where one run made all
//   d24ec4f1a98c6e5b 1024 arena.h         hash and size of the content, and the name
//   44bc2cf5ad770999 81 arena_types.h
//   end ef46db3751d8e999                  hash of all that stands before this line
//
// A file stands here once for each content that it may have: after a run that ended, that is one. Before a run changes
// the first file it writes a manifest of what there was and of what there will be, so that a run that is killed leaves
// no file that the next run would take for a file of the user.
//
// It is believed only as a whole: entries in order, by name, then hash, then size, each once, and the last line right.
#ifndef KIN_GENERATOR_OUTPUT_MANIFEST_H
#define KIN_GENERATOR_OUTPUT_MANIFEST_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MANIFEST_NAME ".kin-manifest"

enum { MANIFEST_SIZE_LIMIT = 16 * 1024 * 1024 }; // bytes of a manifest that is read

typedef struct manifest_entry {
    const char *name;
    uint64_t hash;
    size_t size; // in bytes
} manifest_entry;

// In any order while it grows, repeats among them; sorted, each entry once, from manifest_sort on.
typedef struct manifest {
    arena *arena;
    manifest_entry *entries;
    size_t count, capacity;
    uint64_t made; // hash of all inputs; 0: unknown
} manifest;

manifest manifest_create(arena *arena);
void manifest_append(manifest *manifest, manifest_entry entry);
void manifest_sort(manifest *manifest);

// The text of a sorted manifest.
text manifest_text(const manifest *manifest);

// Reads it into an empty manifest. 0, or the number of the line that is wrong.
size_t manifest_parse(manifest *manifest, const char *bytes, size_t size);

// The entries of that name stand together in a sorted manifest: the first of them; NULL when there is none.
const manifest_entry *manifest_find(const manifest *manifest, const char *name);

// Whether a file may have that content, by an entry of `entry->name` in a sorted manifest.
bool manifest_has(const manifest *manifest, const manifest_entry *entry);

// Whether kin would write a file of that name: one name, that is not hidden and has nothing to fear in a line.
bool manifest_name_is_valid(const char *name);

#endif
