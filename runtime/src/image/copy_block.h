// Copying: copies blocks of a context to images, and compares the two.
#ifndef KIN_SRC_COPY_IMAGE_H
#define KIN_SRC_COPY_IMAGE_H

#include "image/store.h"

// Whether the context has the block and it is not empty. The chunk must exist.
bool kin__block_exists(const kin_context *context, uint32_t chunk, uint32_t number);

// Whether the block is equal to its image. The block must exist.
bool kin__image_equals(const kin_context *context, uint32_t chunk, const kin__image *image);

// Returns an image of the current content of the block, with one reference. NULL when out of memory.
kin__image *kin__image_make(kin_context *context, uint32_t chunk, uint32_t number);

// Whether the value of a slot equals the one at its place in the image of a column. Both must have a value.
bool kin__image_value_equals(const kin_context *context, uint32_t chunk, const kin__image *image, uint32_t place);

#endif
