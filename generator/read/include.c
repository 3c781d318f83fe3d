#define _XOPEN_SOURCE 700 // realpath
// Reads `include`: loads the files of a schema set.
//
// Files are loaded depth first, each at its include, so the load order equals the order of the text with all includes
// expanded. Files are identified by device and inode, not by path. Including a loaded file again has no effect;
// including a file from within itself is a cycle and an error.
//
// All files must be in the root schema's folder or below it, so a set can be moved as a whole and cannot read unrelated
// files. A path that leaves this folder, with `..` or as an absolute path, must lead back into it or into a folder that
// the command line allows with -I.
//
// A file that cannot be loaded is skipped and marks the set incomplete. Unknown names are not reported in an incomplete
// set, since the missing file may declare them.
#include "generator/read/internal.h"

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

// Resolves a path relative to the directory of the including file. Absolute paths stay.
static const char *resolve_path(arena *arena, const source *source, const char *path)
{
    return path[0] == '/' ? path : arena_format(arena, "%.*s%s", source_folder_size(source->path), source->path, path);
}

// ---- allowed folders

// Returns whether `folder` is `allowed` or below it. Both must be free of symbolic links; NULL matches nothing.
static bool is_below(const char *folder, const char *allowed)
{
    size_t size = allowed == NULL ? 0 : strlen(allowed);
    if (folder == NULL || allowed == NULL || strncmp(folder, allowed, size) != 0)
        return false;
    return folder[size] == '\0' || folder[size] == '/' || strcmp(allowed, "/") == 0;
}

static bool is_file_below(arena *arena, const char *path, const char *allowed)
{
    int size = source_folder_size(path);
    char *folder = realpath(size == 0 ? "." : arena_copy(arena, path, (size_t)size), NULL);
    char *real = realpath(allowed, NULL);
    bool is_in_allowed = is_below(folder, real);
    free(folder);
    free(real);
    return is_in_allowed;
}

// Allows a path that leaves the root's folder only if it leads back into it, or into a folder allowed with -I.
static bool check_place(reader *reader, const tree_node *item, const char *path)
{
    if (!source_leaves_folder(reader->files->source, path))
        return true;
    const char *root = reader->files->source->path;
    int size = source_folder_size(root);
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

// `from` must be `again` or a file included from it, directly or not.
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
    const char *path = check_path(reader, item) ? resolve_path(reader->arena, from->source, item->text) : NULL;
    if (path == NULL || !check_place(reader, item, path)) {
        reader->is_incomplete = true;
        return;
    }
    const char *identity = source_identity_of(reader->arena, reader->diagnostics, path);
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
