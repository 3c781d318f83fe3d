// What the templates of templates/doc/ see of a package. Texts that stand in a table have no line breaks, and no bars but
// escaped ones.
#ifndef KIN_GENERATOR_VIEW_DOC_H
#define KIN_GENERATOR_VIEW_DOC_H

#include "arena.h"
#include "schema.h"
#include "value.h"

value *view_doc(arena *arena, const package *package);

#endif
