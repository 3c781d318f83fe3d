// Definitions: the functions that a C source defines.
//
// Reads the text without a preprocessor: comments, strings and lines that begin with '#' are skipped, and a definition
// is a name, a list in parentheses and a brace, outside of all other braces. Both branches of an `#if` count. A
// definition that a macro expands to is not found.
#ifndef KIN_GENERATOR_VERBS_DEFINITIONS_H
#define KIN_GENERATOR_VERBS_DEFINITIONS_H

#include "generator/base/base.h"

#include <stddef.h>

// A definition: its name, and its text from the line of the name up to the closing parenthesis.
typedef struct definition_found {
    const char *name;
    const char *signature;
} definition_found;

// Returns the next definition at or after `*at`, and advances `*at` past it; the name is NULL after the last one.
// `bytes` ends in NUL.
definition_found definitions_next(arena *arena, const char *bytes, const char **at);

#endif
