// Mustache: renders logic-less templates over values (the core of the Mustache specification; no lambdas, no
// inheritance).
//
// A name is looked up on the stack of open sections, innermost first. Absent, null, false and the empty list are
// falsy; everything else is truthy, the empty text too. A partial that stands alone on its line indents every line of
// its template that is not empty.
//
// The engine knows two modes. MUSTACHE_SPEC is the specification to the letter: `{{name}}` escapes HTML, what is
// missing renders as nothing. MUSTACHE_CODE is for making C: nothing is escaped, and a name that is found nowhere on
// the stack, a printed list or map and a missing partial are errors, since silence would be a bug in the output.
//
// A template is parsed once for each indentation that it is needed with, by all renderings that share a cache.
#ifndef KIN_GENERATOR_TEMPLATE_MUSTACHE_H
#define KIN_GENERATOR_TEMPLATE_MUSTACHE_H

#include "base/arena.h"
#include "base/text.h"
#include "diagnostic/codes.h"
#include "template/value.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    MUSTACHE_SECTION_LIMIT = 64, // sections open at one time in one template
    MUSTACHE_PARTIAL_LIMIT = 64, // partials open at one time: a recursive partial is fine as long as its data ends
    MUSTACHE_OUTPUT_LIMIT = 64 * 1024 * 1024, // bytes that one rendering may make
    MUSTACHE_STEP_LIMIT = 16 * 1024 * 1024    // tokens that it may render: lists in lists can go on and print nothing
};

typedef struct mustache_template {
    const char *name;
    const char *bytes;
    size_t size;
} mustache_template;

// Where templates and their partials are looked up. Names are distinct.
typedef struct mustache_library {
    const mustache_template *templates;
    size_t count;
} mustache_library;

typedef enum mustache_mode { MUSTACHE_SPEC, MUSTACHE_CODE } mustache_mode;

// Templates that have been parsed, for renderings from one library and in one arena. All zero is an empty one.
typedef struct mustache_cache {
    struct mustache_cached *newest;
} mustache_cache;

typedef struct mustache_request {
    arena *arena;
    const mustache_library *library;
    const char *template_name;
    const value *data;
    mustache_mode mode;
    mustache_cache *cache; // NULL: nothing is kept
} mustache_request;

// Lines and columns count from 1, columns in characters.
typedef struct mustache_error {
    const char *template_name;
    size_t line, column;
    const char *message;
    diagnostic_code code;
} mustache_error;

// The template of that name, NULL when the library has none.
const mustache_template *mustache_library_find(const mustache_library *library, const char *name);

// Appends what the template makes of the data. False, with `error` filled in, when it cannot; the output then holds
// what was rendered so far.
bool mustache_render(const mustache_request *request, text *output, mustache_error *error);

// The error as one line without a line break: `template:line:column: error: message`.
const char *mustache_error_line(arena *arena, const mustache_error *error);

#endif
