// Convert: which types the values of saves can be read into.
#ifndef KIN_GENERATOR_EVOLVE_CONVERT_H
#define KIN_GENERATOR_EVOLVE_CONVERT_H

#include "generator/base/base.h"
#include "lock/type.h"

// Returns the loss as text, such as "70000 could not be read"; NULL if every value can be read. Lost values of enums
// are not considered here.
const char *convert_loss(arena *arena, const lock_type *from, const lock_type *to);

// Returns the type as text for messages: as in a lock, but without the values of an enum.
const char *convert_words(arena *arena, const lock_type *type);

#endif
