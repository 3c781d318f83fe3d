// Adopting: a part of another context with the same schema becomes one of this context, with copies of its strings,
// lists and shared values.
#ifndef KIN_SRC_ADOPT_H
#define KIN_SRC_ADOPT_H

#include "image/part.h"

// Returns why the part, which is of another context, cannot be adopted: opaque values with a `drop` cannot be copied,
// and owners that were only counted have no addresses. NULL if it can. `reason` is room for the text.
enum { KIN__ADOPT_REASON_SIZE = 200 };
const char *kin__adopt_find_fault(const kin_context *context, const kin__context_snapshot *part,
                                  char reason[KIN__ADOPT_REASON_SIZE]);

// Makes a copy of the part for the restore that follows. False when out of memory.
bool kin__adopt(kin_context *context, const kin__context_snapshot *part);

// Returns the part itself if it is of the context, else the copy; and releases the copy, if there is one.
const kin__context_snapshot *kin__adopted(const kin_context *context, const kin__context_snapshot *part);
void kin__adopted_release(kin_context *context);

#endif
