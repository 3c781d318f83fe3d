// Command: the command line, read into what the run is to do.
//
//   kin VERB [FLAG | SCHEMA]...
//
// Flags and schemas (of `init` a directory, of `explain` a code) may be mixed; behind `--` nothing is a flag, and `-` is
// a schema: standard input. A flag's value is the next argument, or follows in the same one: `-oDIR`, `--flag=VALUE`.
#ifndef KIN_GENERATOR_VERBS_COMMAND_H
#define KIN_GENERATOR_VERBS_COMMAND_H

#include "base/arena.h"
#include "diagnostic/diagnostic.h"
#include "output/output.h"
#include "read/read.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum command_kind {
    COMMAND_HELP,
    COMMAND_VERSION,
    COMMAND_GENERATE,
    COMMAND_CHECK,
    COMMAND_LIST,
    COMMAND_DOC,
    COMMAND_SCAFFOLD,
    COMMAND_INIT,
    COMMAND_EXPLAIN,
    COMMAND_SCHEMA,
    COMMAND_COMPLETION
} command_kind;

typedef struct command {
    command_kind kind;
    const char *help;        // COMMAND_HELP: the text to print
    const char *program;     // as it was called
    const char *directory;   // -o; COMMAND_DOC: the file, NULL without; COMMAND_INIT: where to
    const char *depfile;     // --depfile, NULL without
    const char *templates;   // --templates, likewise
    schema_folders includes; // every -I
    output_mode mode;        // --diff, --dry-run, --check: the first of these that was given
    bool is_check;           // --check
    bool is_stdout;          // --stdout
    bool is_quiet;           // -q
    bool is_json;            // --json
    bool is_schedule;        // --schedule
    bool is_dot;             // --dot
    const char *
        *schemas; // at least one where the verb takes any; COMMAND_EXPLAIN: the codes; COMMAND_COMPLETION: the shell
    size_t schema_count;
    diagnostic_options diagnostics; // --max-errors, --diagnostics
} command;

// What is wrong with a command line, and where it says how it would be right.
typedef struct command_fault {
    const char *message, *hint;
} command_fault;

typedef struct command_line {
    int count;
    char **arguments; // the first is the program
} command_line;

// False, with the fault filled in, when the line cannot be read. The options of the diagnostics hold all the same, as
// far as they can be made out.
bool command_parse(arena *arena, command_line line, command *command, command_fault *fault);

#endif
