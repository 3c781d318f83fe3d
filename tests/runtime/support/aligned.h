// Aligned memory from the C library, whose checking tools know every byte of it.
#ifndef KIN_TESTS_RUNTIME_ALIGNED_H
#define KIN_TESTS_RUNTIME_ALIGNED_H

#include <stdlib.h>

#if defined(_WIN32)
#include <malloc.h>
#endif

// NULL if out of memory.
static inline void *aligned_allocate(size_t size, size_t alignment)
{
#if defined(_WIN32)
    return _aligned_malloc(size, alignment);
#else
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
#endif
}

static inline void aligned_release(void *memory)
{
#if defined(_WIN32)
    _aligned_free(memory);
#else
    free(memory);
#endif
}

#endif
