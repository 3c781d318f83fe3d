// What the schema language leaves out of YAML, checked node by node while the tree grows. libyaml lets all of it pass.
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

// Whether the key may be used: a text, no merge key, and not yet in `keys`, to which it is added.
bool tree_check_key(diagnostics *diagnostics, dictionary *keys, const tree_node *key);

// Anchors and tags are refused; the node behind them is read as if they were not there.
void tree_check_properties(diagnostics *diagnostics, span place, const yaml_event_t *event);

// Whether the scalar's text may be used: escapes of a quoted one can make what may not stand in a source.
bool tree_check_text(diagnostics *diagnostics, const tree_node *node);

// A walk over the lines of a source, in which tabs before the first text of a line are refused: libyaml minds them only
// where it measures indentation, and people see columns that are not there.
typedef struct tree_lines {
    diagnostics *diagnostics;
    const source *source;
    size_t next; // the line that was not looked at yet, from 1
} tree_lines;

// Checks the lines that begin at the offset or before it.
void tree_lines_check(tree_lines *lines, size_t offset);

// Passes them over, as those inside a text that may begin with anything.
void tree_lines_skip(tree_lines *lines, size_t offset);

// Checks the lines inside a quoted text, which are indented too. Whether there are any.
bool tree_lines_quote(tree_lines *lines, span text);

// Refuses a comment that stands too near: behind a quote, a bracket or the bar of a text.
void tree_check_end(diagnostics *diagnostics, span node);

#endif
