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

#include "read/unfit.h"

// What a file is matched with.
typedef struct kin__matching {
    const kin__shape *shape;
    const kin_read_options *options;
    const kin__migrations *migrations; // NULL: none
} kin__matching;

// Matches a context of the file. What does not fit is added to `unfit`.
void kin__file_context_match(kin__file_context *context, const kin__matching *matching, kin__unfit *unfit);

// Returns the migration of a component; NULL: it has none.
const kin__migration *kin__migration_of(const kin__matching *matching, kin_component_id id);

// Whether the schema gives up what has this name, or what it is in.
bool kin__is_given_up(const kin_package_info *package, const char *name);

// Matches a message of the file with one of now. Fields that do not fit are left out, as messages are of one moment.
void kin__file_message_match(kin__file_component *message, const kin__component_shape *now, const kin__shape *shape,
                             const kin_world_info *world);

#endif
