// Paths: the place of a field in the value of a component.
//
//   box.corners[2].x        a field, of a struct its fields, of an array or a list an element from 0
//
//   path  = name { "." name | "[" number "]" }
//
// A path that ends at a struct, an opaque value or a whole array or list names no single value, and is refused. The
// number of elements of a list depends on the value, so the caller compares `index`.
#ifndef KIN_SRC_FIELD_PATH_H
#define KIN_SRC_FIELD_PATH_H

#include <kin/info.h>

// A field, or one element of an array or a list.
typedef struct kin__field_place {
    const kin_field_info *field; // its type and name; of an element: the array or list
    size_t offset, size;         // bytes in the value of the component; in a list: in the element
    const kin_field_info *list;  // the list that the field is in; NULL: none
    uint32_t index;              // of the element in the list
} kin__field_place;

// Finds the place of a path. Returns NULL, or what is wrong with the path, for the rest of a sentence.
const char *kin__field_find(const kin_component_info *component, const char *path, kin__field_place *place);

#endif
