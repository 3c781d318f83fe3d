#include "generate.h"

#include "advice.h"
#include "depfile.h"
#include "diagnostic.h"
#include "output.h"
#include "render.h"
#include "schema_read.h"
#include "source.h"
#include "status.h"
#include "template_set.h"
#include "view.h"

#include <stdio.h>

// What a run has made before it writes.
typedef struct generation {
    arena *arena;
    const command *command;
    const package *package;
    template_set templates;
    const char *directory; // the package's
    const output_file *files;
    size_t count;
} generation;

static int read_package(generation *generation)
{
    const command *command = generation->command;
    diagnostics diagnostics = diagnostics_create(generation->arena);
    const source *root = source_load(generation->arena, &diagnostics, command->schemas[0]);
    if (root != NULL)
        generation->package = schema_read_from(generation->arena, &diagnostics, root, &command->includes);
    advice_give(generation->arena, &diagnostics, generation->package);
    diagnostics_print(&diagnostics, stderr);
    return diagnostics_exit_status(&diagnostics);
}

static int load_templates(generation *generation)
{
    text faults = text_create(generation->arena);
    int status = template_set_load(generation->arena, generation->command->templates, &generation->templates, &faults);
    fputs(faults.bytes, stderr);
    return status;
}

static int render(generation *generation)
{
    text faults = text_create(generation->arena);
    view view = view_create(generation->arena, generation->package);
    generation->directory = output_path(generation->arena, generation->command->directory, generation->package->name);
    generation->files = render_view(generation->arena, &generation->templates, &view, &faults);
    generation->count = view.count;
    fputs(faults.bytes, stderr);
    return generation->files == NULL ? STATUS_SCHEMA : STATUS_DONE;
}

// What the outputs were made from. False where that cannot be told, which has been reported.
static bool render_depfile(const generation *generation, output_file *file)
{
    arena *arena = generation->arena;
    const char **outputs = arena_allocate(arena, generation->count * sizeof *outputs);
    for (size_t i = 0; i < generation->count; i++)
        outputs[i] = output_path(arena, generation->directory, generation->files[i].path);
    text content = text_create(arena), faults = text_create(arena);
    depfile depfile = {outputs,
                       generation->count,
                       generation->package->sources,
                       generation->package->source_count,
                       generation->templates.read_paths,
                       generation->templates.read_count};
    bool is_told = depfile_append(&content, &depfile, &faults);
    fputs(faults.bytes, stderr);
    *file = (output_file){generation->command->depfile, content.bytes, content.size};
    return is_told;
}

static int write_outputs(const generation *generation)
{
    const command *command = generation->command;
    output_file depfile;
    output_request request = {.arena = generation->arena,
                              .directory = generation->directory,
                              .files = generation->files,
                              .count = generation->count,
                              .mode = command->mode,
                              .is_check = command->is_check};
    if (command->depfile != NULL && command->mode == OUTPUT_WRITE) {
        if (!render_depfile(generation, &depfile))
            return STATUS_SYSTEM;
        request.depfile = &depfile;
    }
    output_report report = output_report_create(generation->arena);
    int status = output_write(&request, &report);
    fputs(report.faults.bytes, stderr);
    if (!command->is_quiet)
        fwrite(report.done.bytes, 1, report.done.size, stdout);
    return status;
}

// Each file behind a line with its name, which is a comment like any other of C.
static int print_outputs(const generation *generation)
{
    for (size_t i = 0; i < generation->count; i++) {
        const output_file *file = &generation->files[i];
        printf("%s// ---- %s/%s\n", i == 0 ? "" : "\n", generation->package->name, file->path);
        fwrite(file->bytes, 1, file->size, stdout);
    }
    return STATUS_DONE;
}

int generate_run(arena *arena, const command *command)
{
    generation generation = {.arena = arena, .command = command};
    int status = read_package(&generation);
    int templates_status = load_templates(&generation);
    if (templates_status > status)
        status = templates_status;
    if (status == STATUS_DONE)
        status = render(&generation);
    if (status != STATUS_DONE)
        return status;
    return command->is_stdout ? print_outputs(&generation) : write_outputs(&generation);
}
