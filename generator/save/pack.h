// Pack: a save from lines of JSON, as dump.h describes them, checked against a schema.
//
// Lines may be in any order after the head. Without a line of slots, the slots that no entity has are free. In memory
// is the whole state.
#ifndef KIN_GENERATOR_SAVE_PACK_H
#define KIN_GENERATOR_SAVE_PACK_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

// Packs the lines at `lines` ('-': standard input) into the file at `path`, which is replaced as a whole. Returns the
// exit status; nothing is written if a line is wrong.
int pack_file(arena *arena, diagnostics *diagnostics, const package *package, const char *lines, const char *path);

#endif
