// Saving: the part of a context as it is now.
#ifndef KIN_SRC_SAVE_H
#define KIN_SRC_SAVE_H

#include "image/part.h"

// Whether the context may be saved and restored now: not inside its own listeners and systems. Reports
// KIN_ERROR_INVALID if not.
kin_status kin__context_may_save(const kin_context *context, const char *verb);

// The same, and reports nothing.
bool kin__context_can_save(const kin_context *context);

// Returns a part with the state of the context, to be put into a snapshot or released. NULL when out of memory.
kin__context_snapshot *kin__part_save(kin_context *context);

#endif
