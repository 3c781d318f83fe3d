// Descriptions: what messages say of a matcher, and what users may be told of one, or of an entity.
//
//   all(Position, Velocity), none(Frozen)      rules and ids in normal order, names of the schema
//   entity 7 in slot 6 (Frozen, Position)      components by id
//
// In messages, what does not fit ends in an ellipsis: a sentence has to come to what to do instead.
#ifndef KIN_SRC_DESCRIBE_H
#define KIN_SRC_DESCRIBE_H

#include <kin/info.h>

// Describes a normal matcher in `size` bytes, at least 8, its NUL counted.
void kin__matcher_describe(const kin_context_info *info, const kin_matcher *normal, char *text, size_t size);

#endif
