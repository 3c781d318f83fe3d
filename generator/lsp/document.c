#define _XOPEN_SOURCE 700 // realpath
// The open documents, the packages that they belong to, and their diagnostics.
#include "generator/lsp/internal.h"

#include "generator/evolve/evolve.h"

#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FOLDER_LIMIT = 8,         // folders above a document in which its roots are searched
    CANDIDATE_LIMIT = 2000,   // files looked at in a search
    FILE_LIMIT = 4096,        // files of one package
    EXPLORED_SIZE = 64 * 1024 // bytes at the start of a file in which `kin` is looked for
};

// ---- places

static bool is_path_byte(char byte)
{
    return byte_is_word(byte) || (byte != '\0' && strchr("-.~/", byte) != NULL);
}

// Removes the last name of a path; nothing if it has none.
static void drop_last(text *path)
{
    if (path->size == 0)
        return;
    char *last = strrchr(path->bytes, '/');
    assert(last != NULL); // each name follows a slash
    path->size = (size_t)(last - path->bytes);
    *last = '\0';
}

static bool is_same_folder(const char *name, size_t size)
{
    return size == 0 || (size == 1 && name[0] == '.');
}

// Returns the absolute path without `.` and `..`.
static const char *absolute(const server *server, arena *arena, const char *path)
{
    text out = text_create(arena);
    if (path[0] != '/')
        path = arena_format(arena, "%s/%s", server->directory, path);
    while (*path != '\0') {
        path += strspn(path, "/");
        size_t size = strcspn(path, "/");
        if (size == 2 && strncmp(path, "..", 2) == 0) {
            drop_last(&out);
        } else if (!is_same_folder(path, size)) {
            text_append_string(&out, "/");
            text_append(&out, path, size);
        }
        path += size;
    }
    if (out.size == 0)
        text_append_string(&out, "/");
    return out.bytes;
}

// Returns an absolute path from the working directory if it is below, as `kin check` shows it there.
static const char *shown(const server *server, const char *path)
{
    size_t size = strlen(server->directory);
    assert(path[0] == '/');
    if (strncmp(path, server->directory, size) != 0 || path[size] != '/')
        return path;
    if (path[size + 1] == '\0')
        return path;
    return path + size + 1;
}

static int digit_of(char byte)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = strchr(digits, byte_to_lower(byte));
    if (byte == '\0' || found == NULL)
        return -1;
    return (int)(found - digits);
}

// Returns the byte that `%2F` stands for; 0 if the text begins with no such thing.
static int escaped_byte(const char *text)
{
    if (text[0] != '%')
        return 0;
    int high = digit_of(text[1]);
    if (high < 0)
        return 0;
    int low = digit_of(text[2]);
    if (low < 0)
        return 0;
    return high << 4 | low;
}

// Returns the path of a URI.
static const char *path_of(const server *server, arena *arena, const char *uri)
{
    static const char scheme[] = "file://";
    bool is_file = strncmp(uri, scheme, strlen(scheme)) == 0;
    text path = text_create(arena);
    text_append_string(&path, "");
    const char *colon = strchr(uri, ':');
    if (is_file)
        uri += strlen(scheme);
    else if (colon != NULL)
        uri = colon + 1;
    if (is_file && uri[0] != '/') // a host
        uri += strcspn(uri, "/");
    for (; *uri != '\0'; uri++) {
        char byte = (char)escaped_byte(uri);
        if (byte == '\0')
            byte = *uri;
        else
            uri += 2;
        text_append(&path, &byte, 1);
    }
    if (path.size == 0)
        return "untitled";
    if (!is_file)
        return path.bytes;
    return shown(server, absolute(server, arena, path.bytes));
}

static document *find_path(const server *server, const char *path)
{
    struct stat wanted;
    struct stat found;
    bool exists = stat(path, &wanted) == 0;
    for (document *document = server->documents; document != NULL; document = document->next) {
        if (strcmp(document->path, path) == 0)
            return document;
        if (!exists || stat(document->path, &found) != 0)
            continue;
        if (found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino)
            return document;
    }
    return NULL;
}

