// Values of single fields, converted between their bytes and kin_field_value, with checks of type and range.
#ifndef KIN_SRC_FIELD_VALUE_H
#define KIN_SRC_FIELD_VALUE_H

#include "reflect/field_path.h"

#include <kin/reflect.h>

// Reads the field at `bytes`. Strings stay where they are.
kin_field_value kin__field_value_read(const kin__field_place *place, const void *bytes);

// Writes the field at `bytes`. A string is not copied: its address is stored, unless the field holds its letters.
// Returns NULL, or why the field cannot have the value, with `bytes` unchanged.
const char *kin__field_value_write(const kin__field_place *place, const kin_field_value *value, void *bytes);

#endif
