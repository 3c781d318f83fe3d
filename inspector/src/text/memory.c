#include "text/text.h"

#include <stdlib.h>
#include <string.h>

static void *standard_allocate(size_t size, size_t alignment, void *user)
{
    (void)alignment;
    (void)user;
    return malloc(size);
}

static void standard_release(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(memory);
}

void kin__bounded_heap_init(kin__bounded_heap *heap, kin_allocator allocator, size_t limit)
{
    if (allocator.allocate == NULL)
        allocator = (kin_allocator){standard_allocate, standard_release, NULL};
    heap->allocator = allocator;
    heap->limit = limit;
    atomic_init(&heap->used, 0);
}

bool kin__bounded_charge(kin__bounded_heap *heap, size_t size)
{
    size_t before = atomic_fetch_add_explicit(&heap->used, size, memory_order_relaxed);
    if (size <= heap->limit && before <= heap->limit - size)
        return true;
    kin__bounded_discharge(heap, size);
    return false;
}

void kin__bounded_discharge(kin__bounded_heap *heap, size_t size)
{
    size_t before = atomic_fetch_sub_explicit(&heap->used, size, memory_order_relaxed);
    KIN_ASSERT(before >= size);
    (void)before;
}

void *kin__bounded_allocate(kin__bounded_heap *heap, size_t size)
{
    if (!kin__bounded_charge(heap, size))
        return NULL;
    void *memory = heap->allocator.allocate(size, _Alignof(max_align_t), heap->allocator.user);
    if (memory == NULL)
        kin__bounded_discharge(heap, size);
    return memory;
}

void *kin__bounded_zeros(kin__bounded_heap *heap, size_t size)
{
    void *memory = kin__bounded_allocate(heap, size);
    if (memory != NULL)
        memset(memory, 0, size);
    return memory;
}

void kin__bounded_release(kin__bounded_heap *heap, void *memory, size_t size)
{
    if (memory == NULL)
        return;
    heap->allocator.release(memory, size, heap->allocator.user);
    kin__bounded_discharge(heap, size);
}
