// Opaque spelling: a type of C that a schema names, taken apart.
//
// `const`s, and either a name, before which `struct`, `union` or `enum` may stand, or words that make a type of C's
// own; then stars, each with or without `const` before it. It must be possible to assign it. As it comes to stand in C
// as it is, nothing leads out of that grammar.
#ifndef KIN_GENERATOR_MODEL_OPAQUE_SPELLING_H
#define KIN_GENERATOR_MODEL_OPAQUE_SPELLING_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct opaque_spelling {
    const char *name; // NULL: it is made of C's own words
    bool has_tag;     // `struct`, `union` or `enum` before the name
    size_t stars;
} opaque_spelling;

// False when the text is no such type.
bool opaque_spelling_read(arena *arena, const char *text, opaque_spelling *spelling);

// Whether generated code knows the type without a header that declares it.
bool opaque_spelling_is_known(const opaque_spelling *spelling);

#endif
