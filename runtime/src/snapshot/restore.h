// Restoring: a context as it was when a part was saved.
//
//   kin__restore_check     whether the part fits the context
//   kin__restore_reserve   all memory, so that nothing after it can fail
//   kin__restore_commit    all blocks, and what is derived from them
//   kin__restore_settle    what nobody holds any more
//   kin__restore_tell      KIN_CONTEXT_RESTORED
//
// A world calls each for all contexts before it calls the next one.
#ifndef KIN_SRC_RESTORE_H
#define KIN_SRC_RESTORE_H

#include "image/part.h"
#include "index/index_restore.h"

// Reports KIN_ERROR_INVALID for a part of another schema, and KIN_ERROR_LIMIT for more entities than allowed.
kin_status kin__restore_check(const kin_context *context, const kin__context_snapshot *part, const char *verb);

// Returns what indices must know of the part, which is reserved.
kin__index_plan kin__restore_index_plan(const kin_context *context, const kin__context_snapshot *part);

// False when out of memory: then nothing that can be seen has changed.
bool kin__restore_reserve(kin_context *context, const kin__context_snapshot *part);

// Gives up what was reserved, when the restore of another context is refused.
void kin__restore_cancel(kin_context *context);

// Puts the state of the part into the context. Calls nobody. Collectors are cleared before: the world fills those of
// its systems afterwards, and then calls kin__restore_settle, which frees the slots of dead entities and the last
// values that nobody holds.
void kin__restore_commit(kin_context *context, const kin__context_snapshot *part);
void kin__restore_settle(kin_context *context, const kin__context_snapshot *part);

// Notifies of KIN_CONTEXT_RESTORED.
void kin__restore_tell(kin_context *context);

#endif
