// The state of a comparison of two files, which save_diff.c and save_diff_entity.c share.
#ifndef KIN_GENERATOR_SAVE_DIFFING_H
#define KIN_GENERATOR_SAVE_DIFFING_H

#include "base/dictionary.h"
#include "save/save_chunk.h"

#include <stdio.h>

typedef struct diffing {
    arena *arena;
    save_walk sides[2];
    FILE *output;
    uint64_t differences, entities; // entities are those of the second file
    dictionary components;          // in which something differs
    text line, what;                // buffers
} diffing;

// Compares two chunks of the same number and context, of which one may be NULL.
void diff_chunks(diffing *diffing, save_chunk *before, save_chunk *after);

// Writes a line: who, then what, then how it differs, in columns.
void diff_write(diffing *diffing, const char *who, const char *what, const char *how);

#endif
