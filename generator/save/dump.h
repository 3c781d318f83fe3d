// Dump: a save as lines of JSON.
//
//   {"kin":1,"package":"town","version":3,"frame":1800}
//   {"game":"12@11","Frozen":true,"Position":{"at":{"east":3.5,"y":2}}}     by context and slot
//   …                                                                      the state of the context: save_state.h
//
// All names are those of the file, sorted. In memory are the values of one chunk, one line, and the state of a context.
#ifndef KIN_GENERATOR_SAVE_DUMP_H
#define KIN_GENERATOR_SAVE_DUMP_H

#include "generator/base/base.h"
#include "generator/source/source.h"

#include <stdio.h>

typedef enum dump_kind {
    DUMP_LINES,
    DUMP_INFO, // one line about the file
    DUMP_HASH  // the hash of its state, as kin_snapshot_hash returns it
} dump_kind;

// Writes the file at `path` ('-': standard input). Returns the exit status after reporting what is wrong with it; lines
// before that were written.
int dump_file(arena *arena, diagnostics *diagnostics, const char *path, dump_kind kind, FILE *output);

#endif
