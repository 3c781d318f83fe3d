// What the files of this room share: printing, the scan before libyaml, the checks during a parse, and its faults.
#ifndef KIN_GENERATOR_SOURCE_INTERNAL_H
#define KIN_GENERATOR_SOURCE_INTERNAL_H

#include "generator/source/source.h"

#include "generator/base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

// ---- printing
//
// The output formats of a diagnostic.
//
// Text: the message with its code, the source line with carets and the hint, and a line for each note.
// JSON: one object a line, always with the same keys; unknown values are null.

void diagnostic_append_text(text *text, const diagnostic *diagnostic, bool is_coloured);
void diagnostic_append_json(text *text, const diagnostic *diagnostic);

// ---- scanning
//
// Scans the bytes of a source before libyaml parses it, and converts libyaml's marks to byte offsets.
//
// libyaml accepts UTF-16 silently, breaks lines at characters where editors do not, and needs quadratic time for
// directives. The scan rejects all of these first.

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

// ---- checks
//
// Checks for YAML that libyaml accepts but the schema language excludes, node by node while the tree is built.
//
// Each function reports what it finds.

// Returns whether the key can be used: a scalar that is neither missing nor a merge key, and not yet in `keys`. Adds it
// to `keys` then.
bool tree_check_key(diagnostics *diagnostics, dictionary *keys, const tree_node *key);

// Reports anchors and tags; the node after them is read as if they were missing.
void tree_check_properties(diagnostics *diagnostics, span place, const yaml_event_t *event);

// Returns whether the scalar is valid: not too long, and without characters that a source must not contain, which
// escapes in quotes can produce.
bool tree_check_text(diagnostics *diagnostics, const tree_node *node);

// Visits the lines of a source and reports tabs before the first text of a line: libyaml reports them only where it
// measures indentation, and editors show them with different widths.
typedef struct tree_lines {
    diagnostics *diagnostics;
    const source *source;
    size_t next; // first line not yet checked, from 1
} tree_lines;

// Checks the lines that begin at or before the offset.
void tree_lines_check(tree_lines *lines, size_t offset);

// Skips the lines that begin at or before the offset: those of a block scalar may begin with tabs.
void tree_lines_skip(tree_lines *lines, size_t offset);

// Checks the lines that begin inside a quoted scalar: they must be indented too. Returns whether there are any.
bool tree_lines_quote(tree_lines *lines, span text);

// Reports a comment that directly follows a closing quote, a closing bracket or the header of a block scalar.
void tree_check_end(diagnostics *diagnostics, span node);

// ---- faults
//
// Translates libyaml's errors into diagnostics that name the cause, at the place to fix.
//
// libyaml stops where it cannot continue, often a line after the fault: it notices a missing colon at the next colon,
// and a quote or bracket that is never closed at the end of the file. Every problem that libyaml 0.2.5 reports has a
// message here; libyaml's own messages are never printed.

// The surroundings of the place where libyaml stopped; unknown spans are empty.
typedef struct tree_surroundings {
    span open;        // the innermost open '[' or '{'
    span text;        // the newest node, if it is a quoted scalar of several lines
    bool is_reported; // an error in `text` was reported already
} tree_surroundings;

// Reports why the parser failed.
void tree_report_fault(diagnostics *diagnostics, const yaml_parser_t *parser, const source *source,
                       tree_surroundings surroundings);

// ---- the place of a fault
//
// Shared by the files that translate libyaml's errors: the error and the lines around it.
//
// All offsets are bytes of the source.

typedef struct fault {
    diagnostics *diagnostics;
    const source *source;
    size_t at;      // where libyaml stopped
    size_t context; // start of what libyaml was reading
    tree_surroundings surroundings;
} fault;

// Returns the byte at an offset; empty at the end of the source.
span fault_byte(const fault *fault, size_t offset);

span fault_line(const source *source, size_t offset);

// Returns the span without surrounding spaces and without a comment after it.
span fault_trimmed(span span);

// Returns the offset of the first colon that ends a key in the span, or the span's end.
size_t fault_key_end(span span);

// Returns the nearest earlier line that has more than spaces and a comment; empty if there is none.
span fault_line_before(const source *source, size_t offset);

// Returns the length, for "%.*s".
int fault_length(span span);
const char *fault_text(span span);

#endif