const char *server_uri(server *server, arena *arena, const char *path)
{
    const document *document = find_path(server, path);
    if (document != NULL)
        return document->uri;
    text uri = text_create(arena);
    text_append_string(&uri, "file://");
    for (const char *at = absolute(server, arena, path); *at != '\0'; at++) {
        if (is_path_byte(*at))
            text_append(&uri, at, 1);
        else
            text_append_format(&uri, "%%%02X", (unsigned)(unsigned char)*at);
    }
    return uri.bytes;
}

// ---- positions

static size_t units_of(const server *server, utf8_step step)
{
    if (server->is_utf8)
        return step.size;
    if (step.code_point == UTF8_BROKEN || step.code_point < 0x10000)
        return 1;
    return 2;
}

lsp_position position_of(const server *server, const source *source, size_t offset)
{
    source_position position = source_position_of(source, offset);
    assert(offset <= source->size && position.line > 0);
    span line = source_line(source, position.line);
    lsp_position found = {.line = position.line - 1};
    for (size_t at = line.start; at < offset && at < source->size;) {
        utf8_step step = utf8_next(source->bytes + at, source->size - at);
        found.character += units_of(server, step);
        at += step.size;
    }
    return found;
}

size_t offset_of(const server *server, const source *source, lsp_position position)
{
    if (position.line >= source->line_count)
        return source->size;
    span line = source_line(source, position.line + 1);
    size_t at = line.start;
    size_t units = 0;
    assert(line.end <= source->size);
    while (at < line.end && units < position.character) {
        utf8_step step = utf8_next(source->bytes + at, line.end - at);
        units += units_of(server, step);
        at += step.size;
    }
    return at;
}

static void writer_set_position(json_writer *writer, const char *key, lsp_position position)
{
    writer_set_open_line(writer, key, '{');
    writer_set_count(writer, "line", position.line);
    writer_set_count(writer, "character", position.character);
    writer_close(writer, '}');
}

void writer_set_range(json_writer *writer, const char *key, const server *server, span place)
{
    writer_set_open_line(writer, key, '{');
    lsp_position start = {0, 0};
    lsp_position end = {0, 0};
    if (place.source != NULL) {
        start = position_of(server, place.source, place.start);
        end = position_of(server, place.source, place.end);
    }
    writer_set_position(writer, "start", start);
    writer_set_position(writer, "end", end);
    writer_close(writer, '}');
}

void writer_append_location(json_writer *writer, server *server, span place)
{
    writer_open_line(writer, '{');
    writer_set_text(writer, "uri", server_uri(server, &server->message, place.source->path));
    writer_set_range(writer, "range", server, place);
    writer_close(writer, '}');
}

// ---- documents

document *server_find(server *server, const char *uri)
{
    document *document = server->documents;
    while (document != NULL && strcmp(document->uri, uri) != 0)
        document = document->next;
    return document;
}

// Returns whether a byte may stand between a key and its colon.
static bool ends_key(char byte)
{
    return byte == ' ' || byte == '"' || byte == '\'';
}

// Returns whether a line of the text begins with the key `kin`, or the text has no keys at all.
static bool is_word_at(const char *bytes, size_t at)
{
    if (at > 0 && byte_is_word(bytes[at - 1]))
        return false;
    return memcmp(bytes + at, "kin", 3) == 0 && !byte_is_word(bytes[at + 3]);
}

static bool has_version(const source *source)
{
    size_t size = size_min(source->size, EXPLORED_SIZE);
    const char *bytes = source->bytes;
    for (size_t at = 0; at + 3 < size; at++) {
        size_t colon = at + 3;
        if (!is_word_at(bytes, at))
            continue;
        while (colon < size && ends_key(bytes[colon]))
            colon++;
        if (colon < size && bytes[colon] == ':')
            return true;
    }
    return false;
}

