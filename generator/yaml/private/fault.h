// What libyaml says when a text is not YAML, in sentences that name the cause, at the place that has to be mended.
//
// libyaml stops where it cannot go on, which is often a line behind the fault: a missing colon shows at the next one, a
// quote or bracket that is never closed far below. Every problem that libyaml 0.2.5 knows has a sentence here; its own
// words reach nobody.
#ifndef KIN_GENERATOR_YAML_FAULT_H
#define KIN_GENERATOR_YAML_FAULT_H

#include "diagnostic/diagnostic.h"
#include "diagnostic/source.h"

#include <stdbool.h>
#include <yaml.h>

// What the tree knows of the place where libyaml stopped; no place where there is none.
typedef struct tree_surroundings {
    span open;    // the innermost '[' or '{' that is open
    span text;    // the newest node, where that is a quoted text of several lines
    bool is_told; // that this text is wrong
} tree_surroundings;

// Reports why the parser has failed.
void tree_report_fault(diagnostics *diagnostics, const yaml_parser_t *parser, const source *source,
                       tree_surroundings around);

#endif
