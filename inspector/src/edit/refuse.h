// Refuse: what is said of values that are not set. All return false.
#ifndef KIN_INSPECT_REFUSE_H
#define KIN_INSPECT_REFUSE_H

#include "host/host.h"

// The number is outside of the range of its field.
bool kin__refuse_range(kin__task *task, const kin_field_info *field);

// The field of a path has another value, `base`, than was expected.
bool kin__refuse_expected(kin__task *task, const kin__path *path, const void *base);

// An object has a field that is none of these.
bool kin__refuse_unknown(kin__task *task, const kin_field_info *fields, uint32_t count, const json_t *value);

#endif
