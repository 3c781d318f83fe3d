// Differences of the last values of two parts: of those that are stashed, and of those that events still have to tell.
#ifndef KIN_SRC_COMPARE_KEPT_H
#define KIN_SRC_COMPARE_KEPT_H

#include "image/part.h"

// Returns how many last values differ, or are only in one part. A part may be NULL: it has none.
uint64_t kin__count_kept_differences(const kin__context_snapshot *before, const kin__context_snapshot *after);

#endif
