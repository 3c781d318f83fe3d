// Adopting: copies a part of another context with the same schema to a part of this context, with its strings, lists
// and shared values.
#ifndef KIN_SRC_ADOPT_H
#define KIN_SRC_ADOPT_H

#include "image/part.h"

// Returns why the part of another context cannot be adopted; NULL if it can. Opaque values with a `drop` cannot be
// copied, and owners that were only counted have no addresses. `reason` is a buffer for the string.
enum { KIN__ADOPT_REASON_SIZE = 200 };
const char *kin__adopt_find_fault(const kin_context *context, const kin__context_snapshot *part,
                                  char reason[KIN__ADOPT_REASON_SIZE]);

// Copies the part for the restore that follows. False when out of memory.
bool kin__adopt(kin_context *context, const kin__context_snapshot *part);

// Return the part itself if it belongs to the context, else the copy; and release the copy, if one exists.
const kin__context_snapshot *kin__adopted(const kin_context *context, const kin__context_snapshot *part);
void kin__adopted_release(kin_context *context);

#endif
