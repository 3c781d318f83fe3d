// Pins: an image pins the owned blocks and shared values of its values, so they are not freed until it unpins them.
//
// Lists may be written in place, so an image has copies of their elements, one after the other:
//
//   value { …, at, count }     at → extra [ elements of the first place | … of the next one | … ]
#ifndef KIN_SRC_PIN_H
#define KIN_SRC_PIN_H

#include "image/image.h"

// Pin, and unpin, everything that the image of a column owns. Room for shared values must be reserved.
void kin__image_pin(kin_context *context, const kin__image *image);
void kin__image_unpin(kin_context *context, const kin__image *image);

// Returns the size in bytes of the elements of all lists of a value.
size_t kin__lists_size(const kin_component_info *info, const void *value);

// Copies the elements to `to`, makes the lists of the value point to them, and returns the end.
char *kin__lists_detach(const kin_component_info *info, void *value, char *to);

// Restores the lists of a saved value: copies its elements to the lists of the owned block, which have room for them,
// and makes the lists of `value`, a copy of the saved one, point there.
void kin__lists_attach(const kin_component_info *info, void *value, kin__owned_block *owned_block);

#endif
