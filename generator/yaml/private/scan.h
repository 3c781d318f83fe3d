// The look at the bytes of a source before libyaml sees them, and the way from libyaml's marks back to bytes.
//
// libyaml takes UTF-16 in silence, breaks lines at characters where editors don't, and spends quadratic time on
// directives; all of that is refused here, so that it never gets that far.
#ifndef KIN_GENERATOR_YAML_SCAN_H
#define KIN_GENERATOR_YAML_SCAN_H

#include "diagnostic/diagnostic.h"
#include "diagnostic/source.h"

#include <stdbool.h>
#include <stddef.h>

// Whether the source is UTF-8 of printable characters, tabs and line breaks ("\n" or "\r\n"), without directives but
// one %YAML 1.1 or 1.2 before the document. What breaks this has been reported.
bool tree_scan(diagnostics *diagnostics, const source *source);

// Goes to the characters of a scanned source. libyaml counts characters from 0, a byte order mark left out; moving
// costs the distance.
typedef struct tree_cursor {
    const source *source;
    size_t index;  // in characters
    size_t offset; // in bytes
} tree_cursor;

tree_cursor tree_cursor_begin(const source *source);

// The byte offset of the character at `index`.
size_t tree_cursor_move(tree_cursor *cursor, size_t index);

#endif
