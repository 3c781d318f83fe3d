// The packs of suites of content: written as YAML into a folder of the test, and compiled.
#ifndef KIN_TESTS_CONTENT_LIVE_CASE_H
#define KIN_TESTS_CONTENT_LIVE_CASE_H

#include "generator/base/base.h"

#include <kin/context.h>

// The arena of packs and paths, until the case ends.
extern arena *const scratch;

// Begins with an empty folder; removes it, with the arena.
void live_case_begin(void);
void live_case_end(void);

// Returns the path of a file in the folder.
const char *path_of(const char *name);
void write_file(const char *path, const char *bytes, size_t size);

// Compiles a content file without its first line for a context.
text pack_for(const kin_context_info *info, const char *yaml);

#endif
