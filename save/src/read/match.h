// Matching: which component and field of now each of the file is, found by identities. Everything that can be decided
// without values is decided here.
//
// Kept if all values fit: numbers of another width or sign, numbers and enums, enums by name, bool to a number, strings
// of any kind, arrays of another length, `entity<a>` to `entity`. Anything else does not fit the schema, nor does what
// the schema neither has nor gives up.
#ifndef KIN_SRC_MATCH_H
#define KIN_SRC_MATCH_H

#include "read/schema.h"

#include <kin/save.h>

// Matches a context of the file. False, with a fault noted that names all that does not fit.
bool kin__file_context_match(kin__file_context *context, const kin__shape *shape, const kin_read_options *options,
                             kin__fault *fault);

// Whether the schema gives up what has this name, or what it is in.
bool kin__is_given_up(const kin_package_info *package, const char *name);

// Matches a message of the file with one of now. Fields that do not fit are left out, as messages are of one moment.
void kin__file_message_match(kin__file_component *message, const kin__component_shape *now, const kin__shape *shape,
                             const kin_world_info *world);

#endif
