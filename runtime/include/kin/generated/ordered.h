/// Walks over ordered indices, for generated code only. Changes with the interface version.
///
/// A walk stands between two entries, or at the one that it returned last. It has the key and the slot of its place, so
/// that it goes on after them whatever has changed meanwhile. While nothing has, it reads the entries of one leaf after
/// the other:
///
///   entry   [ word | word | … | entity ]     the words of an ordered key, in which higher ones come later
///   keys    [ last | low | high ]            of a walk: of the place where it stands, and the bounds of a range
///
/// The words of a key, and so the size of `keys`, are known to generated code.
#ifndef KIN_INTERNAL_ORDERED_H
#define KIN_INTERNAL_ORDERED_H

#include <kin/generated/storage.h>

#include <string.h>

KIN_BEGIN_DECLARATIONS

enum { KIN__ORDERED_WORDS = 16 }; // most words of a key

// Where a walk stands: at the entry that it returned last, between two entries, or in a range, at the end where it
// begins.
typedef enum kin__ordered_stand { KIN__AT_ENTRY, KIN__BETWEEN, KIN__AT_EITHER_END } kin__ordered_stand;

typedef struct kin__ordered_walk {
    const kin_context *context;
    const uint64_t *current;   // the version of the index now
    uint64_t version;          // for which `leaf` to `end` are valid, and the walk is at an entry; 0: for none
    const uint64_t *after;     // the entry after that one in its leaf
    const uint64_t *low, *end; // the entries of the leaf that are in the range
    uint32_t leaf;             // its number
    uint32_t index;            // of the context
    kin_entity entity;         // at an entry: the last one
    uint64_t slot;             // between two entries: the slot that all entries before it are below
    kin__ordered_stand stand;
    bool is_range;
} kin__ordered_walk;

// Begin a walk before all entries or behind all; before all that have a key, or a greater one; and in a range of keys,
// both included. They write the keys that the walk reads. `parts` has the address of a value for each field of the key,
// of a `const char *` for a string.
KIN_API kin__ordered_walk kin__ordered_begin(const kin_context *context, uint32_t index, bool is_last, uint64_t *keys);
KIN_API kin__ordered_walk kin__ordered_from(const kin_context *context, uint32_t index, const void *const *parts,
                                            uint64_t *keys);
KIN_API kin__ordered_walk kin__ordered_range(const kin_context *context, uint32_t index, const void *const *low,
                                             const void *const *high, uint64_t *keys);

// Moves a walk, in general, and returns the entity; 0 if there is none, where the walk stays at its place.
KIN_API kin_entity kin__ordered_step(kin__ordered_walk *walk, uint64_t *keys, bool goes_on);

// Return the first or the last entity, 0 if there is none; and how many have a key below this one.
KIN_API kin_entity kin__ordered_end(const kin_context *context, uint32_t index, bool is_last);
KIN_API uint32_t kin__ordered_rank(const kin_context *context, uint32_t index, const void *const *parts);

// Moves to an entry of the leaf.
static inline kin_entity kin__ordered_take(kin__ordered_walk *walk, const uint64_t *entry, uint64_t *keys,
                                           uint32_t words)
{
    memcpy(keys, entry, words * sizeof *keys);
    walk->after = entry + words + 1;
    walk->entity = entry[words];
    return walk->entity;
}

// Moves copies, so that compilers can keep a walk in registers: its address is never passed on.
static inline kin_entity kin__ordered_move(kin__ordered_walk *walk, uint64_t *keys, uint32_t words, bool goes_on)
{
    kin__ordered_walk moved = *walk;
    uint64_t copies[3 * KIN__ORDERED_WORDS];
    memcpy(copies, keys, 3 * (size_t)words * sizeof *keys);
    kin_entity entity = kin__ordered_step(&moved, copies, goes_on);
    memcpy(keys, copies, words * sizeof *keys);
    *walk = moved;
    return entity;
}

// Return the next and the previous entity; 0 if there is none.
static inline kin_entity kin__ordered_next(kin__ordered_walk *walk, uint64_t *keys, uint32_t words)
{
    if (walk->version == *walk->current && walk->after != walk->end)
        return kin__ordered_take(walk, walk->after, keys, words);
    return kin__ordered_move(walk, keys, words, true);
}

static inline kin_entity kin__ordered_previous(kin__ordered_walk *walk, uint64_t *keys, uint32_t words)
{
    if (walk->version == *walk->current && walk->after - walk->low > (ptrdiff_t)words + 1)
        return kin__ordered_take(walk, walk->after - 2 * ((size_t)words + 1), keys, words);
    return kin__ordered_move(walk, keys, words, false);
}

// The end of a function that begins a walk. The keys are copied, so that the address of the walk is never passed on.
#define KIN__ORDERED_ITER(type)                                                                                        \
    type kin__it;                                                                                                      \
    kin__it.entity.id = 0;                                                                                             \
    kin__it.walk_ = kin__walk;                                                                                         \
    memcpy(kin__it.keys_, kin__keys, sizeof kin__keys);                                                                \
    return kin__it;

KIN_END_DECLARATIONS

#endif
