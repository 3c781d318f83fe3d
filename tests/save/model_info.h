// Model info: the tables of a schema that was read in the same program, without generated code. Of its first context
// alone; without groups, indices, blueprints and defaults other than zero.
#ifndef KIN_TESTS_SAVE_MODEL_INFO_H
#define KIN_TESTS_SAVE_MODEL_INFO_H

#include "generator/schema/schema.h"

#include <kin/info.h>

enum { MODEL_INFO_VERSIONS = 5, MODEL_INFO_COMPONENTS = 4 };

// Identities are those of the model. `version` is less than MODEL_INFO_VERSIONS, and another one for each info in use.
const kin_context_info *model_info(arena *arena, const package *package, size_t version);

#endif
