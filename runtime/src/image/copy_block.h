// Copying: blocks of a context to images, and comparing them.
#ifndef KIN_SRC_COPY_IMAGE_H
#define KIN_SRC_COPY_IMAGE_H

#include "image/store.h"

// Whether the context has the block, with something in it. The chunk exists.
bool kin__block_exists(const kin_context *context, uint32_t chunk, uint32_t number);

// Whether the block, which exists, is as it is in the image.
bool kin__image_equals(const kin_context *context, uint32_t chunk, const kin__image *image);

// Returns an image of the block as it is now, with one reference. NULL when out of memory.
kin__image *kin__image_make(kin_context *context, uint32_t chunk, uint32_t number);

// Whether the value of a slot is the one at its place in the image of a column. Both have it.
bool kin__image_value_equals(const kin_context *context, uint32_t chunk, const kin__image *image, uint32_t place);

#endif
