#define _XOPEN_SOURCE 700 // realpath
// `init`: a new project.
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

enum { FILE_COUNT = 6 }; // the last is content, which is optional

typedef struct init_file {
    const char *path;
    text content;
    bool is_optional; // an existing file is kept
    bool exists;
} init_file;

typedef struct project {
    arena *arena;
    const command *command;
    diagnostics *diagnostics;
    const char *package;
    init_file files[FILE_COUNT];
    size_t file_count;
} project;

// Sets what differs with content: a struct for two numbers, which content sets with one list, and the libraries.
static void set_content(arena *arena, value *data, bool has_content)
{
    value_set(data, "has_content", value_bool(arena, has_content));
    value_set(data, "at", value_text(arena, text_if(has_content, "at.")));
    value_set(data, "step", value_text(arena, text_if(has_content, "step.")));
    value_set(data, "libraries", value_text(arena, has_content ? "KIN_CONTENT_LIBS" : "KIN_LIBS"));
}

// The package of the project with this name, which may collide with a generated name: NULL.
static const package *read_package(arena *arena, const char *name, bool has_content)
{
    value *data = value_map(arena);
    value_set(data, "package", value_text(arena, name));
    value_set(data, "is_cpp", value_bool(arena, false));
    text schema = command_render(arena, &templates_init, has_content ? "content_schema" : "schema", data);
    diagnostics diagnostics = diagnostics_create(arena);
    return package_read(arena, &diagnostics, source_from_bytes(arena, "", schema.bytes, schema.size));
}

static bool is_valid_package_name(arena *arena, const char *name, bool has_content)
{
    return read_package(arena, name, has_content) != NULL;
}

static text render(const project *project, const char *template_name)
{
    arena *arena = project->arena;
    bool has_content = project->command->is_content;
    bool is_cpp = project->command->has_cpp_face;
    const package *package = read_package(arena, project->package, has_content);
    value *data = value_map(arena);
    assert(package != NULL);
    value_set(data, "package", value_text(arena, project->package));
    value_set(data, "namespace", value_text(arena, view_cpp_namespace(arena, package)));
    value_set(data, "is_cpp", value_bool(arena, is_cpp));
    value_set(data, "compiler", value_text(arena, is_cpp ? "CXX" : "CC"));
    value_set(data, "flags", value_text(arena, is_cpp ? "CXXFLAGS" : "CFLAGS"));
    set_content(arena, data, has_content);
    return command_render(arena, &templates_init, template_name, data);
}

const char *init_package_name(arena *arena, const char *folder, bool has_content)
{
    const char *name = folder;
    if (!name_is_snake_case(folder))
        name = name_suggest_snake_case(arena, folder);
    if (name != NULL && is_valid_package_name(arena, name, has_content))
        return name;
    if (name == NULL)
        return "my_game";
    const char *longer = arena_format(arena, "my_%s", name);
    if (is_valid_package_name(arena, longer, has_content))
        return longer;
    return "my_game";
}

// Creates the folder if missing and names the package after it.
static int open_folder(project *project)
{
    const char *folder = project->command->directory;
    int error = output_make_parents(project->arena, arena_format(project->arena, "%s/file", folder));
    if (error != 0)
        return output_report_fault(project->diagnostics, "create directory", folder, error);
    char *real = realpath(folder, NULL);
    if (real == NULL)
        return output_report_fault(project->diagnostics, "create directory", folder, errno);
    assert(real[0] == '/');
    const char *name = strrchr(real, '/') + 1;
    project->package =
        init_package_name(project->arena, arena_copy(project->arena, name, strlen(name)), project->command->is_content);
    free(real);
    return STATUS_DONE;
}

static void plan_file(project *project, init_file *file, const char *template_name, const char *path)
{
    assert(project->package != NULL);
    file->path = path;
    file->content = render(project, template_name);
    file->exists = output_exists(file->path);
}

static int plan(project *project)
{
    init_file *files = project->files;
    arena *arena = project->arena;
    const char *folder = project->command->directory;
    const char *editor = command_path(arena, folder, ".vscode");
    bool has_content = project->command->is_content;
    bool is_cpp = project->command->has_cpp_face;
    const char *program = has_content ? "content_main" : "main";
    plan_file(project, &files[0], has_content ? "content_schema" : "schema",
              command_path(arena, folder, arena_format(arena, "%s.yaml", project->package)));
    plan_file(project, &files[1], is_cpp ? "main_cpp" : program,
              command_path(arena, folder, is_cpp ? "main.cpp" : "main.c"));
    plan_file(project, &files[2], "makefile", command_path(arena, folder, "Makefile"));
    plan_file(project, &files[3], "gitignore", command_path(arena, folder, ".gitignore"));
    plan_file(project, &files[4], "extensions", command_path(arena, editor, "extensions.json"));
    project->file_count = 5;
    if (has_content)
        plan_file(project, &files[project->file_count++], "content_file",
                  command_path(arena, command_path(arena, folder, "content"), "animals.yaml"));
    files[3].is_optional = files[4].is_optional = true;
    int status = STATUS_DONE;
    for (size_t i = 0; i < project->file_count; i++) {
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
    for (size_t i = 0; i < project->file_count; i++) {
        init_file *file = &project->files[i];
        if (file->exists)
            continue;
        int error = output_make_parents(project->arena, file->path);
        if (error == 0)
            error = output_write_new(file->path, file->content.bytes, file->content.size);
        if (error == 0)
            continue;
        for (size_t k = 0; k < i; k++)
            if (!project->files[k].exists) // this run wrote it
                unlink(project->files[k].path);
        return output_report_fault(project->diagnostics, "write", file->path, error);
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
    text_append_string(&quoted, text_if(word[0] == '-', "./"));
    text_append_string(&quoted, "'");
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
    char *real = NULL;
    if (strchr(program, '/') != NULL)
        real = realpath(program, NULL);
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
    assert(command->directory != NULL && command->program != NULL);
    static const char *const words[] = {"wrote", "kept"};
    diagnostics diagnostics = command_diagnostics(arena, command);
    project project = {.arena = arena, .command = command, .diagnostics = &diagnostics};
    int status = open_folder(&project);
    if (status == STATUS_DONE)
        status = plan(&project);
    if (status == STATUS_DONE)
        status = write_files(&project);
    diagnostics_print(&diagnostics, stderr);
    if (status != STATUS_DONE)
        return status;
    for (size_t i = 0; i < project.file_count; i++)
        printf("%s %s\n", words[project.files[i].exists], text_escaped(arena, project.files[i].path));
    print_next_step(&project);
    return STATUS_DONE;
}
