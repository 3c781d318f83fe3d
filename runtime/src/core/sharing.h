// Sharing: threads read a context and write values in place, while its structure stands still.
//
//   sharing.begun     how often kin_context_begin_shared was called and not yet undone; 0: the context is not shared
//   sharing.refused   calls that failed meanwhile, counted by all threads, reported when sharing ends
//
// Invariants:
//   1. while a context is shared, its depth is KIN__MAX_DEPTH and all components are watched, as at the limit of
//      nesting: each change calls the library, which finds that it may not begin
//   2. meanwhile no function writes what another thread may read: caches are not made, errors are not reported
//
// Cost: none where a change is tested for the limit of nesting; elsewhere a load and a test.
#ifndef KIN_SRC_SHARING_H
#define KIN_SRC_SHARING_H

#include "core/core.h"

static inline bool kin__context_is_shared(const kin_context *context)
{
    return context->core->sharing.begun > 0;
}

#endif
