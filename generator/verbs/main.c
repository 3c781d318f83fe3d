// kin: the generator's command.
//
//   source -> tree -> model -> view -> text -> files
//
// Data goes to stdout and messages to stderr. A run writes only after everything is read, checked and rendered.
// One arena holds all memory of a run.
#include "generator/verbs/verbs.h"

#include "generator/base/base.h"
#include "generator/describe/describe.h"
#include "generator/evolve/evolve.h"
#include "generator/lsp/lsp.h"
#include "generator/read/read.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <kin/platform.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Returns the path of a schema of the command line. Standard input that has a name is the text of that file.
static const char *path_of(const command *command, size_t index)
{
    const char *path = command->schemas[index];
    if (command->stdin_name != NULL && strcmp(path, "-") == 0)
        return command->stdin_name;
    return path;
}

static int run_check(arena *arena, const command *command)
{
    diagnostics diagnostics = command_diagnostics(arena, command);
    if (command->stdin_name != NULL)
        diagnostics.overlays = source_read_input(arena, &diagnostics, command->stdin_name);
    bool has_input = command->stdin_name == NULL || diagnostics.overlays != NULL;
    for (size_t i = 0; has_input && i < command->schema_count; i++) {
        const source *root = source_load(arena, &diagnostics, path_of(command, i));
        package *package = NULL;
        if (root != NULL)
            package = package_read_from(arena, &diagnostics, root, &command->includes);
        if (package != NULL)
            evolve_apply(arena, &diagnostics, package);
        if (root != NULL)
            advice_give(arena, &diagnostics, package);
        size_t content = content_count_paths(command, i + 1);
        if (package != NULL && content > 0)
            content_check(arena, &diagnostics, package, command->schemas + i + 1, content);
        i += content;
    }
    diagnostics_print(&diagnostics, stderr);
    return diagnostics_exit_status(&diagnostics);
}

static void append_list(text *out, const command *command, const package *package)
{
    assert(!command->is_schedule || !command->is_relations);
    assert(!command->is_dot || command->is_schedule || command->is_relations);
    if (command->is_schedule && command->is_dot)
        list_append_dot(out, package);
    else if (command->is_schedule)
        list_append_schedule(out, package);
    else if (command->is_relations && command->is_dot)
        list_append_relations_dot(out, package);
    else if (command->is_relations)
        list_append_relations(out, package);
    else if (command->is_net)
        list_append_net(out, package);
    else
        list_append_tables(out, package);
}

static int run_list(arena *arena, const command *command)
{
    if (command->is_content)
        return content_show(arena, command);
    assert(command->schema_count == 1);
    diagnostics diagnostics = command_diagnostics(arena, command);
    const package *package = NULL;
    const source *root = source_load(arena, &diagnostics, command->schemas[0]);
    if (root != NULL)
        package = package_read_known(arena, &diagnostics, root, &command->includes);
    diagnostics_print(&diagnostics, stderr);
    int status = diagnostics_exit_status(&diagnostics);
    text out = text_create(arena);
    if (package != NULL && command->is_json)
        list_append_json(&out, package, &diagnostics);
    else if (status == STATUS_DONE)
        append_list(&out, command, package);
    fputs(out.bytes, stdout);
    return status;
}

static int run_schema(arena *arena, const command *command)
{
    if (command->is_content)
        return content_show(arena, command);
    text out = text_create(arena);
    language_append_schema(&out, language_values);
    fputs(out.bytes, stdout);
    return STATUS_DONE;
}

static int run_lsp(arena *arena, const command *command)
{
    return lsp_run(arena, &command->includes, command->log);
}

// In text output a fault of the command line is not a diagnostic: it has no place and needs no explanation.
static int report_fault(arena *arena, const command *command, command_fault fault)
{
    assert(fault.message != NULL && fault.hint != NULL);
    if (!command->diagnostics.is_json) {
        fprintf(stderr, "kin: %s\n%s\n", text_escaped(arena, fault.message), fault.hint);
        return STATUS_USAGE;
    }
    diagnostics diagnostics = command_diagnostics(arena, command);
    diagnostic_system_error(&diagnostics, CODE_USAGE, "%s", fault.message);
    diagnostic_note(&diagnostics, (span){0}, "%s", fault.hint);
    diagnostics_print(&diagnostics, stderr);
    return STATUS_USAGE;
}

