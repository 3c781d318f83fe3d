// Template check: reports unknown names in the user's templates before rendering, since this schema may leave out a
// section that another schema renders.
//
// A name is known if a built-in template uses it: together they use all names of a view. Whether a known name exists at
// the place of its tag shows only when rendering.
#ifndef KIN_GENERATOR_TEMPLATE_CHECK_H
#define KIN_GENERATOR_TEMPLATE_CHECK_H

#include "template/set.h"

#include <stdbool.h>

// Reports every tag with an unknown name in the set's own templates, which must be valid. Returns false if there is
// any.
bool template_check(diagnostics *diagnostics, const template_set *set);

#endif
