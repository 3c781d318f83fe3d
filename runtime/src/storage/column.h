// Columns: the values of one component in one chunk.
//
//   column   has[8] | values[512] | canary | owned blocks[512]
//
// The canary exists in checked builds only (canary.h), owned blocks for components that own memory (owned.h).
//
// The first value of a component in a chunk creates the column, and trimming the context frees empty columns. A chunk
// without the column points to one empty column, which all chunks share.
//
// Invariants, checked by kin__slot_is_valid() and kin__context_is_valid():
//   1. a bit of `has` is set if and only if the slot is alive and its row has the component's bit
//   2. `present` has a bit for each column that exists (chunk.h)
#ifndef KIN_SRC_COLUMN_H
#define KIN_SRC_COLUMN_H

#include "storage/chunk.h"

#include <kin/inventory.h>

// Returns the column of a component in the chunk of a slot; makes it if it does not exist. NULL when out of memory.
kin__column *kin__column_reserve(kin_context *context, uint32_t slot, kin_component_id id);

// Releases all columns with their values, when the context ends.
void kin__columns_release(kin_context *context);

// Returns whether the column has no value.
bool kin__column_is_empty(const kin__column *column);

// Releases the columns that have no value.
void kin__columns_trim(kin_context *context);

// Returns the bytes in use: the values, and the `has` bits of each column that has a value.
size_t kin__columns_used(const kin_context *context);

// Adds the component's column in a chunk, if it exists, to `*usage`.
void kin__column_measure(const kin_context *context, uint32_t chunk, kin_component_id id, kin_component_usage *usage);

#endif