// Returns whether the document is YAML of something else: it has keys, and none of them says that it is a schema.
static bool is_foreign(arena *arena, const source *source)
{
    if (has_version(source))
        return false;
    const outline_node *root = outline_make(arena, source);
    if (root->kind != OUTLINE_MAPPING)
        return root->kind == OUTLINE_SEQUENCE;
    if (root->first == NULL || outline_find(root, "package") != NULL)
        return false;
    const outline_node *value = root->first->value;
    bool is_one = outline_is_scalar(value) && strcmp(value->text, "1") == 0;
    name_search search = name_search_begin(root->first->text);
    name_search_offer(&search, "kin");
    return !is_one || search.nearest == NULL;
}

// Marks the packages that the document is a file of.
static void mark_roots(server *server, const document *document)
{
    for (root *root = server->roots; root != NULL; root = root->next)
        if (root_file(root, document->path) != NULL)
            root->is_stale = true;
}

static void find_roots(server *server, const document *document);

void server_open(server *server, const char *uri, int64_t version, const char *text, size_t size)
{
    document *opened = server_find(server, uri);
    bool is_new = opened == NULL;
    if (is_new) {
        opened = calloc(1, sizeof *opened);
        if (opened == NULL)
            exit(STATUS_SYSTEM);
        opened->next = server->documents;
        server->documents = opened;
    }
    arena kept = arena_beside(&server->arena);
    const char *name = arena_copy(&kept, uri, strlen(uri));
    const char *path = path_of(server, &kept, name);
    const source *source = source_from_bytes(&kept, path, text, size);
    arena_release(&opened->arena);
    opened->arena = kept;
    opened->uri = name;
    opened->path = path;
    opened->version = version;
    opened->text = source;
    opened->is_foreign = is_foreign(&server->message, source);
    opened->is_changed = true;
    mark_roots(server, opened);
    if (is_new)
        find_roots(server, opened);
}

void server_close(server *server, const char *uri)
{
    document **link = &server->documents;
    while (*link != NULL && strcmp((*link)->uri, uri) != 0)
        link = &(*link)->next;
    document *closed = *link;
    if (closed == NULL)
        return;
    mark_roots(server, closed);
    *link = closed->next;
    arena_release(&closed->arena);
    free(closed);
}

// ---- packages

const lsp_file *root_file(const root *root, const char *path)
{
    for (size_t i = 0; i < root->file_count; i++)
        if (strcmp(root->files[i].source->path, path) == 0)
            return &root->files[i];
    return NULL;
}

root *server_root_of(const server *server, const document *document, const root *after)
{
    root *root = server->roots;
    if (after != NULL)
        root = after->next;
    while (root != NULL && root_file(root, document->path) == NULL)
        root = root->next;
    return root;
}

const source_overlay *server_overlays(const server *server, arena *arena)
{
    source_overlay *overlays = NULL;
    for (const document *document = server->documents; document != NULL; document = document->next) {
        source_overlay *overlay = arena_allocate(arena, sizeof *overlay);
        *overlay = (source_overlay){document->path, document->text->bytes, document->text->size, overlays};
        overlays = overlay;
    }
    return overlays;
}

// A walk over the files of a package, by their outlines.
typedef struct file_walk {
    arena *arena;
    diagnostics discarded;
    dictionary identities;
    root *root;
    const server *server;
} file_walk;

// Returns the path of an included file, in the spelling of an open document.
static const char *included_path(const file_walk *walk, const source *source, const char *name)
{
    const char *path = name;
    if (name[0] != '/')
        path = arena_format(walk->arena, "%.*s%s", source_folder_size(source->path), source->path, name);
    const document *document = find_path(walk->server, path);
    if (document != NULL)
        return arena_copy(walk->arena, document->path, strlen(document->path));
    return shown(walk->server, absolute(walk->server, walk->arena, path));
}

static void add_file(file_walk *walk, const char *path)
{
    root *root = walk->root;
    const char *identity = source_identity_of(walk->arena, &walk->discarded, path);
    bool is_known = identity == NULL || dictionary_add(&walk->identities, identity, path) != NULL;
    if (is_known || root->file_count == FILE_LIMIT)
        return;
    const source *source = source_load(walk->arena, &walk->discarded, path);
    if (source == NULL)
        return;
    root->files = arena_grow(walk->arena, root->files, root->file_count, &root->file_capacity, sizeof *root->files);
    root->files[root->file_count++] = (lsp_file){source, outline_make(walk->arena, source)};
}

