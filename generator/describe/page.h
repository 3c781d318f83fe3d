// Page: the values for the templates of templates/doc/. Texts in table cells have no line breaks, and their bars are
// escaped.
#ifndef KIN_GENERATOR_DESCRIBE_PAGE_H
#define KIN_GENERATOR_DESCRIBE_PAGE_H

#include "generator/base/base.h"
#include "generator/render/render.h"
#include "generator/schema/schema.h"

value *view_doc(arena *arena, const package *package);

#endif
