// Restoring: brings a context back to the state in which a part was saved.
//
//   kin__restore_check     checks whether the part fits the context
//   kin__restore_reserve   allocates all memory, so that no later step can fail
//   kin__restore_commit    writes all blocks, and updates what is derived from them
//   kin__restore_settle    frees slots and values that are no longer held
//   kin__restore_tell      notifies subscribers of KIN_CONTEXT_RESTORED
//
// A world calls each function for all contexts before it calls the next one.
#ifndef KIN_SRC_RESTORE_H
#define KIN_SRC_RESTORE_H

#include "image/part.h"
#include "lookup/lookup.h"

// Reports KIN_ERROR_INVALID for a part of another schema, and KIN_ERROR_LIMIT for more entities than allowed.
kin_status kin__restore_check(const kin_context *context, const kin__context_snapshot *part, const char *verb);

// Returns what indices need to know about the part, which must be reserved.
kin__index_plan kin__restore_index_plan(const kin_context *context, const kin__context_snapshot *part);

// False when out of memory: then nothing visible has changed.
bool kin__restore_reserve(kin_context *context, const kin__context_snapshot *part);

// Releases what was reserved, after the restore of another context of the world was refused.
void kin__restore_cancel(kin_context *context);

// Copies the state of the part to the context, and calls no listener. Collectors are cleared first. The world then
// fills the collectors of its systems and calls kin__restore_settle, which frees the slots of dead entities and the
// last values that nothing holds.
void kin__restore_commit(kin_context *context, const kin__context_snapshot *part);
void kin__restore_settle(kin_context *context, const kin__context_snapshot *part);

// Notifies subscribers of KIN_CONTEXT_RESTORED.
void kin__restore_tell(kin_context *context);

#endif
