// Reading of `include`: the files of a schema set.
//
// They are loaded depth first, each include where it is named, so that the order of loading is that of reading the
// root aloud. A file is the same whatever the path that leads to it: to include it again is nothing, and to include it
// from within itself is a cycle.
//
// What cannot be loaded is left out and the set is incomplete from then on: what the other files name and do not
// declare is not reported.
#include "schema_reader.h"

#include <string.h>

static void load_includes(reader *reader, schema_file *file);

static schema_file *create_file(reader *reader, const source *source)
{
    schema_file *file = arena_allocate(reader->arena, sizeof *file);
    file->source = source;
    file->root = tree_parse(reader->arena, reader->diagnostics, source);
    if (source->identity != NULL)
        dictionary_add(&reader->file_identities, source->identity, file);
    if (file->root == NULL) {
        reader->is_incomplete = true;
        return file;
    }
    if (reader->last_file != NULL)
        reader->last_file->next = file;
    else
        reader->files = file;
    reader->last_file = file;
    return file;
}

static bool check_path(reader *reader, const tree_node *item)
{
    if (!reader_expect_text(reader, item, "the path of an included file"))
        return false;
    if (item->size > 0 && item->text[0] != '/')
        return true;
    if (item->size == 0)
        diagnostic_error(reader->diagnostics, item->span, "the path of an included file must not be empty");
    else
        diagnostic_error(reader->diagnostics, item->span,
                         "the path of an included file must be relative to the file that includes it");
    return false;
}

// A path relative to the directory that a file is in.
static const char *path_beside(arena *arena, const source *source, const char *path)
{
    const char *slash = strrchr(source->path, '/');
    int directory = slash == NULL ? 0 : (int)(slash - source->path) + 1;
    return arena_format(arena, "%.*s%s", directory, source->path, path);
}

static bool is_within(const schema_file *file, const schema_file *outer)
{
    while (file != NULL && file != outer)
        file = file->includer;
    return file != NULL;
}

// `from` is within `again`, or that itself.
static void report_cycle(reader *reader, const tree_node *item, const schema_file *from, const schema_file *again)
{
    const char *cycle = again->source->path;
    for (const schema_file *file = from; file != again; file = file->includer)
        cycle = arena_format(reader->arena, "%s -> %s", file->source->path, cycle);
    diagnostic_error(reader->diagnostics, item->span, "'%s' includes itself: %s -> %s", again->source->path,
                     again->source->path, cycle);
}

static void load(reader *reader, const tree_node *item, const schema_file *from, const char *path)
{
    const source *source = NULL;
    if (from->depth == SCHEMA_INCLUDE_LIMIT)
        diagnostic_error(reader->diagnostics, item->span, "files include files, more than %d deep",
                         SCHEMA_INCLUDE_LIMIT);
    else
        source = source_load_included(reader->arena, reader->diagnostics, path, item->span);
    if (source == NULL) {
        reader->is_incomplete = true;
        return;
    }
    schema_file *file = create_file(reader, source);
    file->includer = from;
    file->span = item->span;
    file->depth = from->depth + 1;
    load_includes(reader, file);
}

static void include(reader *reader, const tree_node *item, const schema_file *from)
{
    if (!check_path(reader, item)) {
        reader->is_incomplete = true;
        return;
    }
    const char *path = path_beside(reader->arena, from->source, item->text);
    const char *identity = source_identity_of(reader->arena, path);
    const schema_file *loaded = identity == NULL ? NULL : dictionary_find(&reader->file_identities, identity);
    if (loaded == NULL)
        load(reader, item, from, path);
    else if (is_within(from, loaded))
        report_cycle(reader, item, from, loaded);
}

// Recursive, at most SCHEMA_INCLUDE_LIMIT deep.
static void load_includes(reader *reader, schema_file *file)
{
    const tree_node *node = file->root == NULL ? NULL : tree_find(file->root, "include");
    if (node == NULL)
        return;
    if (!reader_expect_items(reader, node, "'include'")) {
        reader->is_incomplete = true;
        return;
    }
    for (const tree_node *item = node->items; item != NULL; item = item->next)
        include(reader, item, file);
}

void read_includes(reader *reader, const source *root)
{
    load_includes(reader, create_file(reader, root));
}

static size_t count_entries(const reader *reader, const char *key)
{
    size_t count = 0;
    for (const schema_file *file = reader->files; file != NULL; file = file->next) {
        const tree_node *node = tree_find(file->root, key);
        count += node == NULL ? 0 : node->count;
    }
    return count;
}

entry_list reader_entries(reader *reader, const char *key)
{
    const tree_pair **pairs = arena_allocate(reader->arena, (count_entries(reader, key) + 1) * sizeof *pairs);
    entry_list list = {.pairs = pairs};
    const char *what = arena_format(reader->arena, "'%s'", key);
    for (const schema_file *file = reader->files; file != NULL; file = file->next) {
        const tree_node *node = tree_find(file->root, key);
        list.is_given = list.is_given || node != NULL;
        if (node == NULL || !reader_expect_entries(reader, node, what))
            continue;
        for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next)
            pairs[list.count++] = pair;
    }
    return list;
}

void reader_report_duplicate(reader *reader, const tree_node *name, const char *kind, span earlier)
{
    diagnostic_error(reader->diagnostics, name->span, "duplicate %s '%s'", kind, name->text);
    diagnostic_note(reader->diagnostics, earlier, "first declared here");
}
