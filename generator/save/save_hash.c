#include "save/save_hash.h"

#include "base/base.h"

#include <string.h>

save_hash save_hash_begin(arena *arena)
{
    return (save_hash){.first = kin__xxh64_begin(0), .later = text_create(arena)};
}

uint64_t save_hash_name(const char *context, const char *component)
{
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__xxh64_add(&hash, context, strlen(context));
    if (component != NULL) {
        kin__xxh64_add(&hash, ".", 1);
        kin__xxh64_add(&hash, component, strlen(component));
    }
    return kin__xxh64_end(&hash);
}

// No other block depends on the chunk of last values and of the order of shared values, so that it is hashed too.
static uint64_t hash_content(const save_place *place, const void *content, size_t size)
{
    unsigned char number[4];
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__little_write_32(number, place->chunk);
    if (place->kind == SAVE_KEPT || place->kind == SAVE_SHARED)
        kin__xxh64_add(&hash, number, sizeof number);
    kin__xxh64_add(&hash, content, size);
    return kin__xxh64_end(&hash);
}

void save_hash_add(save_hash *hash, const save_place *place, uint64_t name, const void *content, size_t size)
{
    unsigned char pair[16];
    if (place->kind == SAVE_LINKS)
        return;
    kin__little_write_64(pair, name);
    kin__little_write_64(pair + 8, hash_content(place, content, size));
    if (place->kind == SAVE_SLOTS || place->kind == SAVE_COLUMN)
        kin__xxh64_add(&hash->first, pair, sizeof pair);
    else
        text_append(&hash->later, (const char *)pair, sizeof pair);
}

uint64_t save_hash_end(save_hash *hash)
{
    kin__xxh64_add(&hash->first, hash->later.bytes, hash->later.size);
    return kin__xxh64_end(&hash->first);
}
