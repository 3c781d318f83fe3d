// Wrap: breaks lines of generated C that are longer than WRAP_COLUMNS, so that templates can ignore the length of the
// schema's names.
//
// Code is broken after a comma of the outermost brackets that have one, and continues below the text after the bracket.
// Comments are broken at a space. A line without such a place stays long, and so do preprocessor directives and their
// continuations. Literals are never broken, and no comment line ends in a backslash after breaking.
#ifndef KIN_GENERATOR_RENDER_WRAP_H
#define KIN_GENERATOR_RENDER_WRAP_H

#include "generator/base/base.h"

#include <stddef.h>

enum { WRAP_COLUMNS = 120 };

// Appends `bytes`, wrapped. They must not be part of the output.
void wrap_lines(text *output, const char *bytes, size_t size);

#endif
