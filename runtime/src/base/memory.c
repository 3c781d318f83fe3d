#include "base/base.h"

#include <stdlib.h>
#include <string.h>

// malloc aligns no block to a cache line, and aligned_alloc is slow: it splits off the memory before and after the
// block, which takes as long as filling a column. So a block of a cache line or more has padding before it, whose last
// byte is the size of the padding.
static void *allocate_aligned(size_t size, size_t alignment, void *user)
{
    (void)user;
    if (size < KIN__CACHE_LINE)
        return malloc(size);
    unsigned char *block = size > SIZE_MAX - alignment ? NULL : malloc(size + alignment);
    if (block == NULL)
        return NULL;
    size_t padding = alignment - (uintptr_t)block % alignment;
    KIN_ASSERT(padding > 0 && padding <= UINT8_MAX);
    block[padding - 1] = (unsigned char)padding;
    return block + padding;
}

static void release_aligned(void *memory, size_t size, void *user)
{
    (void)user;
    unsigned char *block = memory;
    free(size < KIN__CACHE_LINE ? block : block - block[-1]);
}

kin__memory kin__memory_of(kin_allocator allocator)
{
    if (allocator.allocate == NULL)
        allocator = (kin_allocator){allocate_aligned, release_aligned, NULL};
    return (kin__memory){.allocator = allocator};
}

const char *kin__allocator_fault(const kin_allocator *allocator)
{
    bool is_complete = (allocator->allocate == NULL) == (allocator->release == NULL);
    return is_complete ? NULL : "the allocator has only one of its two functions; set both or neither";
}

kin__memory kin__memory_part(kin__memory *whole)
{
    KIN_ASSERT(whole->allocator.allocate != NULL);
    return (kin__memory){.allocator = whole->allocator, .whole = whole};
}

void kin__memory_join(kin__memory *memory, kin__memory *whole)
{
    KIN_ASSERT(memory->whole == NULL && memory != whole);
    memory->whole = whole;
    for (; whole != NULL; whole = whole->whole)
        whole->allocated += memory->allocated;
}

void kin__memory_leave(kin__memory *memory)
{
    for (kin__memory *whole = memory->whole; whole != NULL; whole = whole->whole) {
        KIN_ASSERT(whole->allocated >= memory->allocated);
        whole->allocated -= memory->allocated;
    }
    memory->whole = NULL;
}

void kin__memory_note_refusal(kin__memory *memory, size_t size)
{
    for (kin__memory *each = memory; each != NULL; each = each->whole)
        each->refused = size;
}

void *kin__allocate(kin__memory *memory, size_t size)
{
    size_t alignment = size < KIN__CACHE_LINE ? _Alignof(max_align_t) : KIN__CACHE_LINE;
    KIN_ASSERT(size > 0);
    void *block = size == SIZE_MAX ? NULL : memory->allocator.allocate(size, alignment, memory->allocator.user);
    KIN_ASSERT(size < KIN__CACHE_LINE || (uintptr_t)block % alignment == 0);
    if (block == NULL)
        kin__memory_note_refusal(memory, size);
    else
        for (kin__memory *each = memory; each != NULL; each = each->whole)
            each->allocated += size;
    return block;
}

void *kin__allocate_zero(kin__memory *memory, size_t size)
{
    void *block = kin__allocate(memory, size);
    return block == NULL ? NULL : memset(block, 0, size);
}

void kin__release(kin__memory *memory, void *block, size_t size)
{
    if (block == NULL)
        return;
    memory->allocator.release(block, size, memory->allocator.user);
    KIN_ASSERT(memory->whole == NULL || (memory->allocated >= size && memory->whole->allocated >= size));
    for (kin__memory *each = memory; each != NULL; each = each->whole)
        each->allocated -= size;
}

bool kin__array_reserve(kin__memory *memory, kin__array *array, uint32_t least, size_t size)
{
    if (least <= array->capacity)
        return true;
    uint32_t capacity = array->capacity < 4 ? 4 : array->capacity * 2;
    if (capacity < least)
        capacity = least;
    void *elements = kin__allocate(memory, kin__bytes_of(capacity, size));
    if (elements == NULL)
        return false;
    if (array->capacity > 0)
        memcpy(elements, array->elements, array->capacity * size);
    kin__array_release(memory, array, size);
    *array = (kin__array){elements, capacity};
    KIN_ASSERT(array->capacity >= least);
    return true;
}

bool kin__array_reserve_pointers(kin__memory *memory, kin__array *array, uint32_t least)
{
    uint32_t capacity = array->capacity;
    if (!kin__array_reserve(memory, array, least, sizeof(void *)))
        return false;
    void **pointers = array->elements;
    for (uint32_t i = capacity; i < array->capacity; i++)
        pointers[i] = NULL;
    return true;
}

void kin__array_trim(kin__memory *memory, kin__array *array, uint32_t least, size_t size)
{
    if (array->capacity == 0 || least > array->capacity / 2)
        return;
    kin__array smaller = {least == 0 ? NULL : kin__allocate(memory, least * size), least};
    if (least > 0 && smaller.elements == NULL)
        return;
    if (least > 0)
        memcpy(smaller.elements, array->elements, least * size);
    kin__array_release(memory, array, size);
    *array = smaller;
}

void kin__array_release(kin__memory *memory, kin__array *array, size_t size)
{
    KIN_ASSERT((array->elements == NULL) == (array->capacity == 0));
    kin__release(memory, array->elements, array->capacity * size);
    *array = (kin__array){0};
}
