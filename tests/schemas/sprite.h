// Sprite: what the opaque types of the schemas beside it are. tests/runtime/support/drops.c has the functions.
#ifndef KIN_TESTS_SCHEMAS_SPRITE_H
#define KIN_TESTS_SCHEMAS_SPRITE_H

#include <stdbool.h>
#include <stddef.h>

struct sprite;

struct token {
    int number;
};

void sprite_release(struct sprite *sprite);
size_t sprite_save(struct sprite *sprite, void *bytes, size_t capacity);
bool sprite_load(struct sprite **sprite, const void *bytes, size_t size);
void token_drop(struct token token);

#endif
