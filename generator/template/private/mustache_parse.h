// Mustache parser: parses a template into a flat array of tokens.
//
//   {{#units}}{{name}},{{/units}}     [ section units, end 3 ] [ variable name ] [ text "," ] [ close units ]
//
// Invariants:
//
//   1. sections are properly nested, at most MUSTACHE_SECTION_LIMIT deep
//   2. `end` of a section is the index of its closing token, which comes after it
//   3. comments and changes of delimiters have no token
#ifndef KIN_GENERATOR_TEMPLATE_MUSTACHE_PARSE_H
#define KIN_GENERATOR_TEMPLATE_MUSTACHE_PARSE_H

#include "template/private/mustache_scan.h"

typedef struct mustache_token {
    mustache_kind kind;
    mustache_slice text; // MUSTACHE_TEXT: what to print; MUSTACHE_PARTIAL: the indentation
    const char *name;    // of the tag, as written
    value_key *parts;    // of the name, split at its dots
    size_t part_count;   // 0 for `.`, the current value
    size_t end;
    mustache_place place;
    const struct mustache_program *partial; // MUSTACHE_PARTIAL: set by the renderer at first use
} mustache_token;

typedef struct mustache_program {
    const char *template_name;
    mustache_token *tokens;
    size_t count, capacity;
} mustache_program;

// Parses the template as if each nonempty line began with `indentation`.
bool mustache_parse(arena *arena, const mustache_template *source, mustache_slice indentation,
                    mustache_program *program, mustache_error *error);

#endif
