// context: contexts as wholes, from creation to destruction, and by ids for code that does not know the schema
//
// Owns the memory of a context and the functions that take ids, paths and numbers where generated code has names: they
// check these, then call what generated code calls.
#ifndef KIN_SRC_CONTEXT_H
#define KIN_SRC_CONTEXT_H

#include "store/store.h"

#include <kin/info.h>
#include <kin/reflect.h>

// Holders in words: what keeps the slot of a destroyed entity from being used again.

enum { KIN__HOLDERS_SIZE = 256 };

// Reset: destroys all entities of a context, and restarts it.

// Destroys all entities, also those that listeners create meanwhile. Reports nothing: destroyed entities may still be
// held. Changes must be able to nest one deeper.
void kin__entities_destroy(kin_context *context);

// Validation: walks a context and checks the invariants that the headers number, in checked builds and tests. Cost: all
// slots times all components.

// Checks every slot, column, free list, count, group, mask, index, listener and last value.
bool kin__context_is_valid(const kin_context *context);

// Paths: the place of a field in the value of a component.
//
//   box.corners[2].x        a field, of a struct its fields, of an array or a list an element from 0
//
//   path  = name { "." name | "[" number "]" }
//
// A path that ends at a struct, an opaque value or a whole array or list names no single value, and is refused. The
// number of elements of a list depends on the value, so the caller compares `index`.

// A field, or one element of an array or a list.
typedef struct kin__field_place {
    const kin_field_info *field; // its type and name; of an element: the array or list
    size_t offset, size;         // bytes in the value of the component; in a list: in the element
    const kin_field_info *list;  // the list that the field is in; NULL: none
    uint32_t index;              // of the element in the list
} kin__field_place;

// Values of single fields, converted between their bytes and kin_field_value, with checks of type and range.

#endif
