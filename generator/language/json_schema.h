// The language as a JSON Schema, draft-07, by which editors complete, explain and check schemas while they are written.
//
// It accepts all that the reader accepts. What depends on names that stand elsewhere, only the reader knows.
#ifndef KIN_GENERATOR_LANGUAGE_JSON_SCHEMA_H
#define KIN_GENERATOR_LANGUAGE_JSON_SCHEMA_H

#include "base/text.h"

void language_append_schema(text *out);

#endif
