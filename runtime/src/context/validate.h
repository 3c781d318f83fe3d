// Validation: walks a context and checks the invariants that the headers number, in checked builds and tests. Cost: all
// slots times all components.
#ifndef KIN_SRC_VALIDATE_H
#define KIN_SRC_VALIDATE_H

#include "base/base.h"
#include "store/store.h"

// Checks every slot, column, free list, count, group, mask, index, listener and last value.
bool kin__context_is_valid(const kin_context *context);

#endif
