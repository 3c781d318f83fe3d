// `generate` and `check`.
#include "generator/verbs/verbs.h"

#include "generator/base/base.h"
#include "generator/evolve/evolve.h"
#include "generator/read/read.h"
#include "generator/render/render.h"
#include "generator/source/source.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// ---- the verb

// The state of a run before it writes.
typedef struct generation {
    arena *arena;
    const command *command;
    diagnostics *diagnostics;
    const package *package;
    template_set templates;
    view view;
    const char *directory;       // the package's
    const generated_file *files; // bytes are NULL until rendered
    size_t count;
    uint64_t made; // hash of everything that the files are generated from
    text printed;  // written to standard output at the end
} generation;

static int read_package(generation *generation)
{
    const command *command = generation->command;
    diagnostics *diagnostics = generation->diagnostics;
    package *package = package_load(generation->arena, diagnostics, command->schemas[0], &command->includes);
    if (package != NULL)
        evolve_apply(generation->arena, diagnostics, package);
    generation->package = package;
    advice_give(generation->arena, diagnostics, generation->package);
    return diagnostics_exit_status(diagnostics);
}

// Returns false after reporting an output that has the name of another.
static bool check_outputs(const generation *generation)
{
    const view *view = &generation->view;
    const char *twice = view_find_twice(view);
    if (twice == NULL)
        return true;
    diagnostic_system_error(generation->diagnostics, CODE_TEMPLATE_OUTPUT,
                            "'--template %s' has the name of another file of package '%s'; choose another name", twice,
                            generation->package->name);
    return false;
}

static void describe(generation *generation)
{
    assert(generation->package != NULL);
    arena *arena = generation->arena;
    generation->view = view_create(arena, generation->package);
    if (generation->command->has_cpp_face || generation->package->has_cpp_face)
        view_add_cpp_face(arena, &generation->view, generation->package);
    view_add_own(arena, &generation->view, generation->package, &generation->command->own);
    generation->made = render_stamp(arena, &generation->templates, &generation->view);
    generation->directory = output_path(arena, generation->command->directory, generation->package->name);
    generation->count = generation->view.count;
    generated_file *files = arena_allocate(arena, generation->count * sizeof *files);
    for (size_t i = 0; i < generation->count; i++)
        files[i].path = generation->view.files[i].path;
    generation->files = files;
}

static int render(generation *generation)
{
    generation->files = render_view(generation->diagnostics, &generation->templates, &generation->view);
    if (generation->files == NULL)
        return STATUS_SCHEMA;
    return STATUS_DONE;
}

// Renders the dependencies of the outputs. Returns false after reporting a path that a depfile cannot hold.
static bool render_depfile(const generation *generation, generated_file *file)
{
    assert(generation->command->depfile != NULL);
    arena *arena = generation->arena;
    const char **outputs = arena_allocate(arena, generation->count * sizeof *outputs);
    for (size_t i = 0; i < generation->count; i++)
        outputs[i] = output_path(arena, generation->directory, generation->files[i].path);
    text content = text_create(arena);
    depfile depfile = {outputs,
                       generation->count,
                       generation->package->sources,
                       generation->package->source_count,
                       generation->templates.read_paths,
                       generation->templates.read_count};
    bool is_complete = depfile_append(&content, &depfile, generation->diagnostics);
    *file = (generated_file){generation->command->depfile, content.bytes, content.size};
    return is_complete;
}

// Renders only if the outputs are not up to date.
static int render_and_write(generation *generation, output_request *request, output_report *report)
{
    int status = output_recall(request, report);
    if (status != OUTPUT_UNMADE)
        return status;
    status = render(generation);
    request->files = generation->files;
    if (status != STATUS_DONE)
        return status;
    return output_write(request, report);
}

// Without the lock, things that were renamed get other names in saves.
static void warn_of_lock(const generation *generation, const output_report *report)
{
    const package *package = generation->package;
    if (!report->was_locked || package->sources[0]->is_input)
        return;
    diagnostic_warning(generation->diagnostics, CODE_LOCK, package->span,
                       "the last run read '%s', which is missing: what saves have is unknown",
                       evolve_lock_path(generation->arena, package->sources[0], package->name));
    diagnostic_hint(generation->diagnostics, "restore the lock from version control");
}

static int write_outputs(generation *generation)
{
    assert(generation->files != NULL && generation->package->source_count > 0);
    const command *command = generation->command;
    const source *root = generation->package->sources[0];
    generated_file depfile;
    output_request request = {.arena = generation->arena,
                              .directory = generation->directory,
                              .files = generation->files,
                              .count = generation->count,
                              .made = generation->made,
                              .is_locked = generation->package->has_lock,
                              .mode = command->mode,
                              .is_check = command->is_check};
    if (!root->is_input)
        request.schema = root->path;
    if (command->depfile != NULL && command->mode == OUTPUT_WRITE) {
        if (!render_depfile(generation, &depfile))
            return STATUS_SYSTEM;
        request.depfile = &depfile;
    }
    output_report report = output_report_create(generation->diagnostics);
    int status = render_and_write(generation, &request, &report);
    warn_of_lock(generation, &report);
    if (!command->is_quiet)
        generation->printed = report.done;
    return status;
}

// Prints each file after a C comment with its name.
static int show_outputs(generation *generation)
{
    assert(generation->command->mode == OUTPUT_WRITE);
    int status = render(generation);
    generation->printed = text_create(generation->arena);
    for (size_t i = 0; status == STATUS_DONE && i < generation->count; i++) {
        const generated_file *file = &generation->files[i];
        text_separate(&generation->printed, i, "\n");
        text_append_format(&generation->printed, "// ---- %s/%s\n", generation->package->name, file->path);
        text_append(&generation->printed, file->bytes, file->size);
    }
    return status;
}

static int generate(generation *generation)
{
    const command *command = generation->command;
    int status = read_package(generation);
    int templates_status =
        template_set_load(generation->diagnostics, command->templates, &command->own, &generation->templates);
    if (templates_status > status)
        status = templates_status;
    if (status != STATUS_DONE)
        return status;
    describe(generation);
    if (!check_outputs(generation))
        return STATUS_SCHEMA;
    if (command->is_stdout)
        return show_outputs(generation);
    return write_outputs(generation);
}

int generate_run(arena *arena, const command *command)
{
    assert(command->schema_count == 1 && command->directory != NULL);
    diagnostics diagnostics = command_diagnostics(arena, command);
    generation generation = {.arena = arena, .command = command, .diagnostics = &diagnostics};
    int status = generate(&generation);
    diagnostics_print(&diagnostics, stderr);
    if (generation.printed.size > 0)
        fwrite(generation.printed.bytes, 1, generation.printed.size, stdout);
    return status;
}
