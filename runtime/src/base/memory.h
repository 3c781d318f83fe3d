// Memory: all memory of the runtime comes from the user's allocator and is released with its size.
//
//   whole   the context: counts all bytes that are allocated
//     part  its columns, groups, collectors, indices and strings: each counts its bytes, and the whole counts them too
//
// Invariants:
//   1. allocated is the sum of the sizes of all blocks that are not released. The exception is a kin__memory that is
//      made only to release a block which another one has counted: it wraps below 0
//   2. a whole has allocated at least as many bytes as each of its parts
//   3. a block of 64 bytes or more is aligned to a cache line
#ifndef KIN_SRC_MEMORY_H
#define KIN_SRC_MEMORY_H

#include "base/assertion.h"

#include <kin/error.h>

#include <stddef.h>

enum { KIN__CACHE_LINE = 64 };

typedef struct kin__memory {
    kin_allocator allocator;
    size_t refused;            // bytes of the last request that failed, for its message
    size_t allocated;          // bytes
    struct kin__memory *whole; // NULL: not a part
} kin__memory;

// Memory of the given allocator, or of malloc if its functions are NULL.
kin__memory kin__memory_of(kin_allocator allocator);

// Returns an empty part of `whole`. The whole must exist until kin__memory_leave, or until the part is no longer used.
kin__memory kin__memory_part(kin__memory *whole);

// Makes `memory` a part of `whole`, which then also counts all that the part has allocated; and separates them again.
// Leaving twice does nothing.
void kin__memory_join(kin__memory *memory, kin__memory *whole);
void kin__memory_leave(kin__memory *memory);

// Notes the size of a request that failed, in `memory` and all that it is a part of, for the message about it.
void kin__memory_note_refusal(kin__memory *memory, size_t size);

// Returns what is wrong with an allocator, for a message; NULL if it is valid.
const char *kin__allocator_fault(const kin_allocator *allocator);

// Returns `size` bytes, not initialised; NULL when out of memory.
void *kin__allocate(kin__memory *memory, size_t size);

// The same, all zero.
void *kin__allocate_zero(kin__memory *memory, size_t size);

// Releases a block of that size. NULL is allowed.
void kin__release(kin__memory *memory, void *block, size_t size);

// The bytes of `count` elements. SIZE_MAX, which kin__allocate always refuses, if the product overflows on 32 bits.
static inline size_t kin__bytes_of(uint32_t count, size_t size)
{
    KIN_ASSERT(size > 0);
    return count > SIZE_MAX / size ? SIZE_MAX : count * size;
}

// Rounds a size up, so that an object of any type can follow in the same block.
static inline size_t kin__round_up(size_t size)
{
    return (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
}

// An array with room for `capacity` elements; its owner knows their size and how many are in use.
typedef struct kin__array {
    void *elements;
    uint32_t capacity;
} kin__array;

// Makes room for `least` elements of `size` bytes. Moves the array if it grows, to at least twice its capacity. False,
// with nothing changed, when out of memory.
bool kin__array_reserve(kin__memory *memory, kin__array *array, uint32_t least, size_t size);

// The same for an array of pointers; new pointers are NULL, up to the capacity.
bool kin__array_reserve_pointers(kin__memory *memory, kin__array *array, uint32_t least);

// Moves the array to a smaller block if `least` elements need at most half of it. Keeps it when out of memory.
void kin__array_trim(kin__memory *memory, kin__array *array, uint32_t least, size_t size);

void kin__array_release(kin__memory *memory, kin__array *array, size_t size);

#endif
