// Arena: the memory of one run of the generator.
//
// Everything that a run makes (sources, trees, models, views, rendered texts) lives until the run ends, so it is
// handed out from growing blocks and given back all at once. Nothing is freed on its own.
//
// A run that gets no memory cannot go on, and nothing is written before everything has been rendered: arena_allocate
// therefore never returns NULL: it calls what the arena has for this case, or prints one line on stderr, and ends the
// program with status 3.
#ifndef KIN_GENERATOR_BASE_ARENA_H
#define KIN_GENERATOR_BASE_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;

// All zero is an empty arena.
typedef struct arena {
    arena_block *blocks;
    size_t used, capacity;        // of the newest block, in bytes
    void (*give_up)(size_t size); // says that so many bytes were not to be had; NULL: as a line of text
} arena;

// An empty arena for part of the work, which gives up like the other.
arena arena_beside(const arena *other);

// Gives all memory of the arena back and leaves it empty.
void arena_release(arena *arena);

// `size` bytes, all zero, aligned for any type.
void *arena_allocate(arena *arena, size_t size);

// A copy of `size` bytes with a NUL behind them.
char *arena_copy(arena *arena, const char *bytes, size_t size);

// As printf, into the arena.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
char *
arena_format(arena *arena, const char *format, ...);

#endif
