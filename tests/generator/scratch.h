// Scratch: a directory for the files of one test, below $TMPDIR, build/ or /tmp.
//
// A test makes it in its set-up and removes it, with all that is in it, in its tear-down. One at a time. Paths and
// contents live in the scratch's own arena until then. Every function fails the test when it cannot do its work.
#ifndef KIN_TESTS_SCRATCH_H
#define KIN_TESTS_SCRATCH_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

void scratch_create(void);
void scratch_create_in_memory(void); // in /dev/shm where there is one, for tests that write much
void scratch_destroy(void);

// The arena of this test.
arena *scratch_arena(void);

// The absolute path of a name in the directory; "" is the directory itself.
const char *scratch_path(const char *name);

// Makes the file, and the one directory that the name may have before a '/'.
void scratch_write(const char *name, const char *content);

// NULL when there is no such file.
const char *scratch_read(const char *name);

// How many names a directory in it has, hidden ones among them; 0 when it is not there.
size_t scratch_count(const char *name);

#endif
