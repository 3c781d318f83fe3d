// Components: what other modules do with them beside the calls of storage.h.
#ifndef KIN_SRC_COMPONENT_H
#define KIN_SRC_COMPONENT_H

#include "value.h"

// Gives a living entity without the component the value, and tells. Nothing can fail any more: there is a column, no
// other carrier of a unique one, the change may nest, and `room` is from kin__room_make.
void kin__component_put(kin_context *context, kin_entity entity, kin_component_id id, const kin__room *room);

#endif
