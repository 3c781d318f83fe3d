// Memory: every byte of the runtime comes from the allocator that its user gave, and goes back with its size.
#ifndef KIN_SRC_MEMORY_H
#define KIN_SRC_MEMORY_H

#include <kin/error.h>

enum { KIN__CACHE_LINE = 64 };

typedef struct kin__memory {
    kin_allocator allocator;
    size_t refused; // bytes of the last request that got none, for its message
} kin__memory;

// The given allocator, or aligned malloc where it is zero.
kin__memory kin__memory_of(kin_allocator allocator);

// What is wrong with an allocator that was given, in words; NULL when nothing is.
const char *kin__allocator_fault(const kin_allocator *allocator);

// `size` bytes, aligned to a cache line when there are so many. NULL when there are none.
void *kin__allocate(kin__memory *memory, size_t size);

// The same, all zero.
void *kin__allocate_zero(kin__memory *memory, size_t size);

// NULL is allowed.
void kin__release(kin__memory *memory, void *block, size_t size);

// An array of `capacity` elements of `size` bytes, of which the first ones are in use.
typedef struct kin__array {
    void *elements;
    uint32_t capacity;
} kin__array;

// Room for `least` elements: doubles the array when it has to move. False, with nothing changed, without memory.
bool kin__array_reserve(kin__memory *memory, kin__array *array, uint32_t least, size_t size);

// The same for an array of pointers: new ones are NULL, up to its capacity.
bool kin__array_reserve_pointers(kin__memory *memory, kin__array *array, uint32_t least);

void kin__array_release(kin__memory *memory, kin__array *array, size_t size);

#endif
