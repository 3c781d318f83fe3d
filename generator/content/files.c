#define _XOPEN_SOURCE 700
// Finds and loads the files of content.
//
// A folder is walked in the order of names, so that the same files give the same messages everywhere. Symbolic links
// are followed; a folder that was visited is not visited again.
#include "generator/content/internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- which files are content

static bool begins_with(const char *at, const char *end, const char *text)
{
    size_t size = strlen(text);
    return size <= (size_t)(end - at) && memcmp(at, text, size) == 0;
}

// Returns what follows a line.
static const char *skip_line(const char *at, const char *end)
{
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    if (line_end == NULL)
        return end;
    return line_end + 1;
}

static bool is_comment(const char *at, const char *end)
{
    return *at == '#' || *at == '%' || begins_with(at, end, "---");
}

// After a byte order mark, comments and blank lines.
bool content_is_text(const char *bytes, size_t size)
{
    static const char key[] = "content";
    const char *at = bytes;
    const char *end = bytes + size;
    if (begins_with(at, end, "\xef\xbb\xbf"))
        at += 3;
    while (at < end && (byte_is_space(*at) || is_comment(at, end)))
        at = byte_is_space(*at) ? at + 1 : skip_line(at, end);
    if (begins_with(at, end, "\"") || begins_with(at, end, "'"))
        at++;
    if (!begins_with(at, end, key))
        return false;
    at += sizeof key - 1;
    return at < end && !byte_is_word(*at);
}

static bool is_content_file(const char *path)
{
    char bytes[4096];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return content_is_text(bytes, size);
}

