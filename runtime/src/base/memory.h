// Memory: every byte of the runtime comes from the allocator that its user gave, and goes back with its size.
//
// What is out is counted. A memory may be a part of a whole: what is out of the part is then out of the whole too, so
// that a context knows its sum and what each kind of thing has of it.
#ifndef KIN_SRC_MEMORY_H
#define KIN_SRC_MEMORY_H

#include <kin/error.h>

#include <stddef.h>

enum { KIN__CACHE_LINE = 64 };

typedef struct kin__memory {
    kin_allocator allocator;
    size_t refused;            // bytes of the last request that got none, for its message
    size_t allocated;          // bytes that are out
    struct kin__memory *whole; // that it is a part of; NULL: none
} kin__memory;

// The given allocator, or aligned malloc where it is zero.
kin__memory kin__memory_of(kin_allocator allocator);

// A part of which nothing is out yet. The whole outlives it, unless it leaves.
kin__memory kin__memory_part(kin__memory *whole);

// Makes what is out of a memory, and will be, a part of a whole, and again not. Leaving twice does nothing.
void kin__memory_join(kin__memory *memory, kin__memory *whole);
void kin__memory_leave(kin__memory *memory);

// What is wrong with an allocator that was given, in words; NULL when nothing is.
const char *kin__allocator_fault(const kin_allocator *allocator);

// `size` bytes, aligned to a cache line when there are so many. NULL when there are none.
void *kin__allocate(kin__memory *memory, size_t size);

// The same, all zero.
void *kin__allocate_zero(kin__memory *memory, size_t size);

// NULL is allowed.
void kin__release(kin__memory *memory, void *block, size_t size);

// The bytes of `count` elements. SIZE_MAX, which no allocator is asked for, where 32 bits cannot count them.
static inline size_t kin__bytes_of(uint32_t count, size_t size)
{
    return count > SIZE_MAX / size ? SIZE_MAX : count * size;
}

// A size rounded up so that any type can follow in one block.
static inline size_t kin__round_up(size_t size)
{
    return (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
}

// An array of `capacity` elements of `size` bytes, of which the first ones are in use.
typedef struct kin__array {
    void *elements;
    uint32_t capacity;
} kin__array;

// Room for `least` elements: doubles the array when it has to move. False, with nothing changed, without memory.
bool kin__array_reserve(kin__memory *memory, kin__array *array, uint32_t least, size_t size);

// The same for an array of pointers: new ones are NULL, up to its capacity.
bool kin__array_reserve_pointers(kin__memory *memory, kin__array *array, uint32_t least);

// Gives back what an array has beyond `least` elements, when that is half of it or more; it moves. It stays as it is
// without memory to move to.
void kin__array_trim(kin__memory *memory, kin__array *array, uint32_t least, size_t size);

void kin__array_release(kin__memory *memory, kin__array *array, size_t size);

#endif
