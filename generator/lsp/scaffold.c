// Functions of systems that no C file beside the schema defines, and the files that `kin scaffold` writes for them.
#include "generator/lsp/internal.h"

#include "generator/render/render.h"

#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { C_FILE_LIMIT = 1000 };

// What the C files of a program define. They are beside the schema, or in one of these folders beside it.
typedef struct program {
    request *request;
    const package *package;
    const char *folder; // of the schema, with its slash
    dictionary defined;
    size_t file_count;
} program;

static const char *const folders[] = {"", "systems/", "src/"};

static void read_file(program *program, const char *path)
{
    arena *arena = program->request->arena;
    diagnostics discarded = diagnostics_create(arena);
    const source *source = source_load(arena, &discarded, path);
    if (source == NULL)
        return;
    program->file_count++;
    const char *at = source->bytes;
    definition_found found = definitions_next(arena, source->bytes, &at);
    for (; found.name != NULL; found = definitions_next(arena, source->bytes, &at))
        dictionary_add(&program->defined, found.name, found.name);
}

static void read_folder(program *program, const char *folder)
{
    DIR *directory = folder_open(folder);
    if (directory == NULL)
        return;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
        if (text_ends_in(entry->d_name, ".c") && program->file_count < C_FILE_LIMIT)
            read_file(program, arena_format(program->request->arena, "%s%s", folder, entry->d_name));
    closedir(directory);
}

// Reads the C files. Returns whether there are any: without them nothing is known.
static bool read_program(program *program, request *request)
{
    const root *root = request->root;
    *program = (struct program){.request = request, .defined = dictionary_create(request->arena)};
    program->package = root_package(root);
    if (program->package == NULL || root->diagnostics.errors > 0)
        return false;
    assert(root->content == NULL);
    int size = source_folder_size(root->path);
    program->folder = arena_copy(request->arena, root->path, (size_t)size);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        read_folder(program, arena_format(request->arena, "%s%s", program->folder, folders[i]));
    return program->file_count > 0;
}

static text stub_of(const program *program, const declared_system *system)
{
    arena *arena = program->request->arena;
    const value *view = view_scaffold(arena, program->package, system);
    mustache_request request = {arena, &templates_scaffold, "system", view, MUSTACHE_CODE, NULL};
    mustache_error error = {0};
    text content = text_create(arena);
    if (!mustache_render(&request, &content, &error))
        abort();
    return content;
}

// Returns the names of the functions in the stub that no file defines, with commas; NULL if there are none.
static const char *missing_in(const program *program, const text *stub)
{
    arena *arena = program->request->arena;
    text names = text_create(arena);
    const char *at = stub->bytes;
    definition_found found = definitions_next(arena, stub->bytes, &at);
    for (; found.name != NULL; found = definitions_next(arena, stub->bytes, &at))
        if (dictionary_find(&program->defined, found.name) == NULL)
            text_append_item(&names, ", ", found.name);
    if (names.size == 0)
        return NULL;
    return names.bytes;
}

static bool has_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// Returns the path of the system's file: in the last of the folders that exists, as `kin scaffold` writes it.
static const char *path_of(const program *program, const declared_system *system)
{
    arena *arena = program->request->arena;
    const char *name = view_scaffold_path(arena, system);
    for (size_t i = 1; i < sizeof folders / sizeof folders[0]; i++) {
        const char *folder = arena_format(arena, "%s%s", program->folder, folders[i]);
        if (has_folder(folder))
            return arena_format(arena, "%s%s", folder, name);
    }
    return arena_format(arena, "%s%s", program->folder, name);
}

static const declared_system *system_of(const program *program, const occurrence *name)
{
    const package *package = program->package;
    bool is_system = name->is_definition && name->kind == REFERS_TO_SYSTEM;
    if (!is_system || name->place.source != program->request->file->source)
        return NULL;
    for (size_t i = 0; i < package->system_count; i++)
        if (strcmp(package->systems[i]->name, name->name) == 0)
            return package->systems[i];
    return NULL;
}

void append_lens(request *request, span place, const char *title)
{
    writer_open_line(request->writer, '{');
    writer_set_range(request->writer, "range", request->server, place);
    writer_set_open_line(request->writer, "command", '{');
    writer_set_text(request->writer, "title", title);
    writer_set_text(request->writer, "command", "");
    writer_close(request->writer, '}');
    writer_close(request->writer, '}');
}

void append_scaffold_lenses(request *request)
{
    program program;
    if (!read_program(&program, request))
        return;
    for (const occurrence *name = request->root->names.first; name != NULL; name = name->next) {
        const declared_system *system = system_of(&program, name);
        if (system == NULL)
            continue;
        text stub = stub_of(&program, system);
        const char *missing = missing_in(&program, &stub);
        if (missing != NULL)
            append_lens(request, name->place, arena_format(request->arena, "kin scaffold: missing %s", missing));
    }
}

// Writes an edit that creates a file.
static void append_creation(request *request, const char *path, const text *content)
{
    json_writer *writer = request->writer;
    const char *uri = server_uri(request->server, request->arena, path);
    writer_open_line(writer, '{');
    writer_set_open_line(writer, "documentChanges", '[');
    writer_open_line(writer, '{');
    writer_set_text(writer, "kind", "create");
    writer_set_text(writer, "uri", uri);
    writer_close(writer, '}');
    writer_open_line(writer, '{');
    writer_set_open_line(writer, "textDocument", '{');
    writer_set_text(writer, "uri", uri);
    writer_key(writer, "version");
    writer_null(writer);
    writer_close(writer, '}');
    writer_set_open_line(writer, "edits", '[');
    writer_open_line(writer, '{');
    writer_set_range(writer, "range", request->server, (span){0});
    writer_set_text(writer, "newText", content->bytes);
    writer_close(writer, '}');
    writer_close(writer, ']');
    writer_close(writer, '}');
    writer_close(writer, ']');
    writer_close(writer, '}');
}

void append_scaffold_actions(request *request, size_t start, size_t end)
{
    program program;
    json_writer *writer = request->writer;
    if (!request->server->creates_files || !read_program(&program, request))
        return;
    for (const occurrence *name = request->root->names.first; name != NULL; name = name->next) {
        bool is_here = name->place.start <= end && start <= name->place.end;
        const declared_system *system = system_of(&program, name);
        if (!is_here || system == NULL)
            continue;
        text stub = stub_of(&program, system);
        const char *path = path_of(&program, system);
        if (missing_in(&program, &stub) == NULL || output_exists(path))
            continue;
        writer_open_line(writer, '{');
        writer_set_text(writer, "title", arena_format(request->arena, "kin scaffold: write %s", path));
        writer_set_text(writer, "kind", "refactor");
        writer_key(writer, "edit");
        append_creation(request, path, &stub);
        writer_close(writer, '}');
    }
}
