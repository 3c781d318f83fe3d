// Same: whether a value of a component is what a viewer expects.
#ifndef KIN_INSPECT_SAME_H
#define KIN_INSPECT_SAME_H

#include <kin/kin.h>

// Compares what was given of a field, by its mask (NULL: all was), with a value; or a single element of it. Numbers are
// the same if they are shown the same: every NaN is the same, and -0 differs from 0.
bool kin__same_field(const kin_field_info *field, const char *given, const char *mask, const char *value,
                     bool is_element);

#endif