// Adds the file at the path, and all that it includes.
static void add_files(file_walk *walk, const char *path)
{
    add_file(walk, path);
    for (size_t i = 0; i < walk->root->file_count; i++) {
        const lsp_file file = walk->root->files[i];
        const outline_node *list = outline_find(file.outline, "include");
        if (list == NULL || list->kind != OUTLINE_SEQUENCE)
            continue;
        for (const outline_node *item = list->first; item != NULL; item = item->next)
            if (item->kind == OUTLINE_SCALAR && item->text[0] != '\0')
                add_file(walk, included_path(walk, file.source, item->text));
    }
}

void root_outline(const server *server, root *root, const char *path)
{
    file_walk walk = {.arena = &root->arena, .root = root, .server = server};
    walk.discarded = diagnostics_create(&root->arena);
    walk.discarded.overlays = server_overlays(server, &root->arena);
    walk.identities = dictionary_create(&root->arena);
    root->files = NULL;
    root->file_count = 0;
    root->file_capacity = 0;
    add_files(&walk, path);
    assert(root->file_count <= FILE_LIMIT);
}

void root_name_files(root *root)
{
    root->names = names_create(&root->arena);
    for (size_t i = 0; i < root->file_count; i++)
        names_add(&root->names, root->files[i].outline);
    names_resolve(&root->names);
}

diagnostics server_check(const server *server, arena *arena, const char *path, const source_overlay *overlays,
                         const package **known)
{
    diagnostics diagnostics = diagnostics_create(arena);
    diagnostics.options.limit = 0;
    diagnostics.overlays = overlays;
    package *read = NULL;
    const source *source = source_load(arena, &diagnostics, path);
    if (source != NULL)
        read = package_read_known(arena, &diagnostics, source, server->folders);
    package *checked = NULL;
    if (diagnostics_error_count(&diagnostics) == 0)
        checked = read;
    if (checked != NULL)
        evolve_apply(arena, &diagnostics, checked);
    if (source != NULL)
        advice_give(arena, &diagnostics, checked);
    if (known != NULL)
        *known = read;
    diagnostics.overlays = NULL; // the texts may change from now on
    return diagnostics;
}

// Returns whether all files of the package could be parsed. A lock is a source, too.
static bool is_whole(const root *root)
{
    if (root->package == NULL || root->file_count == 0)
        return false;
    return root->package->source_count >= root->file_count;
}

const package *root_package(const root *root)
{
    if (is_whole(root) || root->good == NULL)
        return root->package;
    return root->good;
}

// Keeps what was read before, if it is whole.
static void keep_good(root *root)
{
    if (!is_whole(root)) {
        arena_release(&root->arena);
        return;
    }
    arena_release(&root->good_arena);
    root->good_arena = root->arena;
    root->good = root->package;
}

static void read_root(const server *server, root *root)
{
    arena next = arena_beside(&server->arena);
    const char *path = arena_copy(&next, root->path, strlen(root->path));
    keep_good(root);
    root->arena = next;
    root->path = path;
    root_outline(server, root, path);
    root_name_files(root);
    root->diagnostics = server_check(server, &root->arena, path, server_overlays(server, &root->arena), &root->package);
    root->symbols_of = NULL;
    root->is_stale = false;
}

static root *find_root(const server *server, const char *path)
{
    root *root = server->roots;
    while (root != NULL && strcmp(root->path, path) != 0)
        root = root->next;
    return root;
}

static root *add_root(server *server, const char *path, bool is_alone)
{
    root *added = find_root(server, path);
    if (added != NULL)
        return added;
    added = calloc(1, sizeof *added);
    if (added == NULL)
        exit(STATUS_SYSTEM);
    added->arena = arena_beside(&server->arena);
    added->path = arena_copy(&added->arena, path, strlen(path));
    added->is_alone = is_alone;
    root **link = &server->roots;
    while (*link != NULL)
        link = &(*link)->next;
    *link = added;
    read_root(server, added);
    return added;
}

