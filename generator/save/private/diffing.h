// The state of a comparison of two files, which the files save_diff*.c share.
#ifndef KIN_GENERATOR_SAVE_DIFFING_H
#define KIN_GENERATOR_SAVE_DIFFING_H

#include "generator/base/base.h"
#include "save/save_chunk.h"

#include <stdio.h>

typedef struct diffing {
    arena *arena;
    save_walk sides[2];
    FILE *output;
    uint64_t differences, entities; // entities are those of the second file
    dictionary components;          // in which something differs
    text line, what;                // buffers
    text title;                     // is written before the next difference; empty: none
} diffing;

// Compares the states that both files have next, and adds the differences. False if one of them is damaged.
bool diff_states(diffing *diffing);

// Compares the frames of two recordings that begin with the same state, up to the first that differs. False if one of
// them is damaged.
bool diff_frames(diffing *diffing);

// Counts a difference, and writes the title before the first one.
void diff_count(diffing *diffing);

// Notes that something differs in a component.
void diff_note_component(diffing *diffing, const char *name);

#endif
