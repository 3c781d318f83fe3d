// Canaries: in checked builds, known bytes after the values of each column, which a write past the column changes.
//
//   column   has[8] | values[512] | canary | owned blocks[512]
//
// A canary has at least the size of one value, so that a write to any field of the value at index 512 changes it.
// Other builds have no canaries: their size is 0.
//
// Cost, in checked builds only: one comparison of the canary for each column of a chunk, when a value in the chunk
// changes, when a loop enters or leaves the chunk, and when the column is released.
#ifndef KIN_SRC_CANARY_H
#define KIN_SRC_CANARY_H

#include "storage/chunk.h"

// Returns the size of the canary in each column of the component, in bytes.
static inline size_t kin__canary_size(const kin_context *context, kin_component_id id)
{
#ifdef KIN_CHECKED
    return (kin__place_size(context, id) / KIN__CACHE_LINE + 1) * KIN__CACHE_LINE;
#else
    (void)context, (void)id;
    return 0;
#endif
}

// Writes the canary of a new column.
void kin__canary_write(const kin_context *context, kin__column *column, kin_component_id id);

// Returns whether the canary of a column is unchanged, which it always is in the shared empty column. If not, prints
// the component to stderr.
bool kin__canary_is_intact(const kin_context *context, const kin__column *column, kin_component_id id);

// Returns whether all canaries of a chunk are unchanged; true for the number of chunks, where a loop ends.
bool kin__chunk_is_intact(const kin_context *context, uint32_t number);

#endif
