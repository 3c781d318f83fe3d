// Whether what two packs say of a level is the same, so that a reload need not look at its instances.
#include "live/live.h"

#include <string.h>

static bool have_same_leaf(const kin__pack_leaf *a, const kin__pack_leaf *b)
{
    if (a->type != b->type || a->is_list != b->is_list)
        return false;
    if (a->elements != b->elements || a->name_count != b->name_count)
        return false;
    if (strcmp(a->path, b->path) != 0)
        return false;
    for (uint32_t i = 0; i < a->name_count; i++)
        if (strcmp(a->names[i], b->names[i]) != 0)
            return false;
    return true;
}

static bool have_same_key(const kin__generation *from, const kin__generation *to, const kin__pack_keys *old,
                          const kin__pack_keys *now, uint32_t number)
{
    const kin__pack_key *a = &old->keys[number];
    const kin__pack_key *b = &now->keys[number];
    if (from->components[a->component] != to->components[b->component])
        return false;
    if (a->is_append != b->is_append || strcmp(a->part, b->part) != 0)
        return false;
    return have_same_leaf(kin__pack_leaf_of(&from->pack, old->context, a),
                          kin__pack_leaf_of(&to->pack, now->context, b));
}

// Whether values of both keys mean the same if their bytes are equal.
bool kin__keys_are_same(const kin__generation *from, const kin__generation *to, uint32_t old, uint32_t now)
{
    if (old == KIN__PACK_NONE || now == KIN__PACK_NONE)
        return old == now;
    const kin__pack_keys *a = &from->pack.keys[old];
    const kin__pack_keys *b = &to->pack.keys[now];
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!have_same_key(from, to, a, b, i))
            return false;
    return true;
}

static bool have_same_name(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return strcmp(a, b) == 0;
}

// The instances of a run are one after the other in the pack, with their names between them.
static bool have_same_instances(const kin__pack_run *old, const kin__pack_run *now)
{
    KIN_ASSERT(old->count == now->count);
    if (now->count == 0)
        return true;
    const kin__pack_instance *a = &old->instances[now->count - 1];
    const kin__pack_instance *b = &now->instances[now->count - 1];
    size_t size = (size_t)(b->values - now->instances[0].values) + b->size;
    if ((size_t)(a->values - old->instances[0].values) + a->size != size)
        return false;
    if (!have_same_name(old->instances[0].name, now->instances[0].name))
        return false;
    return memcmp(old->instances[0].values, now->instances[0].values, size) == 0;
}

static bool have_same_run(const kin__generation *from, const kin__generation *to, const kin__pack_run *old,
                          const kin__pack_run *now)
{
    bool is_level = now->prefab == KIN__PACK_NONE;
    if (old->count != now->count || (old->prefab == KIN__PACK_NONE) != is_level)
        return false;
    if (!kin__keys_are_same(from, to, old->keys, now->keys))
        return false;
    if (!is_level && strcmp(from->pack.prefabs[old->prefab].name, to->pack.prefabs[now->prefab].name) != 0)
        return false;
    if (is_level && !kin__level_is_same(from, to, &from->pack.levels[old->level], &to->pack.levels[now->level]))
        return false;
    return old->is_named == now->is_named && have_same_instances(old, now);
}

// Recursive along levels in levels, which packs limit.
bool kin__level_is_same(const kin__generation *from, const kin__generation *to, const kin__pack_level *old,
                        const kin__pack_level *now)
{
    if (old->run_count != now->run_count || strcmp(old->name, now->name) != 0)
        return false;
    for (uint32_t i = 0; i < now->run_count; i++)
        if (!have_same_run(from, to, &old->runs[i], &now->runs[i]))
            return false;
    return true;
}
