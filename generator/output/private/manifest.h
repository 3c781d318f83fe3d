// Manifest: records the files that kin wrote into a package's folder, so that it recognizes them and leaves all others
// alone.
//
//   # Written by kin, …                   a comment for people
//   kin-manifest 1
//   made 0b242d361fda71bc                 hash of all inputs, if one run made all files
//   locked                                if the inputs had a lock
//   schema ../../arena.yaml               the schema, seen from the folder, if it is a file
//   d24ec4f1a98c6e5b 1024 arena.h         hash and size of the content, and the name
//   44bc2cf5ad770999 81 arena_types.h
//   end ef46db3751d8e999                  hash of everything before this line
//
// A file has one entry for each content that it may have: one after a completed run. Before a run changes the first
// file, it writes a manifest of both old and new contents, so that the next run recognizes all files of a killed run.
//
// A manifest is valid only as a whole: entries sorted by name, then hash, then size, without duplicates, and a matching
// last line.
#ifndef KIN_GENERATOR_OUTPUT_MANIFEST_H
#define KIN_GENERATOR_OUTPUT_MANIFEST_H

#include "generator/base/base.h"

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

// Unsorted with duplicates while it grows; sorted and without duplicates after manifest_sort.
typedef struct manifest {
    arena *arena;
    manifest_entry *entries;
    size_t count, capacity;
    uint64_t made;      // hash of all inputs; 0: unknown
    bool is_locked;     // a lock was one of the inputs
    const char *schema; // the path of the schema, relative to the folder; NULL: unknown
} manifest;

manifest manifest_create(arena *arena);
void manifest_append(manifest *manifest, manifest_entry entry);
void manifest_sort(manifest *manifest);

// Returns the text of a sorted manifest.
text manifest_text(const manifest *manifest);

// Parses a manifest into an empty one. Returns 0, or the number of the first invalid line.
size_t manifest_parse(manifest *manifest, const char *bytes, size_t size);

// Returns the first entry with that name in a sorted manifest, where entries of one name are adjacent; NULL if there is
// none.
const manifest_entry *manifest_find(const manifest *manifest, const char *name);

// Returns whether a sorted manifest has an entry equal to `entry`.
bool manifest_has(const manifest *manifest, const manifest_entry *entry);

// Returns whether a line of the manifest can hold the path of a schema.
bool manifest_schema_is_valid(const char *path);

// Returns whether kin would write a file of that name: a single name, not hidden, without characters that break a line.
bool manifest_name_is_valid(const char *name);

#endif