static bool is_folder(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

bool content_is_path(const char *path)
{
    if (strcmp(path, "-") == 0)
        return false;
    return is_folder(path) || is_content_file(path);
}

// ---- loading

static void load_file(compiler *compiler, const source *source, const file *includer);

static void report_cycle(compiler *compiler, const tree_node *item, const file *from, const file *again)
{
    const char *cycle = again->source->path;
    for (const file *each = from; each != again; each = each->includer)
        cycle = arena_format(compiler->arena, "%s -> %s", each->source->path, cycle);
    diagnostic_error(compiler->diagnostics, CODE_INCLUDE_CYCLE, item->span, "'%s' includes itself: %s -> %s",
                     again->source->path, again->source->path, cycle);
}

// Returns the file at a path that is loaded; NULL if none is.
static const file *find_loaded(const compiler *compiler, const char *path)
{
    const char *identity = source_identity_of(compiler->arena, compiler->diagnostics, path);
    if (identity == NULL)
        return NULL;
    return dictionary_find(&compiler->identities, identity);
}

static bool is_included_by(const file *file, const struct file *by)
{
    while (file != NULL && file != by)
        file = file->includer;
    return file != NULL;
}

// Loads the file of an include that is not loaded. NULL after a report.
static const source *load_included(compiler *compiler, const char *path, const tree_node *item, const file *from)
{
    size_t depth = 0;
    for (const file *each = from; each != NULL; each = each->includer)
        depth++;
    if (depth <= CONTENT_INCLUDE_LIMIT)
        return source_load_included(compiler->arena, compiler->diagnostics, path, item->span);
    diagnostic_error(compiler->diagnostics, CODE_TOO_MANY_INCLUDES, item->span,
                     "includes nested too deep; at most %d levels are allowed", CONTENT_INCLUDE_LIMIT);
    return NULL;
}

static void include(compiler *compiler, const tree_node *item, const file *from)
{
    if (!node_expect_value(compiler->diagnostics, item, "a path in 'include'")) {
        compiler->is_incomplete = true;
        return;
    }
    const char *path = item->text;
    if (path[0] != '/')
        path =
            arena_format(compiler->arena, "%.*s%s", source_folder_size(from->source->path), from->source->path, path);
    const file *loaded = find_loaded(compiler, path);
    if (loaded != NULL) {
        if (is_included_by(from, loaded))
            report_cycle(compiler, item, from, loaded);
        return;
    }
    const source *source = load_included(compiler, path, item, from);
    if (source != NULL) {
        load_file(compiler, source, from);
        return;
    }
    wanted *wanted = arena_allocate(compiler->arena, sizeof *wanted);
    *wanted = (struct wanted){path, compiler->wanted};
    compiler->wanted = wanted;
    compiler->is_incomplete = true;
}

const char *content_file(const compiler *compiler, size_t index)
{
    for (const file *each = compiler->files; each != NULL; each = each->next)
        if (index-- == 0)
            return each->source->path;
    return NULL;
}

const char *content_missing(const compiler *compiler, size_t index)
{
    for (const wanted *each = compiler->wanted; each != NULL; each = each->next)
        if (index-- == 0)
            return each->path;
    return NULL;
}

static void read_includes(compiler *compiler, const file *file)
{
    const tree_node *node = tree_find(file->root, "include");
    if (node == NULL || node->kind == TREE_BROKEN)
        return;
    if (node->kind != TREE_SEQUENCE) {
        diagnostic_error(compiler->diagnostics, CODE_LIST_EXPECTED, node->span,
                         "expected a list for 'include', found %s", node_kind(node));
        compiler->is_incomplete = true;
        return;
    }
    for (const tree_node *item = node->items; item != NULL; item = item->next)
        include(compiler, item, file);
}

static void check_version(compiler *compiler, const file *file)
{
    const tree_node *version = tree_find(file->root, "content");
    if (version != NULL && version->kind == TREE_BROKEN)
        return;
    if (version == NULL) {
        span start = file->root->span;
        start.end = start.start;
        diagnostic_error(compiler->diagnostics, CODE_CONTENT_KEY, start, "the file has no 'content: 1'");
        diagnostic_hint(compiler->diagnostics, "begin the file with 'content: 1'");
    } else if (version->kind != TREE_SCALAR || strcmp(version->text, "1") != 0) {
        diagnostic_error(compiler->diagnostics, CODE_CONTENT_KEY, version->span,
                         "this version of Kin reads content of version 1");
        diagnostic_replace(compiler->diagnostics, "1");
    }
}

static void check_key(compiler *compiler, const tree_node *key, const char *const *keys)
{
    name_search search = name_search_begin(key->text);
    for (; *keys != NULL; keys++) {
        if (strcmp(*keys, key->text) == 0)
            return;
        name_search_offer(&search, *keys);
    }
    diagnostic_error(compiler->diagnostics, CODE_CONTENT_KEY, key->span, "content has no key '%s'", key->text);
    if (search.nearest != NULL)
        diagnostic_meant(compiler->diagnostics, search.nearest);
    else
        diagnostic_hint(compiler->diagnostics, "use include, prefabs, blueprints, values, levels or removed");
    compiler->is_incomplete = true; // what is below it may have the names that others use
}

static void check_keys(compiler *compiler, const file *file)
{
    static const char *const keys[] = {"content", "include", "prefabs", "blueprints",
                                       "values",  "levels",  "removed", NULL};
    for (const tree_pair *pair = file->root->pairs; pair != NULL; pair = pair->next) {
        if (is_asked(compiler, pair->key))
            offer_words(compiler, keys, file->root);
        check_key(compiler, pair->key, keys);
    }
}

static void load_file(compiler *compiler, const source *source, const file *includer)
{
    file *loaded = arena_allocate(compiler->arena, sizeof *loaded);
    loaded->source = source;
    loaded->includer = includer;
    if (source->identity != NULL)
        dictionary_add(&compiler->identities, source->identity, loaded);
    if (compiler->editor != NULL)
        loaded->root = compiler->editor->parse(compiler->editor, compiler->diagnostics, source);
    else
        loaded->root = tree_parse(compiler->arena, compiler->diagnostics, source);
    if (loaded->root == NULL) {
        compiler->is_incomplete = true;
        return;
    }
    if (compiler->last_file == NULL)
        compiler->files = loaded;
    else
        compiler->last_file->next = loaded;
    compiler->last_file = loaded;
    check_version(compiler, loaded);
    check_keys(compiler, loaded);
    read_includes(compiler, loaded);
}

static void load_path(compiler *compiler, const char *path)
{
    if (find_loaded(compiler, path) != NULL)
        return;
    const source *source = source_load(compiler->arena, compiler->diagnostics, path);
    if (source != NULL)
        load_file(compiler, source, NULL);
    else
        compiler->is_incomplete = true;
}

// ---- folders

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void close_folder(void *folder)
{
    closedir(folder);
}

// Lists the entries of a folder in the order of their names, and closes it. Returns their count.
static size_t list_folder(arena *arena, DIR *folder, const char ***names)
{
    size_t count = 0;
    size_t capacity = 0;
    arena_guard guard;
    arena_open(arena, &guard, close_folder, folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] == '.')
            continue;
        *names = arena_grow(arena, *names, count, &capacity, sizeof **names);
        (*names)[count++] = arena_copy(arena, entry->d_name, strlen(entry->d_name));
    }
    arena_close(arena, &guard);
    closedir(folder);
    if (count > 0)
        qsort(*names, count, sizeof **names, compare_names);
    return count;
}

// Recursive, as deep as folders are nested; the names of paths have a limit.
static void load_folder(compiler *compiler, dictionary *visited, const char *path, size_t depth)
{
    const char *identity = source_identity_of(compiler->arena, compiler->diagnostics, path);
    bool is_visited = identity != NULL && dictionary_add(visited, identity, path) != NULL;
    if (is_visited || depth == CONTENT_DEPTH_LIMIT)
        return;
    DIR *folder = opendir(path);
    if (folder == NULL) {
        if (depth == 0)
            diagnostic_system_error(compiler->diagnostics, CODE_FILE_UNREADABLE, "cannot read the folder '%s': %s",
                                    path, strerror(errno));
        return;
    }
    const char **names = NULL;
    size_t count = list_folder(compiler->arena, folder, &names);
    for (size_t i = 0; i < count; i++) {
        const char *separator = text_if(!text_ends_in(path, "/"), "/");
        const char *below = arena_format(compiler->arena, "%s%s%s", path, separator, names[i]);
        if (is_folder(below))
            load_folder(compiler, visited, below, depth + 1);
        else if (text_ends_in(names[i], ".yaml") && is_content_file(below))
            load_path(compiler, below);
    }
}

void content_load(compiler *compiler, content_paths paths)
{
    dictionary visited = dictionary_create(compiler->arena);
    for (size_t i = 0; i < paths.count; i++)
        if (is_folder(paths.paths[i]))
            load_folder(compiler, &visited, paths.paths[i], 0);
        else
            load_path(compiler, paths.paths[i]);
}
