// Validation: walks the storage and checks the invariants that the headers number. For the checked build and tests.
#ifndef KIN_SRC_VALIDATE_H
#define KIN_SRC_VALIDATE_H

#include "base/assertion.h"
#include "core/core.h"

// Everything: every slot, the chunks with columns, the free list and the counts.
bool kin__context_is_valid(const kin_context *context);

#endif
