// Output, new files: those that kin writes once and that are the user's from then on. Nothing that is there, a link among
// it, is ever written into.
#ifndef KIN_GENERATOR_OUTPUT_NEW_H
#define KIN_GENERATOR_OUTPUT_NEW_H

#include <stdbool.h>
#include <stddef.h>

// Whether something has that path already.
bool output_is_there(const char *path);

// 0, or the errno of what failed; nothing of the file is left then. EEXIST: something is there.
int output_write_new(const char *path, const char *bytes, size_t size);

#endif
