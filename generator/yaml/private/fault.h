// Translates libyaml's errors into diagnostics that name the cause, at the place to fix.
//
// libyaml stops where it cannot continue, often a line after the fault: it notices a missing colon at the next colon,
// and a quote or bracket that is never closed at the end of the file. Every problem that libyaml 0.2.5 reports has a
// message here; libyaml's own messages are never printed.
#ifndef KIN_GENERATOR_YAML_FAULT_H
#define KIN_GENERATOR_YAML_FAULT_H

#include "diagnostic/diagnostic.h"
#include "diagnostic/source.h"

#include <stdbool.h>
#include <yaml.h>

// The surroundings of the place where libyaml stopped; unknown spans are empty.
typedef struct tree_surroundings {
    span open;        // the innermost open '[' or '{'
    span text;        // the newest node, if it is a quoted scalar of several lines
    bool is_reported; // an error in `text` was reported already
} tree_surroundings;

// Reports why the parser failed.
void tree_report_fault(diagnostics *diagnostics, const yaml_parser_t *parser, const source *source,
                       tree_surroundings surroundings);

#endif
