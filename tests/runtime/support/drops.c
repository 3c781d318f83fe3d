#include "drops.h"

#include "schemas/sprite.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

size_t dropped_count, released_count;

static int dropped[64]; // the numbers of tokens, in order

void token_drop(struct token token)
{
    ck_assert_uint_lt(dropped_count, sizeof dropped / sizeof *dropped);
    dropped[dropped_count++] = token.number;
}

void sprite_release(struct sprite *sprite)
{
    (void)sprite;
    released_count++;
}

// The bytes of the pointer.
size_t sprite_save(struct sprite *sprite, void *bytes, size_t capacity)
{
    if (capacity >= sizeof sprite)
        memcpy(bytes, &sprite, sizeof sprite);
    return sizeof sprite;
}

bool sprite_load(struct sprite **sprite, const void *bytes, size_t size)
{
    if (size == sizeof *sprite)
        memcpy(sprite, bytes, size);
    return size == sizeof *sprite;
}

const char *drops(void)
{
    static char text[256];
    size_t size = 0;
    text[0] = '\0';
    for (size_t i = 0; i < dropped_count; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%d ", dropped[i]);
    dropped_count = 0;
    return text;
}
