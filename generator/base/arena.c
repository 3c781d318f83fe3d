// The blocks of an arena, and what formats into it.
#include "generator/base/base.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_BLOCK_SIZE = 64 * 1024,
    LAST_BLOCK_SIZE = 1024 * 1024, // each block is twice as large as the one before, up to this
    FIRST_CAPACITY = 32,           // items of an array that grows
    FORMAT_SIZE = 512              // that most formatted texts fit in
};

struct arena_block {
    arena_block *older;
    max_align_t bytes[];
};

size_t size_min(size_t a, size_t b)
{
    if (a < b)
        return a;
    return b;
}

size_t size_max(size_t a, size_t b)
{
    if (a > b)
        return a;
    return b;
}

int size_compare(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

arena arena_beside(const arena *other)
{
    return (arena){.give_up = other->give_up};
}

void arena_open(arena *arena, arena_guard *guard, void (*undo)(void *data), void *data)
{
    *guard = (arena_guard){undo, data, arena->guards};
    arena->guards = guard;
}

void arena_close(arena *arena, const arena_guard *guard)
{
    assert(arena->guards == guard);
    arena->guards = guard->outer;
}

static _Noreturn void give_up(arena *arena, size_t size)
{
    for (const arena_guard *guard = arena->guards; guard != NULL; guard = guard->outer)
        guard->undo(guard->data);
    arena->guards = NULL;
    if (arena->give_up != NULL)
        arena->give_up(size);
    else
        fprintf(stderr, "kin: out of memory (%zu byte%s)\n", size, size == 1 ? "" : "s");
    exit(3);
}

// calloc: memory fresh from the system is zero already and need not be cleared.
static void *allocate_or_exit(arena *arena, size_t size)
{
    void *memory = calloc(1, size);
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
    size_t capacity = FIRST_BLOCK_SIZE;
    if (arena->blocks != NULL)
        capacity = size_min(2 * arena->capacity, LAST_BLOCK_SIZE);
    capacity = size_max(capacity, least);
    arena_block *block = allocate_or_exit(arena, sizeof *block + capacity);
    block->older = arena->blocks;
    arena->blocks = block;
    arena->used = 0;
    arena->capacity = capacity;
}

// Inserts the block after the newest one, which still has room for small allocations.
static void *append_large(arena *arena, size_t size)
{
    assert(arena->blocks != NULL);
    arena_block *block = allocate_or_exit(arena, sizeof *block + size);
    block->older = arena->blocks->older;
    arena->blocks->older = block;
    return block->bytes;
}

void *arena_allocate(arena *arena, size_t size)
{
    const size_t alignment = _Alignof(max_align_t);
    if (size > PTRDIFF_MAX)
        give_up(arena, size); // so that the sums below cannot exceed SIZE_MAX
    size_t rounded = (size + alignment - 1) / alignment * alignment;
    if (arena->blocks == NULL || arena->capacity - arena->used < rounded) {
        if (arena->blocks != NULL && rounded > LAST_BLOCK_SIZE / 4)
            return append_large(arena, rounded);
        append_block(arena, rounded);
    }
    void *memory = (char *)arena->blocks->bytes + arena->used;
    arena->used += rounded;
    assert(arena->used <= arena->capacity);
    return memory;
}

void *arena_grow(arena *arena, void *items, size_t count, size_t *capacity, size_t item_size)
{
    assert(count <= *capacity && item_size > 0);
    if (count < *capacity)
        return items;
    *capacity = size_max(FIRST_CAPACITY, 2 * count);
    void *grown = arena_allocate(arena, *capacity * item_size);
    if (count > 0)
        memcpy(grown, items, count * item_size);
    return grown;
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
    char bytes[FORMAT_SIZE];
    va_list arguments;
    va_list again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t length = (size_t)vsnprintf(bytes, sizeof bytes, format, arguments);
    va_end(arguments);
    char *text = arena_allocate(arena, length + 1);
    if (length < sizeof bytes)
        memcpy(text, bytes, length);
    else
        vsnprintf(text, length + 1, format, again);
    va_end(again);
    return text;
}