static void remove_root(server *server, root *removed)
{
    root **link = &server->roots;
    while (*link != removed) {
        assert(*link != NULL);
        link = &(*link)->next;
    }
    *link = removed->next;
    arena_release(&removed->arena);
    arena_release(&removed->good_arena);
    free(removed);
}

// ---- roots of an included file

static bool names_package(const outline_node *outline)
{
    for (const outline_node *key = outline_first_key(outline); key != NULL; key = key->next)
        if (strcmp(key->text, "package") == 0)
            return true;
    return false;
}

// Returns whether the file at the path is a root that includes the document.
static bool includes(const server *server, const char *path, const char *document)
{
    root candidate = {.arena = arena_beside(&server->arena), .path = path};
    root_outline(server, &candidate, path);
    bool is_root = candidate.file_count > 0 && names_package(candidate.files[0].outline);
    bool has = is_root && root_file(&candidate, document) != NULL;
    arena_release(&candidate.arena);
    return has;
}

static bool is_schema_name(const char *name)
{
    if (name[0] == '.')
        return false;
    return text_ends_in(name, ".yaml") || text_ends_in(name, ".yml");
}

DIR *folder_open(const char *folder)
{
    assert(folder[0] == '\0' || text_ends_in(folder, "/"));
    if (folder[0] == '\0')
        return opendir(".");
    return opendir(folder);
}

// Adds the roots in a folder that include the document. Returns how many files it looked at.
static size_t search_folder(server *server, const char *folder, const char *document)
{
    size_t count = 0;
    DIR *directory = folder_open(folder);
    if (directory == NULL)
        return 0;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (!is_schema_name(entry->d_name) || count == CANDIDATE_LIMIT)
            continue;
        const char *path = arena_format(&server->message, "%s%s", folder, entry->d_name);
        count++;
        const struct document *open = find_path(server, path);
        if (open != NULL)
            path = open->path;
        if (find_root(server, path) == NULL && includes(server, path, document))
            add_root(server, path, false);
    }
    closedir(directory);
    return count;
}

static bool is_workspace(server *server, const char *folder)
{
    struct stat status;
    for (size_t i = 0; i < server->workspace_count; i++)
        if (strcmp(server->workspaces[i], folder) == 0)
            return true;
    return stat(arena_format(&server->message, "%s/.git", folder), &status) == 0;
}

// Looks in the folder of the file, and in the folders above up to that of the project.
void server_search(server *server, const char *path)
{
    size_t looked = 0;
    const char *folder = absolute(server, &server->message, path);
    for (size_t level = 0; level < FOLDER_LIMIT && looked < CANDIDATE_LIMIT; level++) {
        const char *slash = strrchr(folder, '/');
        if (slash == NULL || slash == folder)
            return;
        folder = arena_copy(&server->message, folder, (size_t)(slash - folder));
        const char *prefix = arena_format(&server->message, "%s/", shown(server, folder));
        if (strcmp(folder, server->directory) == 0)
            prefix = "";
        looked += search_folder(server, prefix, path);
        if (is_workspace(server, folder))
            return;
    }
}

static bool has_root(const server *server, const document *document)
{
    return server_root_of(server, document, NULL) != NULL;
}

static void find_roots(server *server, const document *document)
{
    const outline_node *outline = outline_make(&server->message, document->text);
    if (names_package(outline) && !document->is_foreign) {
        add_root(server, document->path, false);
        return;
    }
    server_search(server, document->path);
    bool is_alone = !has_root(server, document) && !document->is_foreign;
    if (is_alone)
        add_root(server, document->path, true);
}

// Returns whether an open document belongs to the root, and to no better one if it is alone.
static bool is_needed(const server *server, const root *root)
{
    for (const document *document = server->documents; document != NULL; document = document->next) {
        if (root_file(root, document->path) == NULL)
            continue;
        struct root *first = server_root_of(server, document, NULL);
        bool has_other = first != root || server_root_of(server, document, root) != NULL;
        if (!root->is_alone || !has_other)
            return !root->is_alone || !document->is_foreign;
    }
    return false;
}

