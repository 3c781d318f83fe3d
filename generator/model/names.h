// Names: the cases that identifiers come in, which of them are taken, and which was probably meant.
//
// In a PascalCase name a word begins at an upper-case letter that follows a lower-case letter or a digit, or that is
// followed by a lower-case letter: HttpServer and HTTPServer are http_server, Pos2D is pos2_d.
//
// Letters and digits are those of ASCII here, whatever the locale.
#ifndef KIN_GENERATOR_MODEL_NAMES_H
#define KIN_GENERATOR_MODEL_NAMES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

// "HttpServer" to "http_server"; a name in snake_case stays as it is.
const char *name_to_snake_case(arena *arena, const char *name);

// "HttpServer" and "http_server" to "HTTP_SERVER", for macros and enumerators.
const char *name_to_upper_case(arena *arena, const char *name);

// [A-Za-z_][A-Za-z0-9_]*
bool name_is_identifier(const char *name);

// [A-Z][A-Za-z0-9]*
bool name_is_pascal_case(const char *name);

// Words of [a-z0-9] with single underscores between them, the first begins with a letter.
bool name_is_snake_case(const char *name);

// What was probably meant by a name in another case or with other characters: "http-server" could be "HttpServer" or
// "http_server". NULL when nothing of it is left.
const char *name_suggest_pascal_case(arena *arena, const char *name);
const char *name_suggest_snake_case(arena *arena, const char *name);

// A keyword of C17, C23 or C++20, or what the headers that generated code includes define. Says which: "a keyword of
// C++", or NULL when the name is free.
const char *name_reserved_as(const char *name);

// A macro or type of other headers of C and POSIX: it is free, but where those are included first it may not compile.
bool name_is_of_headers(const char *name);

// Whether a context's name can also be the parameter by which generated functions take it: it is not another of their
// names, and hides nothing.
bool name_is_parameter(const char *name);

// Looks for the candidate that is nearest to what was written: case set aside, at most two letters wrong, left out,
// too many or swapped. Offer all candidates, then read `nearest`; the first of equally near ones stays.
typedef struct name_search {
    const char *wanted;
    const char *nearest; // NULL: none is near
    size_t distance;
} name_search;

name_search name_search_begin(const char *wanted);
void name_search_offer(name_search *search, const char *candidate);

#endif
