// Columns as they were: the values of one component in one chunk.
//
// An entity that has the component before and after keeps its box and its owned block, if that is the one of the image.
#ifndef KIN_SRC_COLUMN_RESTORE_H
#define KIN_SRC_COLUMN_RESTORE_H

#include "image/image.h"

// Returns how many boxes writing the image takes from the slab.
uint32_t kin__column_restore_boxes(const kin_context *context, uint32_t chunk, const kin__image *image);

// Puts the image of a column in place; NULL: nobody of the chunk has the component. The column exists unless it is
// NULL, and room for boxes was reserved.
void kin__column_restore(kin_context *context, uint32_t chunk, kin_component_id id, const kin__image *image);

#endif
