#include "file/file.h"

#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- faults

bool kin__fault_note(kin__fault *fault, kin_status status, const char *format, ...)
{
    va_list arguments;
    KIN_ASSERT(status != KIN_OK);
    if (fault->status != KIN_OK)
        return false;
    fault->status = status;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return false;
}

// ---- memory

enum { BLOCK_SIZE = 16 * 1024 };

struct kin__heap_block {
    kin__heap_block *next;
    size_t used; // bytes
    size_t size; // of the bytes and this struct
    max_align_t bytes[];
};

static kin__heap_block *append(kin__heap *heap, size_t least)
{
    size_t size = sizeof(kin__heap_block) + kin__max_size(least, BLOCK_SIZE);
    kin__heap_block *block = kin__allocate(heap->memory, size);
    if (block == NULL) {
        kin__fault_note(heap->fault, KIN_ERROR_NO_MEMORY, "no memory for %zu bytes; free some and try again", size);
        return NULL;
    }
    *block = (kin__heap_block){.next = heap->blocks, .size = size};
    heap->blocks = block;
    return block;
}

void *kin__heap_take(kin__heap *heap, size_t count, size_t size)
{
    size_t bytes = kin__round_up(count * size + 1);
    KIN_ASSERT(size > 0);
    kin__heap_block *block = heap->blocks;
    if (count > SIZE_MAX / 2 / size) {
        kin__fault_note(heap->fault, KIN_ERROR_NO_MEMORY, "it needs more memory than the machine can address");
        return NULL;
    }
    if (block == NULL || bytes > block->size - sizeof *block - block->used)
        block = append(heap, bytes);
    if (block == NULL)
        return NULL;
    void *at = (char *)block->bytes + block->used;
    block->used += bytes;
    KIN_ASSERT(block->used <= block->size - sizeof *block);
    return memset(at, 0, bytes);
}

void kin__heap_release(kin__heap *heap)
{
    while (heap->blocks != NULL) {
        kin__heap_block *block = heap->blocks;
        heap->blocks = block->next;
        kin__release(heap->memory, block, block->size);
    }
}
