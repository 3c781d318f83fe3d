// Differences between the last values of two parts: stashed values, and values that pending events still need.
#ifndef KIN_SRC_COMPARE_KEPT_H
#define KIN_SRC_COMPARE_KEPT_H

#include "image/part.h"

// Returns how many last values differ or are in one part only. A part that is NULL has none.
uint64_t kin__count_kept_differences(const kin__context_snapshot *before, const kin__context_snapshot *after);

#endif
