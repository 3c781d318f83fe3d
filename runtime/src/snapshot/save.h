// Saving: makes a part from the current state of a context.
#ifndef KIN_SRC_SAVE_H
#define KIN_SRC_SAVE_H

#include "image/part.h"

// Whether the context may be saved and restored now: not while its own listeners or systems run. Reports
// KIN_ERROR_INVALID if not.
kin_status kin__context_may_save(const kin_context *context, const char *verb);

// The same, without a report.
bool kin__context_can_save(const kin_context *context);

// Returns a part with the state of the context, which the caller puts into a snapshot or releases. NULL when out of
// memory. A context that is saved alone is saved without last values that only events need: a restore clears the
// collectors that would notify them.
kin__context_snapshot *kin__part_save(kin_context *context, bool is_alone);

#endif
