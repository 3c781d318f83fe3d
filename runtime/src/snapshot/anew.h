// The step that KIN_RESTORE_ANEW adds to a restore: collectors collect every entity, so that views are rebuilt.
#ifndef KIN_SRC_ANEW_H
#define KIN_SRC_ANEW_H

#include "store/store.h"

// Makes every active collector collect all members of those groups in the context whose additions it collects, in order
// of ascending slot. In their next turn, group systems see all members leave and enter, as after a reset.
void kin__restore_anew(kin_context *context);

#endif
