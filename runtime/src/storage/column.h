// Columns: the values of one component in one chunk.
//
//   column   has[8] | values[512] | owned blocks[512]      the last part only for components that own memory (owned.h)
//
// The first value of a component in a chunk makes the column. Trimming the context releases it if it is empty.
//
// Invariants, checked by kin__slot_is_valid() and kin__context_is_valid():
//   1. a bit of `has` is set exactly where the slot is alive and its row has the component's bit
//   2. the bits of `present` say exactly where columns exist (chunk.h)
#ifndef KIN_SRC_COLUMN_H
#define KIN_SRC_COLUMN_H

#include "storage/chunk.h"

// Returns the column of a component in the chunk of a slot; makes it if it does not exist. NULL when out of memory.
kin__column *kin__column_reserve(kin_context *context, uint32_t slot, kin_component_id id);

// Releases a column with all its values. Does nothing for the shared empty column.
void kin__column_release(kin_context *context, kin__column *column, kin_component_id id);

// Returns whether the column has no value.
bool kin__column_is_empty(const kin__column *column);

// Releases the columns that have no value.
void kin__columns_trim(kin_context *context);

// Returns the bytes of all values, and of the bits of columns that are not empty.
size_t kin__columns_used(const kin_context *context);

#endif
