// Convert: which types the values of saves can be read into.
#ifndef KIN_GENERATOR_EVOLVE_CONVERT_H
#define KIN_GENERATOR_EVOLVE_CONVERT_H

#include "base/arena.h"
#include "lock/type.h"

// Returns what would be lost, such as "70000 could not be read"; NULL if every value can be read. Values of enums that
// are lost are not considered here.
const char *convert_loss(arena *arena, const lock_type *from, const lock_type *to);

// Returns the type in words for messages: that of a lock without the values of an enum.
const char *convert_words(arena *arena, const lock_type *type);

#endif
