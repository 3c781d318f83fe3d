// Command: the command line as one struct.
//
//   kin VERB [FLAG | SCHEMA]...
//
// Flags and schemas (a directory for `init`, a code for `explain`) may be mixed. After `--` nothing is a flag; `-` is a
// schema, standard input. The value of a flag is the next argument, or the rest of the same one: `-oDIR`,
// `--flag=VALUE`.
#ifndef KIN_GENERATOR_VERBS_COMMAND_H
#define KIN_GENERATOR_VERBS_COMMAND_H

#include "generator/base/base.h"
#include "generator/read/read.h"
#include "generator/render/render.h"
#include "generator/source/source.h"

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
    COMMAND_LOCK,
    COMMAND_BREAKING,
    COMMAND_DUMP,
    COMMAND_PACK,
    COMMAND_DIFF,
    COMMAND_INIT,
    COMMAND_EXPLAIN,
    COMMAND_SCHEMA,
    COMMAND_COMPLETION
} command_kind;

typedef struct command {
    command_kind kind;
    const char *help;        // COMMAND_HELP: the text to print
    const char *program;     // argv[0]
    const char *directory;   // -o; COMMAND_DOC, COMMAND_PACK: the file or NULL; COMMAND_INIT: the directory
    const char *depfile;     // --depfile or NULL
    const char *templates;   // --templates or NULL
    schema_folders includes; // every -I
    output_mode mode;        // --diff, --dry-run or --check, in this order of precedence
    bool is_check;           // --check
    bool is_stdout;          // --stdout
    bool is_quiet;           // -q
    bool is_json;            // --json
    bool is_schedule;        // --schedule
    bool is_relations;       // --relations
    bool is_dot;             // --dot
    bool is_info;            // --info
    bool is_hash;            // --hash
    // At least one if the verb takes any, then NULL. COMMAND_EXPLAIN: the codes; COMMAND_COMPLETION: the shell;
    // COMMAND_SCAFFOLD with --check: a schema, then C files; COMMAND_BREAKING: two schemas or locks.
    const char **schemas;
    size_t schema_count;
    diagnostic_options diagnostics; // --max-errors, --diagnostics
} command;

// The fault of a command line, and a hint at the help.
typedef struct command_fault {
    const char *message, *hint;
} command_fault;

typedef struct command_line {
    int count;
    char **arguments; // the first is the program
} command_line;

// Returns false and fills in the fault if the line is invalid. Even then sets the options of the diagnostics as far as
// they can be read.
bool command_parse(arena *arena, command_line line, command *command, command_fault *fault);

#endif
