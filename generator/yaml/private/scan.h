// Scans the bytes of a source before libyaml parses it, and converts libyaml's marks to byte offsets.
//
// libyaml accepts UTF-16 silently, breaks lines at characters where editors do not, and needs quadratic time for
// directives. The scan rejects all of these first.
#ifndef KIN_GENERATOR_YAML_SCAN_H
#define KIN_GENERATOR_YAML_SCAN_H

#include "diagnostic/diagnostic.h"
#include "diagnostic/source.h"

#include <stdbool.h>
#include <stddef.h>

// Returns whether the source is valid: UTF-8 of printable characters, tabs and line breaks ("\n" or "\r\n"), without
// directives except one %YAML 1.1 or 1.2 before the document. Reports all violations.
bool tree_scan(diagnostics *diagnostics, const source *source);

// Converts character indices of a scanned source to byte offsets. libyaml counts characters from 0, without a byte
// order mark. Moving costs the distance.
typedef struct tree_cursor {
    const source *source;
    size_t index;  // in characters
    size_t offset; // in bytes
} tree_cursor;

tree_cursor tree_cursor_begin(const source *source);

// Returns the byte offset of the character at `index`.
size_t tree_cursor_move(tree_cursor *cursor, size_t index);

#endif
