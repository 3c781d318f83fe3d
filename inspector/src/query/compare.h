// Compare: single values with each other.
#ifndef KIN_INSPECT_COMPARE_H
#define KIN_INSPECT_COMPARE_H

#include "query/query.h"

// Returns whether a comparison of two values of like kinds holds. Integers compare exactly, also signed with unsigned,
// with a floating-point number as double; NaN satisfies != alone. NULL equals only NULL, and comes before all
// texts.
bool kin__compare_holds(kin__comparison comparison, const kin__scalar *left, const kin__scalar *right);

// Returns whether `left` comes before `right` in an order; NaN comes last.
bool kin__compare_precedes(const kin__scalar *left, const kin__scalar *right);

// The bytes of a text that are matched with a pattern: the time is that of a longer one otherwise.
enum { KIN__LIKE_SIZE = 4096 };

// Returns whether the first bytes of the text match a pattern with `*` and `?`, a character; `\` makes the next
// character an ordinary one.
bool kin__compare_like(const char *text, const char *pattern);

#endif
