#include "scarce.h"

#include <stdlib.h>

size_t scarce_used;
int64_t scarce_requests = -1;

static void *allocate(size_t size, size_t alignment, void *user)
{
    (void)user;
    if (scarce_requests >= 0 && scarce_requests-- == 0)
        return NULL;
    scarce_used += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *memory, size_t size, void *user)
{
    (void)user;
    scarce_used -= size;
    free(memory);
}

kin_allocator scarce_allocator(void)
{
    scarce_requests = -1;
    return (kin_allocator){allocate, release, NULL};
}
