// Heap: memory that is released as a whole, such as what a reading has from the allocator of its context.
#ifndef KIN_SRC_HEAP_H
#define KIN_SRC_HEAP_H

#include "base/base.h"
#include "frame/fault.h"

typedef struct kin__heap_block kin__heap_block;

typedef struct kin__heap {
    kin__memory *memory;
    kin__heap_block *blocks; // newest first; bytes are taken from the newest
    kin__fault *fault;
} kin__heap;

// Returns memory for `count` elements, all zero; NULL, with a fault noted, when out of memory. Never NULL otherwise.
void *kin__heap_take(kin__heap *heap, size_t count, size_t size);

void kin__heap_release(kin__heap *heap);

#endif