void server_forget(server *server)
{
    for (root *root = server->roots; root != NULL; root = root->next)
        root->is_stale = true;
    for (document *document = server->documents; document != NULL; document = document->next) {
        document->is_changed = true;
        find_roots(server, document);
    }
}

// ---- diagnostics

// A diagnostic of a file.
typedef struct finding {
    const char *uri;
    const source *source; // NULL: it has no place
    const diagnostic *diagnostic;
    bool is_taken;
} finding;

typedef struct findings {
    finding *list;
    size_t count, capacity;
} findings;

static bool is_same(const finding *a, const finding *b)
{
    const diagnostic *left = a->diagnostic;
    const diagnostic *right = b->diagnostic;
    if (left->code != right->code || left->span.start != right->span.start)
        return false;
    return strcmp(a->uri, b->uri) == 0 && strcmp(left->message, right->message) == 0;
}

// Adds a diagnostic, unless another package has the same of the file.
static void add_finding(findings *findings, arena *arena, finding added, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (is_same(&findings->list[i], &added))
            return;
    findings->list = arena_grow(arena, findings->list, findings->count, &findings->capacity, sizeof *findings->list);
    findings->list[findings->count++] = added;
}

// Adds diagnostics. Those without a place are of the file at `path`.
static void add_findings(server *server, findings *findings, const diagnostics *found, const char *path)
{
    size_t before = findings->count;
    const source *last = NULL;
    const char *uri = NULL;
    const diagnostic **sorted = diagnostics_sorted(found);
    for (size_t i = 0; i < found->count; i++) {
        const source *source = sorted[i]->span.source;
        if (uri == NULL || source != last)
            uri = server_uri(server, &server->message, source == NULL ? path : source->path);
        last = source;
        add_finding(findings, &server->message, (finding){uri, source, sorted[i], false}, before);
    }
}

static void append_note(json_writer *writer, server *server, span place, const char *message)
{
    if (place.source == NULL)
        return;
    writer_open_line(writer, '{');
    writer_key(writer, "location");
    writer_append_location(writer, server, place);
    writer_set_text(writer, "message", message);
    writer_close(writer, '}');
}

void writer_append_diagnostic(json_writer *writer, server *server, const diagnostic *diagnostic)
{
    writer_open_line(writer, '{');
    writer_set_range(writer, "range", server, diagnostic->span);
    writer_set_count(writer, "severity", diagnostic->kind == DIAGNOSTIC_WARNING ? 2 : 1);
    writer_set_text(writer, "code", diagnostic_code_text(&server->message, diagnostic->code));
    writer_set_text(writer, "source", "kin");
    writer_set_text(writer, "message", diagnostic->message);
    writer_set_open_line(writer, "relatedInformation", '[');
    if (diagnostic->hint != NULL && diagnostic->fix == NULL)
        append_note(writer, server, diagnostic->span, diagnostic->hint);
    for (const diagnostic_note_entry *note = diagnostic->first_note; note != NULL; note = note->next)
        append_note(writer, server, note->span, note->message);
    writer_close(writer, ']');
    writer_close(writer, '}');
}

static published *publication_of(server *server, const char *uri)
{
    published *entry = server->published;
    while (entry != NULL && strcmp(entry->uri, uri) != 0)
        entry = entry->next;
    if (entry != NULL)
        return entry;
    entry = arena_allocate(&server->arena, sizeof *entry);
    entry->uri = arena_copy(&server->arena, uri, strlen(uri));
    entry->next = server->published;
    server->published = entry;
    return entry;
}

// Appends the diagnostics of a file, which are taken then.
static void append_findings(server *server, const char *uri, findings *findings, text *list)
{
    json_writer writer = writer_begin(list);
    writer_open_line(&writer, '[');
    for (size_t i = 0; i < findings->count; i++) {
        finding *finding = &findings->list[i];
        if (finding->is_taken || strcmp(finding->uri, uri) != 0)
            continue;
        finding->is_taken = true;
        writer_append_diagnostic(&writer, server, finding->diagnostic);
    }
    writer_close(&writer, ']');
}

