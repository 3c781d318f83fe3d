// Mustache scanner: cuts a template into pieces, each the text before a tag and the tag itself.
//
// It knows how tags look: delimiters and their change, the kinds, and the rule of tags that stand alone on their line
// (such a line leaves no output, neither its spaces nor its line break). It does not know what tags mean.
//
// Every slice points into the template, which must stay. An indented template counts columns without its indentation,
// so that places are those of the file.
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
    MUSTACHE_END, // of the template: only `before` counts
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
    mustache_slice before;      // the text between the last tag and this one
    mustache_slice name;        // what the tag encloses, without blanks around it
    mustache_slice indentation; // the blanks before a tag that stands alone
    mustache_place place;       // of the tag
} mustache_piece;

typedef struct mustache_scanner {
    const mustache_template *source;
    size_t indentation; // characters that were put before each line
    size_t position;    // of the first byte that no piece covers
    mustache_slice open, close;
    size_t counted; // bytes already counted in `place`
    mustache_place place;
} mustache_scanner;

mustache_scanner mustache_scanner_create(const mustache_template *source, size_t indentation);

// False, with `error` filled in, where a tag is malformed. After MUSTACHE_END it must not be called again.
bool mustache_scan(mustache_scanner *scanner, mustache_piece *piece, mustache_error *error);

#endif
