#define _XOPEN_SOURCE 700 // realpath
// Reading of `include`: the files of a schema set.
//
// They are loaded depth first, each include where it is named, so that the order of loading is that of reading the
// root aloud. A file is the same whatever the path that leads to it: to include it again is nothing, and to include it
// from within itself is a cycle.
//
// A set is of one folder and those below it, so that it can be moved as a whole and reads nothing that its writer does
// not know of: a path that leads out of it, by `..` or from the top, must lead to where the command line allows it.
//
// What cannot be loaded is left out and the set is incomplete from then on: what the other files name and do not
// declare is not reported.
#include "read/private/reader.h"

#include <stdlib.h>
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
    if (!reader_expect_text(reader, item, "a path in 'include'"))
        return false;
    if (item->size == 0)
        diagnostic_error(reader->diagnostics, CODE_INCLUDE_UNREADABLE, item->span, "path of an included file is empty");
    return item->size > 0;
}

static int directory_size(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (int)(slash - path) + 1;
}

// A path relative to the directory that a file is in, or one from the top.
static const char *path_beside(arena *arena, const source *source, const char *path)
{
    return path[0] == '/' ? path : arena_format(arena, "%.*s%s", directory_size(source->path), source->path, path);
}

// ---- where files may be

// Whether the path, read from the root's folder, ever steps out of it.
static bool steps_out(const reader *reader, const char *path)
{
    const char *root = reader->files->source->path;
    int size = directory_size(root), depth = 0;
    if (strncmp(path, root, (size_t)size) != 0 || path[size] == '/' || (size == 0 && path[0] == '/'))
        return true;
    for (const char *name = path + size; *name != '\0' && depth >= 0;) {
        size_t length = strcspn(name, "/");
        if (length == 2 && strncmp(name, "..", length) == 0)
            depth--;
        else if (length > 0 && !(length == 1 && name[0] == '.'))
            depth++;
        name += length + strspn(name + length, "/");
    }
    return depth < 0;
}

// Whether a folder, or one around it, is the allowed one; both as they are called without links. NULL is none.
static bool is_below(const char *folder, const char *allowed)
{
    size_t size = allowed == NULL ? 0 : strlen(allowed);
    if (folder == NULL || allowed == NULL || strncmp(folder, allowed, size) != 0)
        return false;
    return folder[size] == '\0' || folder[size] == '/' || strcmp(allowed, "/") == 0;
}

static bool is_file_below(arena *arena, const char *path, const char *allowed)
{
    int size = directory_size(path);
    char *folder = realpath(size == 0 ? "." : arena_copy(arena, path, (size_t)size), NULL);
    char *real = realpath(allowed, NULL);
    bool is_it = is_below(folder, real);
    free(folder);
    free(real);
    return is_it;
}

// A path that steps out is fine where it leads back, or to where -I allows it.
static bool check_place(reader *reader, const tree_node *item, const char *path)
{
    if (!steps_out(reader, path))
        return true;
    const char *root = reader->files->source->path;
    int size = directory_size(root);
    const char *folder = size == 0 ? "." : arena_copy(reader->arena, root, (size_t)size);
    bool is_allowed = is_file_below(reader->arena, path, folder);
    for (size_t i = 0; i < reader->allowed->count && !is_allowed; i++)
        is_allowed = is_file_below(reader->arena, path, reader->allowed->paths[i]);
    if (!is_allowed) {
        diagnostic_error(reader->diagnostics, CODE_INCLUDE_OUTSIDE, item->span,
                         "'%s' is outside of the folder of the root schema", item->text);
        diagnostic_hint(reader->diagnostics, "move it into that folder, or allow its folder with -I");
    }
    return is_allowed;
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
    diagnostic_error(reader->diagnostics, CODE_INCLUDE_CYCLE, item->span, "'%s' includes itself: %s -> %s",
                     again->source->path, again->source->path, cycle);
}

static void load(reader *reader, const tree_node *item, const schema_file *from, const char *path)
{
    const source *source = NULL;
    if (from->depth == SCHEMA_INCLUDE_LIMIT)
        diagnostic_error(reader->diagnostics, CODE_TOO_MANY_INCLUDES, item->span,
                         "includes nested too deep; at most %d levels are allowed", SCHEMA_INCLUDE_LIMIT);
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
    const char *path = check_path(reader, item) ? path_beside(reader->arena, from->source, item->text) : NULL;
    if (path == NULL || !check_place(reader, item, path)) {
        reader->is_incomplete = true;
        return;
    }
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
    if (node->count > SCHEMA_INCLUDE_COUNT_LIMIT) {
        diagnostic_error(reader->diagnostics, CODE_TOO_MANY_INCLUDES, node->span,
                         "too many includes; at most %d are allowed in a file", SCHEMA_INCLUDE_COUNT_LIMIT);
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
    diagnostic_error(reader->diagnostics, CODE_DUPLICATE_NAME, name->span, "%s '%s' is declared twice", kind,
                     name->text);
    diagnostic_note(reader->diagnostics, earlier, "first declared here");
}
