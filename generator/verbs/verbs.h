// verbs: the command line of kin, and one function for each verb
//
// Owns the run: calls the rooms above from top to bottom. main.c is the entry point.
#ifndef KIN_GENERATOR_VERBS_H
#define KIN_GENERATOR_VERBS_H

#include "generator/base/base.h"
#include "generator/read/read.h"
#include "generator/render/render.h"
#include "generator/source/source.h"

#include <stdbool.h>
#include <stddef.h>

// ---- command
//
// The command line as one struct.
//
//   kin VERB [FLAG | SCHEMA]...
//
// Flags and schemas (a directory for `init`, a code for `explain`) may be mixed. After `--` nothing is a flag; `-` is a
// schema, standard input. The value of a flag is the next argument, or the rest of the same one: `-oDIR`,
// `--flag=VALUE`.

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
    COMMAND_LSP,
    COMMAND_COMPLETION
} command_kind;

typedef struct command {
    command_kind kind;
    const char *help;        // COMMAND_HELP: the text to print
    const char *program;     // argv[0]
    const char *directory;   // -o; COMMAND_DOC, COMMAND_PACK: the file or NULL; COMMAND_INIT: the directory
    const char *depfile;     // --depfile or NULL
    const char *templates;   // --templates or NULL
    const char *stdin_name;  // --stdin-name or NULL
    const char *log;         // --log or NULL
    own_templates own;       // every --template
    bool has_cpp_face;       // --face cpp
    schema_folders includes; // every -I
    output_mode mode;        // --diff, --dry-run or --check, in this order of precedence
    bool is_check;           // --check
    bool is_stdout;          // --stdout
    bool is_quiet;           // -q
    bool is_json;            // --json
    bool is_schedule;        // --schedule
    bool is_relations;       // --relations
    bool is_content;         // --content
    bool is_net;             // --net
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

// ---- verbs
//
// The verbs of the command, and the flags that each of them takes.
//
// A flag begins with one hyphen or two. The list of a verb's flags ends with a flag without a name.

typedef enum flag_kind {
    FLAG_HELP,
    FLAG_OUTPUT,
    FLAG_INCLUDE,
    FLAG_DEPFILE,
    FLAG_TEMPLATES,
    FLAG_STDIN_NAME,
    FLAG_LOG,
    FLAG_TEMPLATE,
    FLAG_FACE,
    FLAG_CHECK,
    FLAG_DRY_RUN,
    FLAG_DIFF,
    FLAG_STDOUT,
    FLAG_QUIET,
    FLAG_JSON,
    FLAG_SCHEDULE,
    FLAG_RELATIONS,
    FLAG_CONTENT,
    FLAG_NET,
    FLAG_DOT,
    FLAG_INFO,
    FLAG_HASH,
    FLAG_MAX_ERRORS,
    FLAG_DIAGNOSTICS
} flag_kind;

typedef struct flag {
    const char *name;
    flag_kind kind;
    const char *value; // kind of value; NULL: takes none
} flag;

typedef struct verb {
    const char *name;
    command_kind kind;
    const char *usage;
    const flag *flags;     // the last has no name
    const char *argument;  // kind of its arguments; NULL: takes none
    const char *directory; // default of -o; NULL: none
} verb;

enum { COMMAND_VERB_COUNT = 15 };

extern const verb command_verbs[COMMAND_VERB_COUNT];

// ---- usage
//
// The texts that `--help` and `help` print.
//
// Each begins with the synopsis and ends with a line break.

extern const char usage_program[];
extern const char usage_generate[];
extern const char usage_check[];
extern const char usage_list[];
extern const char usage_doc[];
extern const char usage_scaffold[];
extern const char usage_lock[];
extern const char usage_breaking[];
extern const char usage_dump[];
extern const char usage_pack[];
extern const char usage_diff[];
extern const char usage_init[];
extern const char usage_explain[];
extern const char usage_schema[];
extern const char usage_lsp[];
extern const char usage_completion[];

// ---- parts of verbs

// Returns no diagnostics yet, with the options of the command.
diagnostics command_diagnostics(arena *arena, const command *command);

// Returns a rendered template of the program itself, which cannot fail.
text command_render(arena *arena, const mustache_library *library, const char *template_name, const value *data);

// Returns the path of a file in a directory; the name alone in the current one.
const char *command_path(arena *arena, const char *directory, const char *name);

// ---- scaffold check
//
// `kin scaffold --check SCHEMA FILE...`, the functions of systems that no file defines.

// Prints the signature of each function that `stubs` define and none of the files does. Returns the exit status:
// STATUS_SCHEMA if a function is missing, STATUS_SYSTEM after reporting a file that cannot be read.
int scaffold_check(arena *arena, diagnostics *diagnostics, const char *const *paths, const text *stubs,
                   size_t stub_count);

// ---- breaking
//
// `kin breaking`, which tells what saves of one version of a package lose in another.

// Prints every loss, and a summary. Returns the exit status.
int breaking_run(arena *arena, const command *command);

// ---- completion
//
// `kin completion`, a script by which a shell completes the command line of kin.
//
// The scripts are rendered from templates/completion/ with the tables of verbs and flags.

// Prints the script for the shell of the command. Returns the exit status.
int completion_run(arena *arena, const command *command);

// ---- content
//
// What the verbs do with content files, which follow the schema that they are of, and with packs of content.

struct kin__pack;
struct content_lock;

// Returns how many of the arguments from `first` on are folders or files of content.
size_t content_count_paths(const command *command, size_t first);

// Compiles content against a package. NULL after reporting errors.
struct kin__pack *content_check(arena *arena, diagnostics *diagnostics, const package *package,
                                const char *const *paths, size_t count);

// Makes the lock of content. False after reporting errors.
bool content_lock_of(arena *arena, diagnostics *diagnostics, const package *package, const command *command,
                     struct content_lock *lock);

// Each returns the exit status: `pack` for content, `list --content` and `schema --content`, and `dump` and `diff` for
// packs of content.
int content_pack(arena *arena, diagnostics *diagnostics, const package *package, const command *command);
int content_show(arena *arena, const command *command);
int content_dump(arena *arena, diagnostics *diagnostics, const char *path);
int content_diff(arena *arena, diagnostics *diagnostics, const char *const *paths);

// ---- diff
//
// `kin diff`, which lists what differs between two saves.

// Returns the exit status.
int diff_run(arena *arena, const command *command);

// ---- doc
//
// `kin doc`, a Markdown page about a package: types, components with their fields, the groups, indices, events and
// blueprints of each context, messages, and the systems in execution order.
//
// The page is rendered from templates/doc/ with view_doc. Docs of the schema are Markdown. A file is written as a whole
// or not at all, and never replaces a file that kin doc did not write.

// Prints the page or the errors. Returns the exit status.
int doc_run(arena *arena, const command *command);

// ---- dump
//
// `kin dump`, which prints a save as lines of JSON.

// Returns the exit status.
int dump_run(arena *arena, const command *command);

// ---- explain
//
// What the codes of diagnostics mean, for `kin explain`.
//
// Each code has a title (source/codes.h) and a text in source/explanations/, which is compiled into the
// program: the fault, the reason, the fix, and an example.

// Prints the explanation of the code, or all codes with their titles if none is given. Returns the exit status.
int explain_run(arena *arena, const command *command);

// ---- generate
//
// `kin generate`, from a schema to its outputs.

// Prints the report and the errors. Returns the exit status.
int generate_run(arena *arena, const command *command);

// ---- init
//
// `kin init`, a small project that builds and runs at once.
//
// The files are rendered from templates/init/. All are written or none: an existing file stops the run before the first
// one is written, and if a file cannot be written, those before it are removed. An existing .gitignore or
// .vscode/extensions.json is kept.

// Prints the created files or the errors. Returns the exit status.
int init_run(arena *arena, const command *command);

// Returns the package name for a folder: its name in snake_case, with "my_" before it if that is not a valid package
// name, or "my_game" if neither is.
const char *init_package_name(arena *arena, const char *folder, bool has_content);

// ---- inspect
//
// `kin inspect …`, which runs kin-inspect from beside kin. It is a program of its own, so that kin needs no
// library for it.

// Returns whether the command line is one for kin-inspect.
bool inspect_is_asked(int count, char **arguments);

// Runs kin-inspect with the arguments that follow `inspect`. Returns a status only if that fails.
int inspect_run(char **arguments);

// ---- lock
//
// `kin lock`, which writes down what saves may have from now on.
//
// The lock is written as a whole or not at all. It is only ever extended: a run that would lose something fails.

// Prints a summary or the errors. Returns the exit status.
int lock_run(arena *arena, const command *command);

// ---- pack
//
// `kin pack`, which makes a save from lines of JSON.

// Returns the exit status.
int pack_run(arena *arena, const command *command);

// ---- scaffold
//
// `kin scaffold [-o DIR] SCHEMA`, stub files for systems and functions of indices; `kin scaffold --check
// SCHEMA FILE...` lists the functions that the files do not define.
//
// A file is written once, with empty functions that compile. After that it belongs to the user: an existing file is
// never changed, whatever it or the schema contains.

// Returns the exit status.
int scaffold_run(arena *arena, const command *command);

#endif
