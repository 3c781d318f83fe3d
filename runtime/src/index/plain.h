// Plain indices: over one field of at most a word, which every entity with the component is in. Most indices are:
// numbers, enums and entities.
//
// The word of a key is read from the value at once, without rows, matchers or keys in memory. An entity that is
// replaced by the same word changes nothing.
//
// Invariants:
//   1. the rules of the index are its component alone, so an entity is in it exactly while it has the component
//   2. the key has one leaf of bytes, so that a NaN or a missing string cannot occur: a step is refused only for a
//      primary key that another entity has
//
// Cost: a table lookup for each new word, and for each old one of a primary index.
#ifndef KIN_SRC_PLAIN_H
#define KIN_SRC_PLAIN_H

#include "index/index.h"

// Whether the index is plain. Its leaves are listed.
bool kin__index_find_plain(const kin__index *index);

// The parts of kin__indices_check, kin__indices_update and kin__indices_remove_entity for one plain index.
kin_status kin__plain_check(const kin_context *context, const kin__index *index, const kin__step *step,
                            kin_entity *other);
void kin__plain_update(kin_context *context, kin__index *index, const kin__step *step);
void kin__plain_remove_entity(kin_context *context, kin__index *index, kin_entity entity);

// Inserts an entity that is counted as a potential member.
void kin__plain_insert_entity(kin_context *context, kin__index *index, kin_entity entity);

// Inserts and counts the entities of 64 places that have a bit, which all have the component. Faster than one by one.
void kin__plain_insert_places(kin_context *context, kin__index *index, const kin_entity *ids, uint64_t places);

#endif
