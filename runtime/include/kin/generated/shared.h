/// Shared values, for generated code only. Changes with the interface version.
#ifndef KIN_INTERNAL_SHARED_H
#define KIN_INTERNAL_SHARED_H

#include <kin/generated/storage.h>

KIN_BEGIN_DECLARATIONS

// Returns the first value, from number `*number` on, that any entity has. Sets `*count` to the number of those
// entities, and `*number` to the following number. NULL, with `*count` 0, after the last value.
KIN_API const void *kin__shared_next(const kin_context *context, kin_component_id id, uint32_t *number,
                                     uint32_t *count);

KIN_END_DECLARATIONS

#endif