static int run_help(arena *arena, const command *command)
{
    assert(command->help != NULL);
    (void)arena;
    fputs(command->help, stdout);
    return STATUS_DONE;
}

static int run_version(arena *arena, const command *command)
{
    (void)arena;
    (void)command;
    fputs("kin " KIN_VERSION "\n", stdout);
    return STATUS_DONE;
}

typedef int verb_function(arena *arena, const command *command);

static verb_function *const verbs[] = {
    [COMMAND_HELP] = run_help,         [COMMAND_VERSION] = run_version,
    [COMMAND_GENERATE] = generate_run, [COMMAND_CHECK] = run_check,
    [COMMAND_LIST] = run_list,         [COMMAND_DOC] = doc_run,
    [COMMAND_SCAFFOLD] = scaffold_run, [COMMAND_LOCK] = lock_run,
    [COMMAND_BREAKING] = breaking_run, [COMMAND_DUMP] = dump_run,
    [COMMAND_PACK] = pack_run,         [COMMAND_DIFF] = diff_run,
    [COMMAND_INIT] = init_run,         [COMMAND_EXPLAIN] = explain_run,
    [COMMAND_SCHEMA] = run_schema,     [COMMAND_COMPLETION] = completion_run,
    [COMMAND_LSP] = run_lsp,
};

// A file that the run opens must not take the descriptor of a standard stream that the caller closed. Such a stream is
// opened on /dev/null so that its use fails.
static void keep_standard_streams(void)
{
    static const int useless[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int descriptor = 0; descriptor < 3; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", useless[descriptor]) != descriptor)
            abort();
}

static diagnostic_options options;

// Must not allocate memory.
static void give_up(size_t size)
{
    static const char message[] = "out of memory";
    const char *plural = text_if(size != 1, "s");
    if (options.is_json)
        fprintf(stderr,
                "{\"code\": \"K%04d\", \"severity\": \"error\", \"message\": \"%s (%zu byte%s); nothing was written\", "
                "\"file\": null, \"line\": null, \"column\": null, \"end\": null, \"notes\": [], \"fix\": null}\n",
                CODE_NO_MEMORY, message, size, plural);
    else
        fprintf(stderr, "kin: error: %s (%zu byte%s); nothing was written [K%04d]\n", message, size, plural,
                CODE_NO_MEMORY);
}

// Output is complete only if the stream is closed without an error.
static int finish(arena *arena, int status)
{
    const char *reason = NULL;
    if (ferror(stdout) != 0)
        reason = "Input/output error";
    if (fclose(stdout) != 0)
        reason = strerror(errno);
    if (reason == NULL)
        return status;
    diagnostics diagnostics = diagnostics_create(arena);
    diagnostics.options = options;
    diagnostic_system_error(&diagnostics, CODE_STANDARD_OUTPUT, "cannot write to standard output: %s", reason);
    diagnostics_print(&diagnostics, stderr);
    return STATUS_SYSTEM;
}

// Whether the descriptor is a terminal with colours, and NO_COLOR is not set or empty.
static bool has_colours(int descriptor)
{
    const char *refused = getenv("NO_COLOR");
    const char *kind = getenv("TERM");
    bool is_refused = refused != NULL && refused[0] != '\0';
    return !is_refused && (kind == NULL || strcmp(kind, "dumb") != 0) && isatty(descriptor);
}

int main(int argc, char **argv)
{
    keep_standard_streams();
    if (inspect_is_asked(argc, argv))
        return inspect_run(argv);
    signal(SIGPIPE, SIG_IGN);
    arena arena = {.give_up = give_up};
    command command;
    command_fault fault;
    bool is_read = command_parse(&arena, (command_line){argc, argv}, &command, &fault);
    command.diagnostics.is_coloured = has_colours(STDERR_FILENO);
    options = command.diagnostics;
    int status = STATUS_DONE;
    if (is_read)
        status = verbs[command.kind](&arena, &command);
    else
        status = report_fault(&arena, &command, fault);
    status = finish(&arena, status);
    arena_release(&arena);
    return status;
}
