// Sprite: what the opaque types of the schemas beside it are. tests/runtime/storage/test_owned.c has the functions.
#ifndef KIN_TESTS_SCHEMAS_SPRITE_H
#define KIN_TESTS_SCHEMAS_SPRITE_H

struct sprite;

struct token {
    int number;
};

void sprite_release(struct sprite *sprite);
void token_drop(struct token token);

#endif
