// The words of a line, for reading and writing it.
#ifndef KIN_GENERATOR_LOCK_WORDS_H
#define KIN_GENERATOR_LOCK_WORDS_H

#include "lock/lock.h"

// Returns the word that a line of the kind begins with; "" for components.
const char *lock_word_of(lock_kind kind);

// Return whether a line of the kind has contexts, or types, after its path.
bool lock_has_contexts(lock_kind kind);
bool lock_has_types(lock_kind kind);

// Returns whether the path of a line of the kind is one name, as a whole; and whether format 1 has no such lines.
bool lock_is_flat(lock_kind kind);
bool lock_is_later(lock_kind kind);

#endif
