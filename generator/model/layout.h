// Layout: where compilers of 64-bit machines put the fields of components and structs.
//
// The rules are those that all C compilers of such machines share for the types of the language: fields stand in the
// order of the schema, each at the next multiple of its alignment; numbers and pointers are aligned to their size;
// the whole is as aligned as its most aligned field and ends at a multiple of that. What is between and behind the
// fields is padding.
//
// Of an opaque type that is spelled with a star the size is known: it is a pointer. Of any other it is not; it counts
// as a pointer, and the layout says that it is a guess.
//
// The reader works the layouts of structs and components out while it reads; they stand in the model.
#ifndef KIN_GENERATOR_MODEL_LAYOUT_H
#define KIN_GENERATOR_MODEL_LAYOUT_H

#include "base/arena.h"
#include "model/schema.h"

#include <stddef.h>
#include <stdint.h>

// Structs, also those that the type holds, must have their layout already. Of an array with all its elements; the
// padding inside of structs is theirs.
memory_layout layout_of_definition(const definition *definition);
memory_layout layout_of_type(const field_type *type);

// The offset of each field, in order; behind the last stands where it ends. What is between two of them and not of the
// first one's size is padding.
const uint64_t *layout_offsets(arena *arena, const field_list *fields);

// The size that the fields would have in the best order, that of falling alignment.
uint64_t layout_best_size(const field_list *fields);

// A layout that grows by a field at a time: layout_append returns the field's offset, layout_end pads the end.
memory_layout layout_begin(void);
uint64_t layout_append(memory_layout *layout, memory_layout field);
memory_layout layout_end(memory_layout layout);

#endif
