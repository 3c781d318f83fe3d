// The hash of everything that files are made from.
#include "generator/render/internal.h"

#include "generator/base/base.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum {
    DEPTH_LIMIT = 32,  // of nested lists and maps
    END_OF_ITEMS = 255 // differs from all hashes of kinds
};

// Keys that no other file depends on: docs, and what only a .c file shows. All other keys are layout.
static const char *const not_layout[] = {
    // docs
    "doc", "has_doc", "doc_text", "unit_text",
    // values of defaults and blueprints
    "initializers", "has_initializers", "is_own", "has_own", "element_default",
    // rules of groups and indices: the header has their columns and keys
    "rules", "rule_count", "questions",
    // functions that give keys: the header has the type of the key in `steps`
    "has_function", "has_functions", "function", "is_given_text", "inputs", "input_count", "key_fields",
    "function_number", "first_input", "has_keys",
    // the order of events is layout, their priorities are not
    "priority",
    // what only tables say of blueprints and of content
    "slots", "has_slots", "slot_count", "knobs", "has_knobs", "knob_count", "extends", "base", "is_member",
    "has_members", "is_not_content", "placed_by",
    // the table of cleanups
    "cleanups", "has_cleanups", "cleanup_count",
    // the schedule: the header has `declared_systems`
    "nodes", "has_nodes", "node_count", "systems", "node", "node_number", "system_number", "is_late", "after",
    // functions that run nodes: without the one that it calls, a program does not link
    "manual_nodes",
    // what the context does when the target of a relation is destroyed
    "on_destroy", "clears", "removes", "destroys", "refuses", "can_refuse",
    // which tree a system walks, and in which order
    "tree_info",
    // tables for tools, and what only these show
    "info", "range", "inspect", "label",
    // what saves have
    "identity", "is_unsaved", "is_unwritable", "migrates", "version", "has_version", "removals", "has_removals",
    "removal_count", "save", "load",
    // triggers and inboxes of systems
    "trigger_event", "capacity", "full"};
enum { NOT_LAYOUT_COUNT = sizeof not_layout / sizeof *not_layout };

// The hashes of a value: of its layout, and of the rest.
typedef struct stamper {
    uint64_t layout, rest;
    value_key not_layout[NOT_LAYOUT_COUNT];
} stamper;

static stamper stamper_create(uint64_t seed)
{
    stamper stamper = {.layout = seed, .rest = 0};
    for (size_t i = 0; i < NOT_LAYOUT_COUNT; i++)
        stamper.not_layout[i] = value_key_create(not_layout[i]);
    return stamper;
}

static bool is_layout(const stamper *stamper, const value *item)
{
    for (size_t i = 0; i < NOT_LAYOUT_COUNT; i++)
        if (stamper->not_layout[i].hash == item->key_hash && strcmp(stamper->not_layout[i].name, item->key) == 0)
            return false;
    return true;
}

static void add_value(stamper *stamper, uint64_t *hash, const value *data, int depth);

// Everything below a key that is not layout is hashed into `rest`.
static void add_items(stamper *stamper, uint64_t *hash, const value *data, int depth)
{
    for (const value *item = data->first; item != NULL; item = item->next) {
        bool is_key = data->kind == VALUE_MAP;
        uint64_t *into = hash;
        if (is_key && !is_layout(stamper, item))
            into = &stamper->rest;
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
        *hash = hash_combine(*hash, data->text, strlen(data->text));
    if (data->kind == VALUE_LIST || data->kind == VALUE_MAP)
        add_items(stamper, hash, data, depth);
}

static const char *literal(arena *arena, uint64_t hash)
{
    return arena_format(arena, "0x%016" PRIx64, hash);
}

void view_set_layout(const view_scope *scope, value *map)
{
    stamper stamper = stamper_create(0);
    add_value(&stamper, &stamper.layout, map, 0);
    view_set_text(scope, map, "layout", literal(scope->arena, stamper.layout));
}

// ---- stamps

static const char *find_stamp(const view *view, const char *macro)
{
    const view_layout *layout = view->layouts;
    while (layout < view->layouts + view->layout_count && strcmp(layout->macro, macro) != 0)
        layout++;
    assert(layout < view->layouts + view->layout_count && layout->stamp != NULL);
    return layout->stamp;
}

// Files of one context share a map.
static void set_stamp(arena *arena, const view *view, value *map)
{
    const value *macro = value_find(map, value_key_create("stamp_macro"));
    if (value_find(map, value_key_create("stamp")) == NULL)
        value_set(map, "stamp", value_text(arena, find_stamp(view, macro->text)));
}

static void set_stamps(arena *arena, const view *view, value *map)
{
    const value *uses = value_find(map, value_key_create("uses"));
    set_stamp(arena, view, map);
    if (uses == NULL)
        return;
    for (value *use = uses->first; use != NULL; use = use->next)
        set_stamp(arena, view, use);
}

static stamper hash_data(const value *data, uint64_t seed)
{
    stamper stamper = stamper_create(seed);
    add_value(&stamper, &stamper.layout, data, 0);
    return stamper;
}

// Returns the hash of all values that the file shows.
static uint64_t hash_of_file(const view_file *file, uint64_t seed)
{
    assert(file->layout != NULL && file->layout->stamp != NULL);
    if (file->data == file->layout->data)
        return file->layout->whole;
    stamper stamper = hash_data(file->data, seed);
    return hash_combine_number(stamper.layout, stamper.rest);
}

uint64_t view_stamp(arena *arena, view *view, uint64_t seed)
{
    assert(view->layout_count > 0);
    uint64_t whole = seed;
    for (size_t i = 0; i < view->layout_count; i++) {
        view_layout *layout = &view->layouts[i];
        stamper stamper = hash_data(layout->data, seed);
        layout->stamp = literal(arena, stamper.layout);
        layout->whole = hash_combine_number(stamper.layout, stamper.rest);
    }
    for (size_t i = 0; i < view->count; i++) {
        const view_file *file = &view->files[i];
        whole = hash_combine(whole, file->path, strlen(file->path));
        whole = hash_combine_number(whole, hash_of_file(file, seed));
    }
    for (size_t i = 0; i < view->count; i++)
        set_stamps(arena, view, view->files[i].data);
    return whole;
}
