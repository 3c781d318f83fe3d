// Checks for parts of YAML that the schema language excludes and libyaml accepts, node by node while the tree grows.
//
// Each function reports what it finds.
#ifndef KIN_GENERATOR_YAML_CHECK_H
#define KIN_GENERATOR_YAML_CHECK_H

#include "base/dictionary.h"
#include "diagnostic/diagnostic.h"
#include "diagnostic/source.h"
#include "yaml/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

// Returns whether the key is valid: a scalar, no merge key, and not yet in `keys`. Adds it to `keys`.
bool tree_check_key(diagnostics *diagnostics, dictionary *keys, const tree_node *key);

// Reports anchors and tags; the node after them is read as if they were missing.
void tree_check_properties(diagnostics *diagnostics, span place, const yaml_event_t *event);

// Returns whether the scalar is valid: escapes in quotes can produce characters that a source must not contain.
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

// Skips these lines, such as those of a block scalar, which may begin with anything.
void tree_lines_skip(tree_lines *lines, size_t offset);

// Checks the lines inside a quoted scalar, which are indented too. Returns whether there are any.
bool tree_lines_quote(tree_lines *lines, span text);

// Reports a comment without a space before it, after a quote, a bracket or the bar of a block scalar.
void tree_check_end(diagnostics *diagnostics, span node);

#endif
