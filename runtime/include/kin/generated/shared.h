/// Shared values, for generated code only. Changes with the interface version.
#ifndef KIN__SHARED_H
#define KIN__SHARED_H

#include <kin/generated/storage.h>

KIN_BEGIN_DECLARATIONS

// Returns the value with the lowest number from `*number` on that entities have, sets `*count` to how many have it, and
// `*number` to the next number. NULL, with `*count` 0, if there is none.
KIN_API const void *kin__shared_next(const kin_context *context, kin_component_id id, uint32_t *number,
                                     uint32_t *count);

KIN_END_DECLARATIONS

#endif
