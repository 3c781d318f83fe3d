// Pins: what the values in images own. Owned blocks and shared values that an image has stay until it lets go of them.
//
// The lists of a value may be written in place, so an image has copies of their elements, side by side:
//
//   value { …, at, count }     at → extra [ elements of the first place | … of the next one | … ]
#ifndef KIN_SRC_PIN_H
#define KIN_SRC_PIN_H

#include "image/image.h"

// Pins and lets go of all that the image of a column has. Room for shared values was reserved.
void kin__image_pin(kin_context *context, const kin__image *image);
void kin__image_unpin(kin_context *context, const kin__image *image);

// Returns the bytes of the elements of all lists of a value.
size_t kin__lists_size(const kin_component_info *info, const void *value);

// Copies the elements to `to`, makes the lists of the value point to them, and returns the end.
char *kin__lists_detach(const kin_component_info *info, void *value, char *to);

// Brings the lists of a saved value back: writes its elements to the lists of the owned block, which have room for
// them, and makes the lists of `value`, a copy of the saved one, point there.
void kin__lists_attach(const kin_component_info *info, void *value, kin__owned_block *owned_block);

#endif
