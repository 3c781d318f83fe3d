// Components: the operations of storage.h on one component of one entity, in the general case. The fast paths (fast.h)
// call these for all other cases.
#ifndef KIN_SRC_COMPONENT_H
#define KIN_SRC_COMPONENT_H

#include "change/change.h"

kin_status kin__component_add(kin_context *context, kin_entity entity, kin_component_id id, const void *value);
kin_status kin__component_replace(kin_context *context, kin_entity entity, kin_component_id id, const void *value);
kin_status kin__component_remove(kin_context *context, kin_entity entity, kin_component_id id);

// Replaces or adds like kin__component_replace without a report. Sets the kind of the step, which describes a refusal.
kin_status kin__component_try_replace(kin_context *context, kin__step *step);

// The two halves of a touch. The first does all that can fail: it checks the step, a replace without a value, and
// updates the keys that functions give. It does not report. The second notifies.
kin_status kin__component_begin_touch(kin_context *context, const kin__step *step);
void kin__component_end_touch(kin_context *context, kin_entity entity, kin_component_id id);

// Reports why a step cannot be made, and returns the status.
kin_status kin__component_report_error(const kin_context *context, kin_status status, const char *verb,
                                       const kin__step *step);

#endif
