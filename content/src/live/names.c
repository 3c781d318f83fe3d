// Names of now: what programs say, found as the first names that packs and Origin have.
#include "live/live.h"

#include <string.h>

const char *kin__level_name(const kin__pack *pack, uint32_t level)
{
    return kin__pack_name_now(pack, KIN__PACK_NAMED_LEVEL, level, "", pack->levels[level].name);
}

static bool is_text(const char *text, const char *bytes, size_t size)
{
    return strlen(text) == size && memcmp(text, bytes, size) == 0;
}

const kin__pack_level *kin__level_find_named(const kin__generation *generation, const char *name)
{
    const kin__pack *pack = &generation->pack;
    if (name == NULL)
        return NULL;
    for (uint32_t i = 0; i < pack->level_count; i++)
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
        if (run->prefab != KIN__PACK_NONE)
            continue;
        KIN_ASSERT(run->count == 1 && run->is_named);
        if (is_text(run->instances[0].name, name, size))
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
        if (is_text(rename->name, name, size))
            return rename->path;
        if (is_text(rename->path, name, size))
            found = NULL;
    }
    return found;
}

// Returns the last level that has a name now; NULL if there is none.
static const kin__pack_level *find_named(const kin__pack *pack, const char *name, size_t size)
{
    const kin__pack_level *level = NULL;
    for (uint32_t i = 0; i < pack->level_count; i++)
        if (is_text(kin__level_name(pack, i), name, size))
            level = &pack->levels[i];
    return level;
}

uint32_t kin__level_place(const kin__generation *generation, const char *path)
{
    const kin__pack *pack = &generation->pack;
    const char *at = strchr(path, '/');
    if (pack->rename_count == 0 || at == NULL)
        return kin__name_hash(path);
    const kin__pack_level *level = find_named(pack, path, (size_t)(at - path));
    if (level == NULL)
        return 0;
    uint32_t hash = kin__name_hash_more(kin__name_hash_more(kin__name_begin, level->name), "/");
    while (level != NULL) {
        size_t size = strcspn(++at, ".");
        const char *first = first_name(pack, (uint32_t)(level - pack->levels), at, size);
        if (first == NULL)
            return 0;
        size_t first_size = first == at ? size : strlen(first);
        hash = kin__name_hash_bytes(hash, first, first_size);
        at += size;
        if (*at == '\0')
            return kin__name_hash_end(hash);
        level = find_inner(pack, level, first, first_size);
        hash = kin__name_hash_bytes(hash, ".", 1);
    }
    return 0;
}
