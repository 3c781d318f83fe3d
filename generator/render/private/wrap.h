// Wrap: breaks the lines of generated C that are longer than WRAP_COLUMNS, so that templates need not care how long the
// names of a schema are.
//
// Code is broken after a comma, of the outermost brackets that have one, and goes on below what follows the bracket;
// comments are broken at a space. A line without such a place stays as long as it is, and so do directives of the
// preprocessor with what continues them. Literals are never broken, and no comment comes to end in a backslash.
#ifndef KIN_GENERATOR_RENDER_WRAP_H
#define KIN_GENERATOR_RENDER_WRAP_H

#include "base/text.h"

#include <stddef.h>

enum { WRAP_COLUMNS = 120 };

// Appends what stands in `bytes`, which are not the output's own, wrapped.
void wrap_lines(text *output, const char *bytes, size_t size);

#endif
