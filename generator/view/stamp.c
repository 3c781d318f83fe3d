#include "view/view.h"

#include "base/hash.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum {
    DEPTH_LIMIT = 32,  // of lists and maps in one another
    END_OF_ITEMS = 255 // which no kind of value is
};

// What view_set_doc sets.
static const char *const doc_names[] = {"doc", "has_doc", "doc_text", "unit_text"};
enum { DOC_COUNT = sizeof doc_names / sizeof *doc_names };

typedef struct stamper {
    uint64_t hash;
    uint64_t docs; // the hash of all that the other leaves out
    value_key doc_keys[DOC_COUNT];
} stamper;

static bool is_doc(const stamper *stamper, const value *item)
{
    for (size_t i = 0; i < DOC_COUNT; i++)
        if (stamper->doc_keys[i].hash == item->key_hash && strcmp(stamper->doc_keys[i].name, item->key) == 0)
            return true;
    return false;
}

static uint64_t combine_text(uint64_t hash, const char *text)
{
    return hash_combine(hash, text, strlen(text));
}

static void add_value(stamper *stamper, uint64_t *hash, const value *data, int depth);

// All below a doc is one.
static void add_items(stamper *stamper, uint64_t *hash, const value *data, int depth)
{
    for (const value *item = data->first; item != NULL; item = item->next) {
        bool is_key = data->kind == VALUE_MAP;
        uint64_t *into = is_key && is_doc(stamper, item) ? &stamper->docs : hash;
        if (is_key)
            *into = hash_combine_number(*into, item->key_hash);
        add_value(stamper, into, item, depth + 1);
    }
    *hash = hash_combine_number(*hash, END_OF_ITEMS);
}

// Recursive, at most DEPTH_LIMIT deep.
static void add_value(stamper *stamper, uint64_t *hash, const value *data, int depth)
{
    assert(depth < DEPTH_LIMIT);
    bool is_true = data->kind == VALUE_BOOL && data->boolean;
    *hash = hash_combine_number(*hash, (uint64_t)data->kind << 1 | is_true);
    if (data->kind == VALUE_TEXT)
        *hash = combine_text(*hash, data->text);
    if (data->kind == VALUE_LIST || data->kind == VALUE_MAP)
        add_items(stamper, hash, data, depth);
}

uint64_t view_stamp(arena *arena, view *view, uint64_t seed)
{
    stamper stamper = {.hash = seed};
    for (size_t i = 0; i < DOC_COUNT; i++)
        stamper.doc_keys[i] = value_key_create(doc_names[i]);
    for (size_t i = 0; i < view->count; i++) {
        stamper.hash = combine_text(stamper.hash, view->files[i].path);
        if (i == 0 || view->files[i].data != view->files[i - 1].data)
            add_value(&stamper, &stamper.hash, view->files[i].data, 0);
    }
    view->stamp = arena_format(arena, "0x%016" PRIx64, stamper.hash);
    for (size_t i = 0; i < view->count; i++)
        if (value_find(view->files[i].data, value_key_create("stamp")) == NULL)
            value_set(view->files[i].data, "stamp", value_text(arena, view->stamp));
    return hash_combine_number(stamper.docs, stamper.hash);
}
