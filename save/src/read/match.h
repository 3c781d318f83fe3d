// Matching: finds the current component and field of each one of the file, by identities. Every decision that does not
// depend on values is made here.
//
// Converted if all values fit: numbers of another width or sign, numbers and enums, enums by name, bool to a number,
// strings of any kind, arrays of another length, `entity<a>` to `entity`. Any other change does not fit the schema, nor
// does a thing that the schema neither has nor lists in `removed`.
#ifndef KIN_SRC_MATCH_H
#define KIN_SRC_MATCH_H

#include "read/schema.h"

#include <kin/save.h>

// Matches a context of the file. False, with a fault noted that names everything that does not fit.
bool kin__file_context_match(kin__file_context *context, const kin__shape *shape, const kin_read_options *options,
                             kin__fault *fault);

#endif
