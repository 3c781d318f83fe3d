// What the schema language leaves out of YAML, checked node by node while the tree grows. libyaml lets all of it pass.
//
// Each function reports what it finds.
#ifndef KIN_GENERATOR_TREE_CHECK_H
#define KIN_GENERATOR_TREE_CHECK_H

#include "diagnostic.h"
#include "dictionary.h"
#include "tree.h"

#include <stdbool.h>
#include <yaml.h>

// Whether the key may be used: a text, no merge key, and not yet in `keys`, to which it is added.
bool tree_check_key(diagnostics *diagnostics, dictionary *keys, const tree_node *key);

// Anchors and tags are refused; the node behind them is read as if they were not there.
void tree_check_properties(diagnostics *diagnostics, span place, const yaml_event_t *event);

// Whether the scalar's text may be used: escapes of a quoted one can make what may not stand in a source.
bool tree_check_text(diagnostics *diagnostics, const tree_node *node);

#endif
