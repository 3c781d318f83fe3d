// The values of templates.
#include "generator/render/render.h"

#include <assert.h>
#include <string.h>

value_key value_key_create(const char *name)
{
    uint32_t hash = 0x811C9DC5u; // FNV-1a
    for (const char *letter = name; *letter != '\0'; letter++)
        hash = (hash ^ (unsigned char)*letter) * 0x01000193u;
    return (value_key){name, hash};
}

static uint64_t bit_of(uint32_t key_hash)
{
    return (uint64_t)1 << (key_hash >> 26);
}

static value *make(arena *arena, value_kind kind)
{
    value *made = arena_allocate(arena, sizeof *made);
    made->kind = kind;
    return made;
}

value *value_null(arena *arena)
{
    return make(arena, VALUE_NULL);
}

value *value_bool(arena *arena, bool boolean)
{
    value *made = make(arena, VALUE_BOOL);
    made->boolean = boolean;
    return made;
}

value *value_text(arena *arena, const char *text)
{
    assert(text != NULL);
    value *made = make(arena, VALUE_TEXT);
    made->text = text;
    return made;
}

value *value_list(arena *arena)
{
    return make(arena, VALUE_LIST);
}

value *value_map(arena *arena)
{
    return make(arena, VALUE_MAP);
}

value *value_copy(arena *arena, const value *map)
{
    assert(map->kind == VALUE_MAP);
    value *copy = value_map(arena);
    copy->first = map->first;
    copy->keys = map->keys;
    return copy;
}

void value_append(value *list, value *item)
{
    assert(list->kind == VALUE_LIST && item->next == NULL);
    if (list->last == NULL)
        list->first = item;
    else
        list->last->next = item;
    list->last = item;
}

value *value_append_map(arena *arena, value *list)
{
    value *map = value_map(arena);
    value_append(list, map);
    return map;
}

void value_set(value *map, const char *key, value *item)
{
    assert(map->kind == VALUE_MAP && item->key == NULL && item->next == NULL);
    item->key = key;
    item->key_hash = value_key_create(key).hash;
    item->next = map->first;
    map->first = item;
    map->keys |= bit_of(item->key_hash);
}

const value *value_find(const value *map, value_key key)
{
    if (map->kind != VALUE_MAP || (map->keys & bit_of(key.hash)) == 0)
        return NULL;
    for (const value *item = map->first; item != NULL; item = item->next)
        if (item->key_hash == key.hash && strcmp(item->key, key.name) == 0)
            return item;
    return NULL;
}
