// The forms that a diagnostic is printed in.
//
// Text is for people: the message with its code, the source line with carets, the hint behind them, a line a note.
// JSON is for programs: one object a line, whose keys are always the same; what is not known of a place is null.
#ifndef KIN_GENERATOR_DIAGNOSTIC_PRINT_H
#define KIN_GENERATOR_DIAGNOSTIC_PRINT_H

#include "base/text.h"
#include "diagnostic/diagnostic.h"

void diagnostic_append_text(text *text, const diagnostic *diagnostic, bool is_coloured);
void diagnostic_append_json(text *text, const diagnostic *diagnostic);

#endif
