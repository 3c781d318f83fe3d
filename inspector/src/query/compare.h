// Compare: single values with each other.
#ifndef KIN_INSPECT_COMPARE_H
#define KIN_INSPECT_COMPARE_H

#include "query/query.h"

// Returns whether a comparison of two values of like kinds holds. Integers compare exactly, also signed with unsigned,
// with a floating-point number as double; NaN satisfies != alone. NULL is a text that equals itself alone, and comes
// before all others.
bool kin__compare_holds(kin__comparison comparison, const kin__scalar *left, const kin__scalar *right);

// Returns whether `left` comes before `right` in an order; NaN comes last.
bool kin__compare_precedes(const kin__scalar *left, const kin__scalar *right);

// Returns whether the text matches a pattern with `*` and `?`.
bool kin__compare_like(const char *text, const char *pattern);

#endif
