// Columns: the values of one component in one chunk. A column comes with the first value in its chunk, and goes with the
// context or, once it has no value, when the context is trimmed.
#ifndef KIN_SRC_COLUMN_H
#define KIN_SRC_COLUMN_H

#include "storage/chunk.h"

// The column of a component in the chunk of a slot, made when there is none. NULL without memory.
kin__column *kin__column_reserve(kin_context *context, uint32_t slot, kin_component_id id);

// The memory of a column and of all its values; nothing for the shared empty one.
void kin__column_release(kin_context *context, kin__column *column, kin_component_id id);

bool kin__column_is_empty(const kin__column *column);

// Gives back the columns that have no value.
void kin__columns_trim(kin_context *context);

// Bytes of the values that there are, and of the bits of columns that have any.
size_t kin__columns_used(const kin_context *context);

#endif
