// Descriptions of matchers and entities, for messages and for users (kin/context.h, kin/reflect.h).
//
//   all(Position, Velocity), none(Frozen)               rules and ids in normal order, with the names of the schema
//   entity 7 in slot 6 (Frozen, Position {x: 1, y: 2})  components by id, with their values (describe_value.h)
//
// In messages a long description ends in an ellipsis, to leave room for the rest of the sentence.
#ifndef KIN_SRC_DESCRIBE_H
#define KIN_SRC_DESCRIBE_H

#include <kin/info.h>

// Writes the description of a normal matcher, with its NUL, into `size` bytes, at least 8. A longer one ends in "...".
void kin__matcher_describe(const kin_context_info *info, const kin_matcher *normal, char *text, size_t size);

#endif
