#include "view.h"

#include "hash.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { DEPTH_LIMIT = 32 }; // of lists and maps in one another

// What view_set_doc sets.
static bool is_doc(const char *key)
{
    static const char *const keys[] = {"doc", "has_doc", "doc_text", "unit_text"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

static uint64_t combine_text(uint64_t hash, const char *text)
{
    return hash_combine(hash, text, strlen(text));
}

// Recursive, at most DEPTH_LIMIT deep.
static uint64_t combine_value(uint64_t hash, const value *data, int depth)
{
    assert(depth < DEPTH_LIMIT);
    const char what[] = {(char)data->kind, (char)(data->kind == VALUE_BOOL && data->boolean)};
    hash = hash_combine(hash, what, sizeof what);
    if (data->kind == VALUE_TEXT)
        return combine_text(hash, data->text);
    if (data->kind != VALUE_LIST && data->kind != VALUE_MAP)
        return hash_combine(hash, "", 0);
    for (const value *item = data->first; item != NULL; item = item->next) {
        if (data->kind == VALUE_MAP && is_doc(item->key))
            continue;
        hash = combine_text(hash, data->kind == VALUE_MAP ? item->key : "");
        hash = combine_value(hash, item, depth + 1);
    }
    return hash_combine(hash, "", 0);
}

const char *view_stamp(arena *arena, view *view, uint64_t seed)
{
    uint64_t hash = seed;
    for (size_t i = 0; i < view->count; i++) {
        hash = combine_text(hash, view->files[i].path);
        if (i == 0 || view->files[i].data != view->files[i - 1].data)
            hash = combine_value(hash, view->files[i].data, 0);
    }
    const char *stamp = arena_format(arena, "0x%016" PRIx64, hash);
    for (size_t i = 0; i < view->count; i++)
        if (value_find(view->files[i].data, value_key_create("stamp")) == NULL)
            value_set(view->files[i].data, "stamp", value_text(arena, stamp));
    return stamp;
}
