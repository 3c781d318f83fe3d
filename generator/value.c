#include "value.h"

#include <string.h>

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

void value_append(value *list, value *item)
{
    if (list->last == NULL)
        list->first = item;
    else
        list->last->next = item;
    list->last = item;
}

void value_set(value *map, const char *key, value *item)
{
    item->key = key;
    value_append(map, item);
}

const value *value_find(const value *map, const char *key)
{
    if (map->kind != VALUE_MAP)
        return NULL;
    for (const value *item = map->first; item != NULL; item = item->next)
        if (strcmp(item->key, key) == 0)
            return item;
    return NULL;
}
