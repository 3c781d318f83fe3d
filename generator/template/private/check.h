// Template check: what the tags of a folder's templates name, told before anything is rendered, since a section that
// this schema leaves out is rendered for another.
//
// A name must be one that some built-in template has: they use all that a view gives. Whether it is there where it is
// asked for, only rendering shows.
#ifndef KIN_GENERATOR_TEMPLATE_CHECK_H
#define KIN_GENERATOR_TEMPLATE_CHECK_H

#include "template/set.h"

#include <stdbool.h>

// Reports every tag of the set's own templates, which can be parsed, that names nothing: false when there is any.
bool template_check(diagnostics *diagnostics, const template_set *set);

#endif
