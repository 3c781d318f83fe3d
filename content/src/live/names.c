// Names of now: what programs say, found as the first names that packs and Origin have.
#include "live/live.h"

#include <string.h>

const char *kin__level_name(const kin__pack *pack, uint32_t level)
{
    return kin__pack_name_now(pack, KIN__PACK_NAMED_LEVEL, level, "", pack->levels[level].name);
}

const kin__pack_level *kin__level_find_named(const kin__generation *generation, const char *name)
{
    const kin__pack *pack = &generation->pack;
    for (uint32_t i = 0; name != NULL && i < pack->level_count; i++)
        if (pack->levels[i].context == generation->context && strcmp(kin__level_name(pack, i), name) == 0)
            return &pack->levels[i];
    return NULL;
}

// Returns the level that is in another one under a name, as the tables have it; NULL if there is none.
static const kin__pack_level *find_inner(const kin__pack *pack, const kin__pack_level *level, const char *name,
                                         size_t size)
{
    for (uint32_t i = 0; i < level->run_count; i++) {
        const kin__pack_run *run = &level->runs[i];
        const char *own = run->prefab == KIN__PACK_NONE ? run->instances[0].name : NULL;
        if (own != NULL && strlen(own) == size && memcmp(own, name, size) == 0)
            return &pack->levels[run->level];
    }
    return NULL;
}

// Returns the first name of the instance that has a name now in a level. NULL if that is the former name of another.
static const char *first_name(const kin__pack *pack, uint32_t level, const char *name, size_t size)
{
    const char *found = name;
    for (uint32_t i = 0; i < pack->rename_count; i++) {
        const kin__pack_rename *rename = &pack->renames[i];
        if (rename->of != KIN__PACK_NAMED_INSTANCE || rename->owner != level)
            continue;
        if (strlen(rename->name) == size && memcmp(rename->name, name, size) == 0)
            return rename->path;
        if (strlen(rename->path) == size && memcmp(rename->path, name, size) == 0)
            found = NULL;
    }
    return found;
}

static uint32_t hash_more(uint32_t hash, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
    return hash;
}

uint32_t kin__level_place(const kin__generation *generation, const char *path)
{
    const kin__pack *pack = &generation->pack;
    const char *at = strchr(path, '/');
    const kin__pack_level *level = NULL;
    if (pack->rename_count == 0 || at == NULL)
        return kin__name_hash(path);
    for (uint32_t i = 0; i < pack->level_count; i++) {
        const char *now = kin__level_name(pack, i);
        if (strlen(now) == (size_t)(at - path) && memcmp(now, path, (size_t)(at - path)) == 0)
            level = &pack->levels[i];
    }
    if (level == NULL)
        return 0;
    uint32_t hash = kin__name_hash_more(kin__name_hash_more(kin__name_begin, level->name), "/");
    while (level != NULL) {
        size_t size = strcspn(++at, ".");
        const char *first = first_name(pack, (uint32_t)(level - pack->levels), at, size);
        if (first == NULL)
            return 0;
        size_t first_size = first == at ? size : strlen(first);
        hash = hash_more(hash, first, first_size);
        at += size;
        if (*at == '\0')
            return hash == 0 ? 1 : hash;
        level = find_inner(pack, level, first, first_size);
        hash = hash_more(hash, ".", 1);
    }
    return 0;
}
