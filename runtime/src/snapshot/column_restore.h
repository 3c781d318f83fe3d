// Restores a column: the values of one component in one chunk.
//
// An entity that has the component before and after keeps its box, and its owned block if the image has the same one.
#ifndef KIN_SRC_COLUMN_RESTORE_H
#define KIN_SRC_COLUMN_RESTORE_H

#include "image/image.h"

// Returns how many boxes restoring the image takes from the slab.
uint32_t kin__column_restore_boxes(const kin_context *context, uint32_t chunk, const kin__image *image);

// Restores a column from its image. NULL: no entity of the chunk had the component. Unless the image is NULL, the
// column must exist and boxes must be reserved.
void kin__column_restore(kin_context *context, uint32_t chunk, kin_component_id id, const kin__image *image);

#endif
