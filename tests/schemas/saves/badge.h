// Badge: an opaque type that files can have. tests/save/past_case.c has the functions.
#ifndef KIN_TESTS_SCHEMAS_SAVES_BADGE_H
#define KIN_TESTS_SCHEMAS_SAVES_BADGE_H

#include <stdbool.h>
#include <stddef.h>

struct badge {
    int *number; // allocated, or NULL
};

void badge_drop(struct badge badge);
size_t badge_save(struct badge badge, void *bytes, size_t capacity);
bool badge_load(struct badge *badge, const void *bytes, size_t size);

#endif
