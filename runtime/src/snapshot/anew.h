// What KIN_RESTORE_ANEW adds to a restore: views collect all that there is.
#ifndef KIN_SRC_ANEW_H
#define KIN_SRC_ANEW_H

#include "core/core.h"

// Makes every active collector collect the members of its groups in the context whose additions it collects, in order
// of ascending slot. Group systems find in their next turn that all have left and entered, as after a reset.
void kin__restore_anew(kin_context *context);

#endif
