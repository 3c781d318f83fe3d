// Mustache: renders logic-less templates over values: the core of the Mustache specification, without lambdas and
// inheritance.
//
// A name is looked up on the stack of open sections, innermost first. Missing, null, false and the empty list are
// falsy; everything else is truthy, including the empty text. A partial that stands alone on its line indents every
// nonempty line of its template.
//
// There are two modes. MUSTACHE_SPEC follows the specification: `{{name}}` escapes HTML, missing values print nothing.
// MUSTACHE_CODE is for C: nothing is escaped, and unknown names, printed lists or maps, and missing partials are
// errors, since silence would hide a bug in the output.
//
// Each template is parsed once per indentation; renderings that share a cache share the result.
#ifndef KIN_GENERATOR_TEMPLATE_MUSTACHE_H
#define KIN_GENERATOR_TEMPLATE_MUSTACHE_H

#include "generator/source/codes.h"
#include "generator/base/base.h"
#include "template/value.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    MUSTACHE_SECTION_LIMIT = 64,              // open sections in one template
    MUSTACHE_PARTIAL_LIMIT = 64,              // open partials; recursive partials are allowed if their data ends
    MUSTACHE_OUTPUT_LIMIT = 64 * 1024 * 1024, // bytes of one rendering
    MUSTACHE_STEP_LIMIT = 16 * 1024 * 1024    // rendered tokens, for nested lists that print nothing
};

typedef struct mustache_template {
    const char *name;
    const char *bytes;
    size_t size;
} mustache_template;

// The templates available to a rendering. Names are distinct.
typedef struct mustache_library {
    const mustache_template *templates;
    size_t count;
} mustache_library;

typedef enum mustache_mode { MUSTACHE_SPEC, MUSTACHE_CODE } mustache_mode;

// Parsed templates, for renderings from one library and in one arena. All zero is an empty cache.
typedef struct mustache_cache {
    struct mustache_cached *newest;
} mustache_cache;

typedef struct mustache_request {
    arena *arena;
    const mustache_library *library;
    const char *template_name;
    const value *data;
    mustache_mode mode;
    mustache_cache *cache; // NULL: no cache
} mustache_request;

// Lines and columns count from 1; columns are characters.
typedef struct mustache_error {
    const char *template_name;
    size_t line, column;
    const char *message;
    diagnostic_code code;
} mustache_error;

// Returns the template with that name; NULL if the library has none.
const mustache_template *mustache_library_find(const mustache_library *library, const char *name);

// Appends the rendered template. On failure returns false and fills in `error`; the output keeps what was rendered
// before.
bool mustache_render(const mustache_request *request, text *output, mustache_error *error);

// Returns the error as one line: `template:line:column: error: message`.
const char *mustache_error_line(arena *arena, const mustache_error *error);

#endif
