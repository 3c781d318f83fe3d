// Invariants of a package that was read without errors, asserted before any verb uses it.
//
// The numbers are those of schema/schema.h (1 to 9) and schema/schema.h (W1 to W4). A violation is a bug of the reader,
// which would otherwise show as wrong C. Cost: proportional to the model.
#ifndef KIN_GENERATOR_CHECK_INVARIANTS_H
#define KIN_GENERATOR_CHECK_INVARIANTS_H

#include "generator/schema/schema.h"

void package_assert_invariants(const package *package);

#endif
