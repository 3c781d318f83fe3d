// The language as a JSON Schema (draft-07), for completion, documentation and checks in editors.
//
// It accepts everything that the reader accepts. Only the reader checks references to other definitions.
#ifndef KIN_GENERATOR_LANGUAGE_JSON_SCHEMA_H
#define KIN_GENERATOR_LANGUAGE_JSON_SCHEMA_H

#include "generator/base/base.h"

void language_append_schema(text *out);

#endif
