// Values in words: `{x: 1.5, side: Red, name: "bob"}`.
//
//   number    the shortest decimal that reads back as the same number, with a point in any locale
//   enum      its name; the number where the schema has no name for it
//   entity    creation index and slot, `entity 7 in slot 6`; `no entity`
//   string    quoted, escaped and shortened (escape.h); NULL
//   array     [1, 2, 3]
//   opaque    its type in angle brackets, `<Sprite>`
#ifndef KIN_SRC_DESCRIBE_VALUE_H
#define KIN_SRC_DESCRIBE_VALUE_H

#include "report/writer.h"

#include <kin/info.h>

// Appends the value of the field at `place`.
void kin__value_describe(kin__writer *writer, const kin_field_info *field, const char *place);

// Appends the name of the field, a colon and its value.
void kin__field_describe(kin__writer *writer, const kin_field_info *field, const char *place);

#endif
