// Mustache scanner: splits a template into pieces of text, each followed by a tag.
//
// It handles the syntax of tags: delimiters and their changes, the kinds, and tags that stand alone on a line, whose
// spaces and line break are removed. It does not know the meaning of tags.
//
// Every slice points into the template, which must stay valid. In an indented template columns do not count the
// indentation, so places are those of the file.
#ifndef KIN_GENERATOR_TEMPLATE_MUSTACHE_SCAN_H
#define KIN_GENERATOR_TEMPLATE_MUSTACHE_SCAN_H

#include "template/mustache.h"

typedef struct mustache_slice {
    const char *bytes;
    size_t size;
} mustache_slice;

typedef struct mustache_place {
    size_t line, column;
} mustache_place;

typedef enum mustache_kind {
    MUSTACHE_END, // of the template; only `before` is valid
    MUSTACHE_TEXT,
    MUSTACHE_VARIABLE,
    MUSTACHE_RAW, // a variable that is never escaped
    MUSTACHE_SECTION,
    MUSTACHE_INVERTED,
    MUSTACHE_CLOSE,
    MUSTACHE_PARTIAL,
    MUSTACHE_COMMENT,
    MUSTACHE_DELIMITERS
} mustache_kind;

typedef struct mustache_piece {
    mustache_kind kind;
    mustache_slice before;      // text between the previous tag and this one
    mustache_slice name;        // content of the tag, without surrounding spaces
    mustache_slice indentation; // spaces before a tag that stands alone
    mustache_place place;       // of the tag
} mustache_piece;

typedef struct mustache_scanner {
    const mustache_template *source;
    size_t indentation; // characters added before each line
    size_t position;    // of the first byte after all pieces
    mustache_slice open, close;
    size_t counted; // bytes counted in `place`
    mustache_place place;
} mustache_scanner;

mustache_scanner mustache_scanner_create(const mustache_template *source, size_t indentation);

// Returns false, with `error` filled in, for a malformed tag. Must not be called after MUSTACHE_END.
bool mustache_scan(mustache_scanner *scanner, mustache_piece *piece, mustache_error *error);

#endif
