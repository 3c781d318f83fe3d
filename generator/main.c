// kin: the generator's command.
//
//   source -> tree -> model -> view -> text -> files
//
// Data goes to stdout and messages to stderr. A run writes only after all of it has been read, checked and rendered.
// One arena holds everything that a run makes.
#include "arena.h"
#include "command.h"
#include "depfile.h"
#include "diagnostic.h"
#include "output.h"
#include "render.h"
#include "schema_read.h"
#include "source.h"
#include "status.h"
#include "templates.h"
#include "view.h"

#include <kin/platform.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// NULL when it cannot be read or is wrong, which has been reported.
static const package *read_package(arena *arena, diagnostics *diagnostics, const char *path)
{
    const source *root = source_load(arena, diagnostics, path);
    return root == NULL ? NULL : schema_read(arena, diagnostics, root);
}

static int run_check(arena *arena, const command *command)
{
    diagnostics diagnostics = diagnostics_create(arena);
    for (size_t i = 0; i < command->schema_count; i++)
        read_package(arena, &diagnostics, command->schemas[i]);
    diagnostics_print(&diagnostics, stderr);
    return diagnostics_exit_status(&diagnostics);
}

// What the outputs were made from. False where that cannot be told, which has been reported.
static bool render_depfile(const output_request *request, const package *package, output_file *file)
{
    const char **outputs = arena_allocate(request->arena, request->count * sizeof *outputs);
    for (size_t i = 0; i < request->count; i++)
        outputs[i] = output_path(request->arena, request->directory, request->files[i].path);
    text content = text_create(request->arena), faults = text_create(request->arena);
    depfile depfile = {outputs, request->count, package->sources, package->source_count};
    bool is_told = depfile_append(&content, &depfile, &faults);
    fputs(faults.bytes, stderr);
    file->bytes = content.bytes;
    file->size = content.size;
    return is_told;
}

static int write_package(arena *arena, const command *command, const package *package)
{
    view view = view_create(arena, package);
    text faults = text_create(arena);
    const output_file *files = render_view(arena, &templates_builtin, &view, &faults);
    if (files == NULL) {
        fputs(faults.bytes, stderr);
        return STATUS_SCHEMA;
    }
    output_report report = output_report_create(arena);
    output_file depfile = {.path = command->depfile};
    output_request request = {arena, command->directory, files, view.count, command->is_check, NULL};
    if (command->depfile != NULL && !command->is_check) {
        if (!render_depfile(&request, package, &depfile))
            return STATUS_SYSTEM;
        request.depfile = &depfile;
    }
    int status = output_write(&request, &report);
    fputs(report.faults.bytes, stderr);
    if (!command->is_quiet)
        fputs(report.done.bytes, stdout);
    return status;
}

static int run_generate(arena *arena, const command *command)
{
    diagnostics diagnostics = diagnostics_create(arena);
    const package *package = read_package(arena, &diagnostics, command->schemas[0]);
    diagnostics_print(&diagnostics, stderr);
    int status = diagnostics_exit_status(&diagnostics);
    return status != STATUS_DONE ? status : write_package(arena, command, package);
}

static int run(arena *arena, command_line line)
{
    command command;
    const char *fault = command_parse(arena, line, &command);
    if (fault != NULL) {
        fputs(fault, stderr);
        return STATUS_USAGE;
    }
    switch (command.kind) {
    case COMMAND_HELP:
        fputs(command.help, stdout);
        return STATUS_DONE;
    case COMMAND_VERSION:
        puts("kin " KIN_VERSION);
        return STATUS_DONE;
    case COMMAND_GENERATE:
        return run_generate(arena, &command);
    case COMMAND_CHECK:
        return run_check(arena, &command);
    }
    abort();
}

// A standard stream that the caller closed must not become a file that the run opens. It is given to a descriptor on
// which its use fails.
static void keep_standard_streams(void)
{
    static const int useless[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int descriptor = 0; descriptor < 3; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", useless[descriptor]) != descriptor)
            abort();
}

// What was printed has arrived only when the stream is closed without an error.
static int finish(int status)
{
    bool is_broken = ferror(stdout) != 0;
    const char *reason = fclose(stdout) != 0 ? strerror(errno) : is_broken ? "Input/output error" : NULL;
    if (reason == NULL)
        return status;
    fprintf(stderr, "kin: cannot write to standard output: %s\n", reason);
    return STATUS_SYSTEM;
}

int main(int argc, char **argv)
{
    keep_standard_streams();
    signal(SIGPIPE, SIG_IGN);
    arena arena = {0};
    int status = run(&arena, (command_line){argc, argv});
    arena_release(&arena);
    return finish(status);
}
