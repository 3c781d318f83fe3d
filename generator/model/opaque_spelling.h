// Opaque spelling: parses the C type that a schema names.
//
// The grammar: optional `const`s; a name, which may follow `struct`, `union` or `enum`, or the words of a built-in
// type; then stars, each with or without `const` before it. The type must be assignable. The spelling is copied into C
// code, so the grammar admits nothing else.
#ifndef KIN_GENERATOR_MODEL_OPAQUE_SPELLING_H
#define KIN_GENERATOR_MODEL_OPAQUE_SPELLING_H

#include "generator/base/base.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct opaque_spelling {
    const char *name; // NULL for a built-in type
    bool has_tag;     // the name follows `struct`, `union` or `enum`
    size_t stars;
} opaque_spelling;

// Returns false if the text is not such a type.
bool opaque_spelling_read(arena *arena, const char *text, opaque_spelling *spelling);

// Returns whether generated code knows the type without an extra header.
bool opaque_spelling_is_known(const opaque_spelling *spelling);

#endif
