// Evolve case: a schema, the lock of one before, and what is reported. Schemas are the rest after a context `game`.
#ifndef KIN_TESTS_EVOLVE_CASE_H
#define KIN_TESTS_EVOLVE_CASE_H

#include "generator/evolve/evolve.h"

// Declarations in flow style: components, and types where a row needs them.
#define C(components)        "components: { " components " }\n"
#define T(types, components) "types: { " types " }\ncomponents: { " components " }\n"
#define ONE(field)           C("A: { fields: { x: " field " } }")
#define GONE(path)           "removed: [" path "]\n"

// Returns the text of a lock.
const char *text_of(const lock *lock);

// Returns the lock that has this text.
lock *parsed(const char *bytes);

// Returns the package of a schema, which must be valid.
package *package_of(const char *rest);

// Compares a schema with the text of a lock, which may be NULL.
evolution evolved(const char *rest, const char *before);

// Returns the codes of what was reported, in order.
const char *codes(void);

// Returns the summary without `kin: ` and the line break.
const char *summary_of(const evolution *evolution);

#endif
