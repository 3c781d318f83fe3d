// Slabs: the values of boxed components, each in a cell that does not move.
//
//   core.slabs[component] → slab → block → block …
//     slab    [ … | the spare value ]
//     block   [ free: one bit a cell | cell | cell | … ]     cell: the value, then a pointer to its block
//
// The first block of a component has one cell; each further block doubles the number of cells, up to 64 cells a block.
// So a unique component costs one cell, and a common one few blocks.
//
// Column places without a value point at the spare value. So a program that iterates a run of places may read and write
// all of them, even if components were removed meanwhile, without reaching a value that now belongs to another entity.
//
// Invariants, checked by kin__slot_is_valid() and assertions:
//   1. a component with a column or a last value has a slab; that of shared values has only the spare one
//   2. a place whose bit is set does not point at the spare value
//   3. a block is in the list of open blocks exactly when it has a free cell
//   4. cell_count is the sum of the blocks' cells
#ifndef KIN_SRC_SLAB_H
#define KIN_SRC_SLAB_H

#include "core/core.h"

// Makes the slab of a boxed component unless it exists. False when out of memory.
bool kin__slab_reserve(kin_context *context, kin_component_id id);

// Returns the spare value. The slab must exist, here and below.
void *kin__slab_spare(const kin_context *context, kin_component_id id);

// Takes a cell, whose value is not initialised. NULL when out of memory.
void *kin__slab_take(kin_context *context, kin_component_id id);

// Makes sure that so many cells can be taken without memory. Makes the slab if that is not 0. False when out of memory.
bool kin__slab_reserve_cells(kin_context *context, kin_component_id id, uint32_t count);

// Returns a cell to its block. NULL is allowed.
void kin__slab_put(kin_context *context, kin_component_id id, void *cell);

// Releases blocks without a value and slabs without a block. Trim the columns first: an empty one may still point at
// the spare value.
void kin__slabs_trim(kin_context *context);

// Releases all slabs at the end of the context. No value may be left.
void kin__slabs_release(kin_context *context);

#endif
