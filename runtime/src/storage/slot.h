// Slots: validation of one slot.
//
// Invariants, checked by kin__slot_is_valid():
//   1. a column has the slot's bit exactly where the slot is alive and its row has the component's bit
//   2. a boxed value of a living slot is not the spare value; an owned one has a valid block (owned.h)
//   3. the canaries of its columns are unchanged (canary.h)
//   4. the slot stores a handle that names it exactly when it is alive
#ifndef KIN_SRC_SLOT_H
#define KIN_SRC_SLOT_H

#include "base/base.h"
#include "core/core.h"

bool kin__slot_is_valid(const kin_context *context, uint32_t slot);

#endif
