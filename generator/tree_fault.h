// What libyaml says when a text is not YAML, in sentences that name the cause, at the place that has to be mended.
//
// libyaml stops where it cannot go on, which is often a line behind the fault: a missing colon shows at the next one, a
// bracket that is never closed at the end of the file.
#ifndef KIN_GENERATOR_TREE_FAULT_H
#define KIN_GENERATOR_TREE_FAULT_H

#include "diagnostic.h"
#include "source.h"

#include <yaml.h>

// Reports why the parser has failed.
void tree_report_fault(diagnostics *diagnostics, const source *source, const yaml_parser_t *parser);

#endif
