// Checks for YAML that libyaml accepts but the schema language excludes, node by node while the tree is built.
//
// Each function reports what it finds.
#ifndef KIN_GENERATOR_YAML_CHECK_H
#define KIN_GENERATOR_YAML_CHECK_H

#include "diagnostic/diagnostic.h"
#include "diagnostic/source.h"
#include "generator/base/base.h"
#include "yaml/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

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

#endif
