// Scratch: a directory for the files of one test, below TMPDIR or /tmp.
//
// A test creates it in its set-up and removes it with its content in its tear-down; only one exists at a time. The
// returned paths and contents are in the scratch's own arena, valid until then. On an error every function fails
// the test.
#ifndef KIN_TESTS_SCRATCH_H
#define KIN_TESTS_SCRATCH_H

#include "generator/base/base.h"

#include <stdbool.h>
#include <stddef.h>

void scratch_create(void);
void scratch_destroy(void);

// Returns the arena of this test.
arena *scratch_arena(void);

// Returns the absolute path of a name in the directory; "" is the directory itself.
const char *scratch_path(const char *name);

// Writes the file. If the name has a directory before its last '/', creates that one, too.
void scratch_write(const char *name, const char *content);

// Returns the content of the file; NULL if it is missing.
const char *scratch_read(const char *name);

// Returns the number of entries of a directory, hidden ones included; 0 if it is missing.
size_t scratch_count(const char *name);

#endif
