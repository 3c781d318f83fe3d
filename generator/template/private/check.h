// Template check: reports unknown names in the tags of a folder's templates before anything is rendered, since a
// section that this schema leaves out is rendered for another.
//
// A name is known if some built-in template uses it: together they use all names of a view. Whether a known name exists
// at the place of its tag shows only when rendering.
#ifndef KIN_GENERATOR_TEMPLATE_CHECK_H
#define KIN_GENERATOR_TEMPLATE_CHECK_H

#include "template/set.h"

#include <stdbool.h>

// Reports every tag of the set's own templates, which can be parsed, that names nothing: false when there is any.
bool template_check(diagnostics *diagnostics, const template_set *set);

#endif
