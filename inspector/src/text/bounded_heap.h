// Bounded heap: all memory of an inspector, from the allocator of its options, up to a limit in bytes.
//
// Two threads may use it at once, if the allocator allows that. Cost: one atomic addition more than the allocator.
#ifndef KIN_INSPECT_BOUNDED_HEAP_H
#define KIN_INSPECT_BOUNDED_HEAP_H

#include <kin/error.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct kin__bounded_heap {
    kin_allocator allocator; // both functions are set
    atomic_size_t used;
    size_t limit;
} kin__bounded_heap;

// Initializes the heap; an allocator without functions stands for malloc.
void kin__bounded_heap_init(kin__bounded_heap *heap, kin_allocator allocator, size_t limit);

// Return NULL when out of memory, and when the limit would be exceeded. The second one returns zeros.
void *kin__bounded_allocate(kin__bounded_heap *heap, size_t size);
void *kin__bounded_zeros(kin__bounded_heap *heap, size_t size);

// Counts bytes that others allocate for the inspector. Returns false, and counts nothing, when the limit would be
// exceeded. And takes the count back.
bool kin__bounded_charge(kin__bounded_heap *heap, size_t size);
void kin__bounded_discharge(kin__bounded_heap *heap, size_t size);

// Frees what was allocated with this size. NULL is allowed.
void kin__bounded_release(kin__bounded_heap *heap, void *memory, size_t size);

#endif
