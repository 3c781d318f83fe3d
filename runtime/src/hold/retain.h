// Owners: who retains which entity, beside the count of holders that chunk.h keeps.
//
// An owner is an address that is compared and never read. With fast_retain there is a count for each slot instead.
//
// Invariants:
//   1. an owner stands at most once for each entity
//   2. each owner of an entity is one of its holders
//   3. at most half of the table is in use, so that looking for what is not there ends soon
#ifndef KIN_SRC_RETAIN_H
#define KIN_SRC_RETAIN_H

#include "core/core.h"

// All memory of owners.
void kin__owners_release(kin_context *context);

// Gives back what the table of owners has beyond need.
void kin__owners_trim(kin_context *context);

// Bytes of the owners that there are.
size_t kin__owners_used(const kin_context *context);

#endif
