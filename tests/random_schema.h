// Random schemas: made from names that generated code, the runtime and C use themselves. Most are refused.
#ifndef KIN_TESTS_RANDOM_SCHEMA_H
#define KIN_TESTS_RANDOM_SCHEMA_H

#include "generator/base/base.h"

#include <stdint.h>

// Returns a schema, the same for the same number.
const char *random_schema(arena *arena, uint64_t number);

#endif
