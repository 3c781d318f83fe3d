// What the templates of templates/doc/ see of a package. Texts that stand in a table have no line breaks, and no bars but
// escaped ones.
#ifndef KIN_GENERATOR_DESCRIBE_PAGE_H
#define KIN_GENERATOR_DESCRIBE_PAGE_H

#include "base/arena.h"
#include "model/schema.h"
#include "template/value.h"

value *view_doc(arena *arena, const package *package);

#endif
