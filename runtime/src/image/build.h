// Building: makes the image of a column from the values of another context or of a file, not from a column of its own
// context. Strings and lists are copied to owned blocks that only images use.
#ifndef KIN_SRC_BUILD_H
#define KIN_SRC_BUILD_H

#include "image/store.h"

// Returns the image of a column without values, with one reference. NULL when out of memory.
kin__image *kin__image_begin(kin_context *context, kin_component_id id);

// Sets the value, a struct of the component, at a place that has none. The value of a flag is not read. False when out
// of memory.
bool kin__image_set(kin_context *context, kin__image *image, uint32_t place, const void *value);

// Completes the image once all values are set. False when out of memory: the caller then releases the image.
bool kin__image_end(kin_context *context, kin__image *image);

// Copies the strings and lists of a value to an owned block, and makes `value` point there. The block has one pin, and
// is freed with its last pin unless it is revived. `*owned_block` is NULL if the value owns nothing. False when out of
// memory.
bool kin__image_own(kin_context *context, kin_component_id id, void *value, kin__owned_block **owned_block);

#endif
