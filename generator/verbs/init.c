#define _XOPEN_SOURCE 700 // realpath
// `init`: a new project.
#include "generator/verbs/verbs.h"

#include "generator/base/base.h"
#include "generator/read/read.h"
#include "generator/render/render.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_COUNT = 4 };

typedef struct init_file {
    const char *template_name;
    const char *path;
    text content;
    bool is_optional; // an existing file is kept
    bool exists;
    bool is_written;
} init_file;

typedef struct project {
    arena *arena;
    const command *command;
    diagnostics *diagnostics;
    const char *package;
    init_file files[FILE_COUNT];
} project;

static text render(arena *arena, const char *template_name, const char *package)
{
    value *data = value_map(arena);
    value_set(data, "package", value_text(arena, package));
    mustache_request request = {arena, &templates_init, template_name, data, MUSTACHE_CODE, NULL};
    mustache_error error = {0};
    text content = text_create(arena);
    if (!mustache_render(&request, &content, &error))
        abort(); // the templates are part of the program
    return content;
}

// Whether the schema of the project is valid with this name, which may collide with a generated name.
static bool is_valid_package_name(arena *arena, const char *package)
{
    text schema = render(arena, "schema", package);
    diagnostics diagnostics = diagnostics_create(arena);
    return package_read(arena, &diagnostics, source_from_bytes(arena, "", schema.bytes, schema.size)) != NULL;
}

const char *init_package_name(arena *arena, const char *folder)
{
    const char *name = name_is_snake_case(folder) ? folder : name_suggest_snake_case(arena, folder);
    if (name != NULL && is_valid_package_name(arena, name))
        return name;
    const char *longer = arena_format(arena, "my_%s", name == NULL ? "game" : name);
    return is_valid_package_name(arena, longer) ? longer : "my_game";
}

static int fail(const project *project, const char *what, const char *path, int error)
{
    diagnostic_system_error(project->diagnostics, CODE_UNWRITABLE, "cannot %s '%s': %s", what, path, strerror(error));
    diagnostic_about(project->diagnostics, path);
    return STATUS_SYSTEM;
}

// Creates the folder if missing and names the package after it.
static int open_folder(project *project)
{
    const char *folder = project->command->directory;
    int error = output_make_parents(project->arena, arena_format(project->arena, "%s/file", folder));
    char *real = error != 0 ? NULL : realpath(folder, NULL);
    if (real == NULL)
        return fail(project, "create directory", folder, error != 0 ? error : errno);
    const char *name = strrchr(real, '/') + 1;
    project->package = init_package_name(project->arena, arena_copy(project->arena, name, strlen(name)));
    free(real);
    return STATUS_DONE;
}

static void plan_file(project *project, init_file *file, const char *template_name, const char *name)
{
    const char *folder = project->command->directory;
    file->template_name = template_name;
    file->path = strcmp(folder, ".") == 0 ? name : output_path(project->arena, folder, name);
    file->content = render(project->arena, template_name, project->package);
    file->exists = output_exists(file->path);
}

static int plan(project *project)
{
    init_file *files = project->files;
    plan_file(project, &files[0], "schema", arena_format(project->arena, "%s.yaml", project->package));
    plan_file(project, &files[1], "main", "main.c");
    plan_file(project, &files[2], "makefile", "Makefile");
    plan_file(project, &files[3], "gitignore", ".gitignore");
    files[3].is_optional = true;
    int status = STATUS_DONE;
    for (size_t i = 0; i < FILE_COUNT; i++) {
        if (!files[i].exists || files[i].is_optional)
            continue;
        diagnostic_system_error(project->diagnostics, CODE_PROJECT_FILE, "'%s' already exists; nothing was written",
                                files[i].path);
        diagnostic_about(project->diagnostics, files[i].path);
        status = STATUS_SYSTEM;
    }
    return status;
}

static int write_files(project *project)
{
    for (size_t i = 0; i < FILE_COUNT; i++) {
        init_file *file = &project->files[i];
        int error = file->exists ? 0 : output_write_new(file->path, file->content.bytes, file->content.size);
        file->is_written = !file->exists && error == 0;
        if (error == 0)
            continue;
        for (size_t k = 0; k < i; k++)
            if (project->files[k].is_written)
                unlink(project->files[k].path);
        return fail(project, "write", file->path, error);
    }
    return STATUS_DONE;
}

// Returns the word quoted for a shell. Characters that are not printable are escaped, for display only.
static const char *shell_word(arena *arena, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:@%=";
    if (word[0] != '-' && word[strspn(word, plain)] == '\0')
        return word;
    text quoted = text_create(arena);
    text_append_string(&quoted, word[0] == '-' ? "./'" : "'");
    for (; *word != '\0'; word++)
        if (*word == '\'')
            text_append_string(&quoted, "'\\''");
        else
            text_append(&quoted, word, 1);
    text_append_string(&quoted, "'");
    return text_escaped(arena, quoted.bytes);
}

// If kin was called by a path, it is probably not in the PATH.
static void print_next_step(const project *project)
{
    const char *folder = project->command->directory;
    const char *program = project->command->program;
    char *real = strchr(program, '/') == NULL ? NULL : realpath(program, NULL);
    printf("Build and run it: ");
    if (strcmp(folder, ".") != 0)
        printf("cd %s && ", shell_word(project->arena, folder));
    if (real == NULL)
        printf("make\n");
    else
        printf("make KIN=%s\n", shell_word(project->arena, real));
    free(real);
}

int init_run(arena *arena, const command *command)
{
    diagnostics diagnostics = diagnostics_create(arena);
    diagnostics.options = command->diagnostics;
    project project = {.arena = arena, .command = command, .diagnostics = &diagnostics};
    int status = open_folder(&project);
    if (status == STATUS_DONE)
        status = plan(&project);
    if (status == STATUS_DONE)
        status = write_files(&project);
    diagnostics_print(&diagnostics, stderr);
    if (status != STATUS_DONE)
        return status;
    for (size_t i = 0; i < FILE_COUNT; i++)
        printf("%s %s\n", project.files[i].exists ? "kept" : "wrote", text_escaped(arena, project.files[i].path));
    print_next_step(&project);
    return STATUS_DONE;
}
