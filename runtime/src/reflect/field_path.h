// Paths: the place of a field in the value of a component.
//
//   box.corners[2].x        a field, of a struct its fields, of an array an element from 0
//
//   path  = name { "." name | "[" number "]" }
//
// A path that ends at a struct, an opaque value or a whole array names no single value, and is refused.
#ifndef KIN_SRC_FIELD_PATH_H
#define KIN_SRC_FIELD_PATH_H

#include <kin/info.h>

// A field, or one element of an array.
typedef struct kin__field_place {
    const kin_field_info *field; // its type and name; of an element: the array
    size_t offset, size;         // bytes in the value of the component
} kin__field_place;

// Finds the place of a path. Returns NULL, or what is wrong with the path, for the rest of a sentence.
const char *kin__field_find(const kin_component_info *component, const char *path, kin__field_place *place);

#endif
