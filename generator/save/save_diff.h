// Diff of saves: what differs between two files, by entity, component and field.
//
//   game 12@11 'Ada'    Position.at.east  3.5 -> 4
//   game 13@12          Health            + {"points":7}
//   game 14@4           - destroyed
//   game 20@4           + created (Name, Position)
//   game slots          differ
//   4 differences in 3 components of 118 entities
//
// Both files are read side by side, so that one chunk of each is in memory. The text after a handle is that of the
// component Name, if it has one field that is a string. The count of entities is that of the second file.
#ifndef KIN_GENERATOR_SAVE_DIFF_H
#define KIN_GENERATOR_SAVE_DIFF_H

#include "generator/base/base.h"
#include "generator/source/source.h"

#include <stdio.h>

// Returns the exit status: that of a difference if there is one. Files that cannot be read are reported.
int save_diff(arena *arena, diagnostics *diagnostics, const char *const *paths, FILE *output);

#endif
