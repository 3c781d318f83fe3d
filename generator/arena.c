#include "arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 64 * 1024 };

struct arena_block {
    arena_block *older;
    max_align_t bytes[];
};

arena arena_beside(const arena *other)
{
    return (arena){.give_up = other->give_up};
}

static _Noreturn void give_up(const arena *arena, size_t size)
{
    if (arena->give_up != NULL)
        arena->give_up(size);
    else
        fprintf(stderr, "kin: out of memory (%zu bytes); nothing was written\n", size);
    exit(3);
}

static void *allocate_or_exit(const arena *arena, size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL)
        give_up(arena, size);
    return memory;
}

void arena_release(arena *arena)
{
    while (arena->blocks != NULL) {
        arena_block *older = arena->blocks->older;
        free(arena->blocks);
        arena->blocks = older;
    }
    arena->used = arena->capacity = 0;
}

static void append_block(arena *arena, size_t least)
{
    size_t capacity = least > BLOCK_SIZE ? least : BLOCK_SIZE;
    arena_block *block = allocate_or_exit(arena, sizeof *block + capacity);
    block->older = arena->blocks;
    arena->blocks = block;
    arena->used = 0;
    arena->capacity = capacity;
}

void *arena_allocate(arena *arena, size_t size)
{
    const size_t alignment = _Alignof(max_align_t);
    if (size > PTRDIFF_MAX)
        give_up(arena, size); // so that no sum below can pass SIZE_MAX
    size_t rounded = (size + alignment - 1) / alignment * alignment;
    if (arena->blocks == NULL || arena->capacity - arena->used < rounded)
        append_block(arena, rounded);
    void *memory = (char *)arena->blocks->bytes + arena->used;
    arena->used += rounded;
    return memset(memory, 0, size);
}

char *arena_copy(arena *arena, const char *bytes, size_t size)
{
    char *copy = arena_allocate(arena, size + 1);
    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

char *arena_format(arena *arena, const char *format, ...)
{
    assert(format != NULL);
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = arena_allocate(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
