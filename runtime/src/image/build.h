// Building: images of columns that are no copies of a column of their context, from the values of another context or of
// a file. Strings and lists are copied, to owned blocks that only images have.
#ifndef KIN_SRC_BUILD_H
#define KIN_SRC_BUILD_H

#include "image/store.h"

// Returns an image of a column without a value, with one reference. NULL when out of memory.
kin__image *kin__image_begin(kin_context *context, kin_component_id id);

// Puts a value, a struct of the component, at a place without one. The value of a flag is not read. False when out of
// memory.
bool kin__image_set(kin_context *context, kin__image *image, uint32_t place, const void *value);

// Completes the image once all values are set. False when out of memory: let go of it then, as before its end.
bool kin__image_end(kin_context *context, kin__image *image);

// Copies a value that owns memory, so that strings and lists in `value` are those of the copy. The block, which is
// pinned once, is freed with its last pin unless it is revived. NULL in `*owned_block`: the value owns nothing. False
// when out of memory.
bool kin__image_own(kin_context *context, kin_component_id id, void *value, kin__owned_block **owned_block);

#endif
