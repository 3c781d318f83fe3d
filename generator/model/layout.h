// Layout: where compilers of 64-bit machines put the fields of components and structs.
//
// The rules are those that all C compilers of such machines share for the types of the language: fields stand in the
// order of the schema, each at the next multiple of its alignment; numbers and pointers are aligned to their size;
// the whole has the alignment of its most aligned field and ends at a multiple of that. Bytes between and after the
// fields are padding.
//
// An opaque type spelled with a star is a pointer, so its size is known. The size of any other opaque type is unknown;
// it is taken for a pointer, and the layout is marked as a guess.
//
// The reader computes the layouts of structs and components while it reads, and stores them in the model.
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

// Returns the offset of each field, in order, and after the last one the offset of its end. Bytes between the end of a
// field and the next offset are padding.
const uint64_t *layout_offsets(arena *arena, const field_list *fields);

// The size that the fields would have in the best order, that of falling alignment.
uint64_t layout_best_size(const field_list *fields);

// A layout that grows by a field at a time: layout_append returns the field's offset, layout_end pads the end.
memory_layout layout_begin(void);
uint64_t layout_append(memory_layout *layout, memory_layout field);
memory_layout layout_end(memory_layout layout);

#endif
