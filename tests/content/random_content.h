// Random schemas with blueprints, and content that says the same as these: for each blueprint `Car` prefabs `SameCar`,
// which extends it, and `LikeCar`, which has all that it has from content alone; levels place both.
#ifndef KIN_TESTS_RANDOM_CONTENT_H
#define KIN_TESTS_RANDOM_CONTENT_H

#include "generator/base/base.h"

#include <stdint.h>

typedef struct random_content random_content;

// Draws a schema with its content, the same for the same number.
random_content *random_content_draw(arena *arena, uint64_t number);

// Changes some of what the content says, the same for the same number, and nothing of the schema. The new content may
// have errors.
void random_content_edit(random_content *content, uint64_t number);

// Return the texts of both as they are now.
const char *random_content_schema(const random_content *content);
const char *random_content_text(const random_content *content);

#endif