// Returns whether a file never had diagnostics, and an editor does not wait for them.
static bool is_silent(const published *entry, const document *document, const text *list)
{
    if (list->size > 2 || entry->hash != 0) // more than "[]"
        return false;
    return document == NULL || document->is_foreign;
}

// Sends the diagnostics of a file, unless they are what was sent before of a text that has not changed.
static void publish(server *server, const char *uri, findings *findings)
{
    document *document = server_find(server, uri);
    published *entry = publication_of(server, uri);
    text list = text_create(&server->message);
    append_findings(server, uri, findings, &list);
    uint64_t hash = hash_of(list.bytes, list.size);
    bool is_changed = document != NULL && document->is_changed;
    entry->is_seen = true;
    if (is_silent(entry, document, &list))
        return;
    if (!is_changed && entry->hash == hash)
        return;
    entry->hash = hash;
    text members = text_create(&server->message);
    text_append_string(&members, "\"method\": \"textDocument/publishDiagnostics\", \"params\": {\"uri\": ");
    writer_append_quoted(&members, uri, strlen(uri));
    if (document != NULL && document->version >= 0)
        text_append_format(&members, ", \"version\": %lld", (long long)document->version);
    text_append_string(&members, ", \"diagnostics\": ");
    text_append(&members, list.bytes, list.size);
    text_append_string(&members, "}");
    message_send(server, &members);
}

// Adds what is wrong with the open content files.
static void add_content(server *server, findings *findings)
{
    const source_overlay *overlays = server_overlays(server, &server->message);
    for (const document *document = server->documents; document != NULL; document = document->next) {
        const diagnostics *found = content_diagnostics(&server->message, server, overlays, document);
        if (found != NULL)
            add_findings(server, findings, found, document->path);
    }
}

static void publish_all(server *server)
{
    findings findings = {0};
    for (published *entry = server->published; entry != NULL; entry = entry->next)
        entry->is_seen = false;
    for (const root *root = server->roots; root != NULL; root = root->next)
        add_findings(server, &findings, &root->diagnostics, root->path);
    add_content(server, &findings);
    for (document *document = server->documents; document != NULL; document = document->next) {
        publish(server, document->uri, &findings);
        document->is_changed = false;
    }
    for (size_t i = 0; i < findings.count; i++)
        if (!findings.list[i].is_taken)
            publish(server, findings.list[i].uri, &findings);
    for (published *entry = server->published; entry != NULL; entry = entry->next)
        if (!entry->is_seen)
            publish(server, entry->uri, &findings);
}

static const outline_node *outline_of(server *server, const document *document)
{
    const root *first = server_root_of(server, document, NULL);
    if (first == NULL)
        return outline_make(&server->message, document->text);
    return root_file(first, document->path)->outline;
}

// Makes a changed document a root if it is one now, or no root any more, and searches its roots if it has none.
static void place_document(server *server, document *document)
{
    bool is_root = names_package(outline_of(server, document)) && !document->is_foreign;
    root *own = find_root(server, document->path);
    if (own != NULL)
        own->is_alone = !is_root;
    else if (is_root)
        add_root(server, document->path, false);
    bool is_lost = !has_root(server, document) && !document->is_foreign;
    if (is_lost)
        find_roots(server, document);
}

void server_settle(server *server)
{
    bool has_changes = false;
    for (root *root = server->roots; root != NULL; root = root->next) {
        has_changes = has_changes || root->is_stale;
        if (root->is_stale)
            read_root(server, root);
    }
    for (document *document = server->documents; document != NULL; document = document->next) {
        has_changes = has_changes || document->is_changed;
        if (document->is_changed)
            place_document(server, document);
    }
    if (!has_changes)
        return;
    content_forget(server);
    for (root *root = server->roots, *next = NULL; root != NULL; root = next) {
        next = root->next;
        if (!is_needed(server, root))
            remove_root(server, root);
    }
    publish_all(server);
}

void server_release(server *server)
{
    while (server->documents != NULL)
        server_close(server, server->documents->uri);
    while (server->roots != NULL)
        remove_root(server, server->roots);
    content_forget(server);
    arena_release(&server->message);
    arena_release(&server->arena);
}
