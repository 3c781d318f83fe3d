// Layout: the memory layout of components and structs on 64-bit machines.
//
// All C compilers for these machines follow the same rules for the types of the language: fields are in schema order,
// each at the next multiple of its alignment; numbers and pointers are aligned to their size; a struct has the
// alignment of its most aligned field, and its size is a multiple of that. Bytes between and after the fields are
// padding.
//
// An opaque type spelled with a star is a pointer, so its size is known. The size of any other opaque type is unknown;
// the layout assumes a pointer and is marked as a guess.
//
// The reader computes the layouts of structs and components, and stores them in the model.
#ifndef KIN_GENERATOR_MODEL_LAYOUT_H
#define KIN_GENERATOR_MODEL_LAYOUT_H

#include "generator/base/base.h"
#include "model/schema.h"

#include <stddef.h>
#include <stdint.h>

// Structs, including nested ones, must have their layouts. The layout of an array covers all its elements. Padding
// inside nested structs is not counted as padding of the outer type.
memory_layout layout_of_definition(const definition *definition);
memory_layout layout_of_type(const field_type *type);

// Returns the offset of each field, in order, followed by the end of the last field. Bytes between the end of a field
// and the next offset are padding.
const uint64_t *layout_offsets(arena *arena, const field_list *fields);

// Returns the size with the fields in the best order, by descending alignment.
uint64_t layout_best_size(const field_list *fields);

// A layout that grows field by field: layout_append returns the field's offset, layout_end pads the end.
memory_layout layout_begin(void);
uint64_t layout_append(memory_layout *layout, memory_layout field);
memory_layout layout_end(memory_layout layout);

#endif
