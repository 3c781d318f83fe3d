// `scaffold`: the file of a new system.
#include "generator/verbs/verbs.h"

#include "generator/base/base.h"
#include "generator/read/read.h"
#include "generator/render/render.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- checks

// Adds the names of the functions that the file defines; reports a file that cannot be read.
static void read_file(arena *arena, diagnostics *diagnostics, const char *path, dictionary *defined)
{
    const source *source = source_load(arena, diagnostics, path);
    if (source == NULL)
        return;
    const char *at = source->bytes;
    for (definition_found found; (found = definitions_next(arena, source->bytes, &at)).name != NULL;)
        dictionary_add(defined, found.name, found.signature);
}

int scaffold_check(arena *arena, diagnostics *diagnostics, const char *const *paths, const text *stubs,
                   size_t stub_count)
{
    dictionary defined = dictionary_create(arena);
    int status = STATUS_DONE;
    for (; *paths != NULL; paths++)
        read_file(arena, diagnostics, *paths, &defined);
    if (diagnostics_exit_status(diagnostics) != STATUS_DONE)
        return diagnostics_exit_status(diagnostics);
    for (size_t i = 0; i < stub_count; i++) {
        const char *at = stubs[i].bytes;
        for (definition_found found; (found = definitions_next(arena, stubs[i].bytes, &at)).name != NULL;) {
            if (dictionary_find(&defined, found.name) != NULL)
                continue;
            printf("%s\n", found.signature);
            status = STATUS_SCHEMA;
        }
    }
    return status;
}

// ---- the verb

typedef struct scaffold_file {
    const char *path;
    text content;
    bool exists;
} scaffold_file;

typedef struct scaffold {
    arena *arena;
    const char *directory;
    const package *package;
    diagnostics *diagnostics;
    scaffold_file *files; // one for each system, index whose keys a function gives, and component that migrates
    size_t file_count;
} scaffold;

static void add_file(scaffold *scaffold, const char *name, const char *template_name, const value *data)
{
    assert(strchr(name, '/') == NULL);
    scaffold_file *file = &scaffold->files[scaffold->file_count++];
    file->content = command_render(scaffold->arena, &templates_scaffold, template_name, data);
    file->path = command_path(scaffold->arena, scaffold->directory, name);
    file->exists = output_exists(file->path);
}

static void create_files(scaffold *scaffold)
{
    arena *arena = scaffold->arena;
    const package *package = scaffold->package;
    size_t most = package->system_count + package->index_count + package->component_count;
    scaffold->files = arena_allocate(arena, (most + 1) * sizeof *scaffold->files);
    for (size_t i = 0; i < package->system_count; i++)
        add_file(scaffold, view_scaffold_path(arena, package->systems[i]), "system",
                 view_scaffold(arena, package, package->systems[i]));
    for (size_t i = 0; i < package->index_count; i++)
        if (package->indices[i]->function != NULL)
            add_file(scaffold, view_scaffold_index_path(arena, package, package->indices[i]), "index",
                     view_scaffold_index(arena, package, package->indices[i]));
    for (size_t i = 0; i < package->component_count; i++)
        if (package->components[i]->migrates)
            add_file(scaffold, view_scaffold_migration_path(arena, package, package->components[i]), "migration",
                     view_scaffold_migration(arena, package, package->components[i]));
}

// Writes all files or none.
static int write_files(scaffold *scaffold)
{
    size_t count = scaffold->file_count;
    int error = 0;
    if (count > 0)
        error = output_make_parents(scaffold->arena, scaffold->files[0].path);
    if (error != 0)
        return output_report_fault(scaffold->diagnostics, "create directory", scaffold->directory, error);
    for (size_t i = 0; i < count; i++) {
        scaffold_file *file = &scaffold->files[i];
        assert(file->path != NULL);
        if (file->exists)
            continue;
        error = output_write_new(file->path, file->content.bytes, file->content.size);
        file->exists = error == EEXIST; // another process created it
        if (error == 0 || error == EEXIST)
            continue;
        for (size_t k = 0; k < i; k++)
            if (!scaffold->files[k].exists)
                unlink(scaffold->files[k].path);
        return output_report_fault(scaffold->diagnostics, "write", file->path, error);
    }
    return STATUS_DONE;
}

int scaffold_run(arena *arena, const command *command)
{
    assert(command->schema_count > 0 && command->directory != NULL);
    static const char *const words[] = {"A", "="};
    diagnostics diagnostics = command_diagnostics(arena, command);
    scaffold scaffold = {.arena = arena, .directory = command->directory, .diagnostics = &diagnostics};
    scaffold.package = package_load(arena, &diagnostics, command->schemas[0], &command->includes);
    int status = diagnostics_exit_status(&diagnostics);
    if (status == STATUS_DONE)
        create_files(&scaffold);
    text *stubs = arena_allocate(arena, (scaffold.file_count + 1) * sizeof *stubs);
    for (size_t i = 0; i < scaffold.file_count; i++)
        stubs[i] = scaffold.files[i].content;
    if (status == STATUS_DONE && command->is_check) {
        status = scaffold_check(arena, &diagnostics, command->schemas + 1, stubs, scaffold.file_count);
    } else if (status == STATUS_DONE) {
        status = write_files(&scaffold);
        for (size_t i = 0; i < scaffold.file_count && status == STATUS_DONE; i++)
            printf("%s %s\n", words[scaffold.files[i].exists], text_escaped(arena, scaffold.files[i].path));
    }
    diagnostics_print(&diagnostics, stderr);
    return status;
}
