// Slabs: the values of boxed components, each in a cell of its own that does not move.
//
//   core.slabs[component] → slab → block → block …
//     slab    [ … | the spare value ]
//     block   [ free: a bit a cell | cell | cell | … ]     cell: the value, and behind it the block that it is in
//
// A component's first block has one cell, later ones as many as there are by then, up to 64: what is unique costs one
// value, what is common no block for each.
//
// A place of a column that has no value points at the spare one. So whoever was handed a run of places may read and
// write all of it, whatever was removed meanwhile, and reaches no value that has come to another entity since.
//
// Invariants, with kin__slot_is_valid() and KIN_ASSERT:
//   1. while a component has a column or a value that is kept, it has a slab
//   2. a place whose bit is set does not point at the spare value
//   3. a block is among the open ones exactly when it has a free cell
#ifndef KIN_SRC_SLAB_H
#define KIN_SRC_SLAB_H

#include "core/core.h"

// Makes the slab of a boxed component unless there is one. False without memory.
bool kin__slab_reserve(kin_context *context, kin_component_id id);

// The value that places without a value point at. There is a slab.
void *kin__slab_spare(const kin_context *context, kin_component_id id);

// A cell for a value; NULL without memory. There is a slab.
void *kin__slab_take(kin_context *context, kin_component_id id);

// Gives back a cell. NULL is allowed.
void kin__slab_give(kin_context *context, kin_component_id id, void *cell);

// Gives back blocks without a value, and slabs without a block of which no column needs the spare value any more.
// Columns without a value have gone before.
void kin__slabs_trim(kin_context *context);

// At the end of the context, when no value is left.
void kin__slabs_release(kin_context *context);

#endif
