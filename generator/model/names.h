// Names: cases of identifiers, reserved names, and suggestions for unknown names.
//
// A word in a PascalCase name begins at an upper-case letter that follows a lower-case letter or a digit, or that
// precedes a lower-case letter: HttpServer and HTTPServer are http_server, Pos2D is pos2_d.
//
// Letters and digits are those of ASCII, whatever the locale.
#ifndef KIN_GENERATOR_MODEL_NAMES_H
#define KIN_GENERATOR_MODEL_NAMES_H

#include "generator/base/base.h"

#include <stdbool.h>
#include <stddef.h>

// Converts "HttpServer" to "http_server"; a name in snake_case stays.
const char *name_to_snake_case(arena *arena, const char *name);

// Converts "HttpServer" and "http_server" to "HTTP_SERVER", for macros and enumerators.
const char *name_to_upper_case(arena *arena, const char *name);

// Matches [A-Za-z_][A-Za-z0-9_]*.
bool name_is_identifier(const char *name);

// Returns whether a function of the program can have the name: an identifier that is neither reserved nor of the
// runtime.
bool name_is_function(const char *name);

// Matches [A-Z][A-Za-z0-9]*.
bool name_is_pascal_case(const char *name);

// Matches words of [a-z0-9] joined by single underscores, beginning with a letter.
bool name_is_snake_case(const char *name);

// Suggest a valid name for one in another case or with invalid characters: "HttpServer" or "http_server" for
// "http-server". Return NULL if no valid characters remain.
const char *name_suggest_pascal_case(arena *arena, const char *name);
const char *name_suggest_snake_case(arena *arena, const char *name);

// Returns why a name is reserved, such as "a keyword of C++": keywords of C17, C23 and C++20, and names from headers
// that generated code includes. NULL if the name is free.
const char *name_reserved_as(const char *name);

// Returns which header defines the name as a macro, type or function, such as "windows.h" or "a standard header": it is
// valid, but generated headers may not compile after that header. NULL if none does.
const char *name_header(const char *name);

// Returns the name as a member of a struct: with an underscore at its end if it is reserved. Names of schemas have
// none.
const char *name_as_member(arena *arena, const char *name);

// Returns whether a context's name can also name the context parameter of generated functions: it differs from their
// other names and shadows nothing.
bool name_is_parameter(const char *name);

// Returns whether a new name in snake_case is probably the other one, misspelled: one letter is wrong, missing, added
// or swapped, two in names of at least 8 letters. Names that differ in a number or in a word of two letters are meant:
// wheel_1 and wheel_2, arm_l and arm_r.
bool name_is_misspelled(const char *name, const char *other);

// Searches for the candidate nearest to a name: ignoring case, with at most two letters wrong, missing, added or
// swapped. Offer all candidates, then read `nearest`; among equally near ones the first wins.
typedef struct name_search {
    const char *wanted;
    const char *nearest; // NULL if no candidate is near
    size_t distance;
} name_search;

name_search name_search_begin(const char *wanted);
void name_search_offer(name_search *search, const char *candidate);

#endif
