// Matching: finds the current component and field of each one of the file, by identities. Every decision that does not
// depend on values is made here.
//
// Kept if all values fit: numbers of another width or sign, numbers and enums, enums by name, bool to a number, strings
// of any kind, arrays of another length, `entity<a>` to `entity`. Anything else does not fit the schema, nor does what
// the schema neither has nor gives up.
//
// In a component with a migration, what does not fit has its default, and the migration decides.
#ifndef KIN_SRC_MATCH_H
#define KIN_SRC_MATCH_H

#include "read/schema.h"

// What a file is matched with.
typedef struct kin__matching {
    const kin__shape *shape;
    const kin_read_options *options;
    const kin__migrations *migrations; // NULL: none
    kin__fault *fault;
} kin__matching;

// Matches a context of the file. False, with a fault noted that names all that does not fit.
bool kin__file_context_match(kin__file_context *context, const kin__matching *matching);

// Returns the migration of a component; NULL: it has none.
const kin__migration *kin__migration_of(const kin__matching *matching, kin_component_id id);

// Whether a component of the file, or NULL, is another one than that of now: its fields, their types and lengths, the
// names of their values, or whether it is unique.
bool kin__is_reshaped(const kin__file_component *component, const kin__component_shape *now,
                      const kin_context_info *info);

#endif
