// Value: values as JSON, with numbers as the game wrote them: jansson would give 135.5567 as 135.55670000000001.
#ifndef KIN_INSPECT_VALUE_H
#define KIN_INSPECT_VALUE_H

#include <jansson.h>
#include <stdio.h>

// Writes a value as compact JSON. `flags` are those of jansson for strings, such as JSON_ENSURE_ASCII.
void value_write(FILE *file, const json_t *value, size_t flags);

// Returns the value as compact JSON, which the caller frees; or NULL without memory.
char *value_text(const json_t *value);

#endif
