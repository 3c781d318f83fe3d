// Save shape: what saves of a schema have, as the runtime computes it from the tables of generated code.
#ifndef KIN_GENERATOR_SAVE_SHAPE_H
#define KIN_GENERATOR_SAVE_SHAPE_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "shape/shape.h"
#include "world_snapshot/message_leaves.h"

// Returns the shapes of all contexts of the package, also of those that are not saved, by identity. The arena has them.
kin__shape **save_shapes_make(arena *arena, const package *package);

// Returns a table with the messages of the package, and sets `leaves` to what saves have of them. The arena has both.
const kin_world_info *save_messages_make(arena *arena, const package *package, kin__message_leaves *leaves);

#endif
