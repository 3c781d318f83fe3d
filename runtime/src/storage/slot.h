// Slots: the check of one slot, whose row, columns and handle must agree.
#ifndef KIN_SRC_SLOT_H
#define KIN_SRC_SLOT_H

#include "base/assertion.h"
#include "core/core.h"

// Whether the slot's row has the bits that its columns have, its values are whole, and its handle names it.
bool kin__slot_is_valid(const kin_context *context, uint32_t slot);

#endif
