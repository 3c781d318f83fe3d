// The output formats of a diagnostic.
//
// Text: the message with its code, the source line with carets and the hint, and a line for each note.
// JSON: one object a line, always with the same keys; unknown values are null.
#ifndef KIN_GENERATOR_DIAGNOSTIC_PRINT_H
#define KIN_GENERATOR_DIAGNOSTIC_PRINT_H

#include "diagnostic/diagnostic.h"
#include "generator/base/base.h"

void diagnostic_append_text(text *text, const diagnostic *diagnostic, bool is_coloured);
void diagnostic_append_json(text *text, const diagnostic *diagnostic);

#endif
