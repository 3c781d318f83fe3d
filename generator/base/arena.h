// Arena: the memory of one run of the generator.
//
// Everything that a run makes (sources, trees, models, views, rendered texts) lives until the run ends, so it is
// allocated from growing blocks and freed all at once. Nothing is freed on its own.
//
// arena_allocate never returns NULL. A run without memory cannot continue, and it has written nothing before all files
// are rendered; so arena_allocate calls `give_up`, or prints one line on stderr, and ends the program with status 3.
#ifndef KIN_GENERATOR_BASE_ARENA_H
#define KIN_GENERATOR_BASE_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;

// All zero is an empty arena.
typedef struct arena {
    arena_block *blocks;
    size_t used, capacity;        // of the newest block, in bytes
    void (*give_up)(size_t size); // reports that `size` bytes could not be allocated; NULL: prints a line of text
} arena;

// Returns an empty arena for part of the work, with the same `give_up`.
arena arena_beside(const arena *other);

// Frees all memory of the arena and leaves it empty.
void arena_release(arena *arena);

// Returns `size` bytes, all zero, aligned for any type.
void *arena_allocate(arena *arena, size_t size);

// Returns a copy of `size` bytes with a NUL after them.
char *arena_copy(arena *arena, const char *bytes, size_t size);

// Formats like printf, into the arena.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
char *
arena_format(arena *arena, const char *format, ...);

#endif
