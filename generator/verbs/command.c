// Parses the command line, by the tables of verbs and flags.
#include "generator/verbs/verbs.h"

#include "generator/content/content.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- verbs and flags

// The last flags of every verb, and of those that read a schema.
#define HELP_FLAGS                                                                                                     \
    {"--help", FLAG_HELP, NULL}, {"-h", FLAG_HELP, NULL},                                                              \
    {                                                                                                                  \
        0                                                                                                              \
    }
#define SCHEMA_FLAGS                                                                                                   \
    {"--max-errors", FLAG_MAX_ERRORS, "number"}, {"--diagnostics", FLAG_DIAGNOSTICS, "format"}, HELP_FLAGS

static const flag generate_flags[] = {
    {"-o", FLAG_OUTPUT, "directory"},
    {"-I", FLAG_INCLUDE, "directory"},
    {"--depfile", FLAG_DEPFILE, "file"},
    {"--templates", FLAG_TEMPLATES, "directory"},
    {"--template", FLAG_TEMPLATE, "file"},
    {"--face", FLAG_FACE, "face"},
    {"--check", FLAG_CHECK, NULL},
    {"--dry-run", FLAG_DRY_RUN, NULL},
    {"--diff", FLAG_DIFF, NULL},
    {"--stdout", FLAG_STDOUT, NULL},
    {"-q", FLAG_QUIET, NULL},
    SCHEMA_FLAGS,
};

static const flag check_flags[] = {
    {"-I", FLAG_INCLUDE, "directory"},
    {"--stdin-name", FLAG_STDIN_NAME, "file"},
    SCHEMA_FLAGS,
};

static const flag breaking_flags[] = {
    {"-I", FLAG_INCLUDE, "directory"},
    {"--net", FLAG_NET, NULL},
    SCHEMA_FLAGS,
};

static const flag list_flags[] = {
    {"-I", FLAG_INCLUDE, "directory"},   {"--json", FLAG_JSON, NULL},
    {"--schedule", FLAG_SCHEDULE, NULL}, {"--relations", FLAG_RELATIONS, NULL},
    {"--net", FLAG_NET, NULL},           {"--dot", FLAG_DOT, NULL},
    {"--content", FLAG_CONTENT, NULL},   SCHEMA_FLAGS,
};

static const flag scaffold_flags[] = {
    {"-o", FLAG_OUTPUT, "directory"},
    {"-I", FLAG_INCLUDE, "directory"},
    {"--check", FLAG_CHECK, NULL},
    SCHEMA_FLAGS,
};

static const flag lock_flags[] = {
    {"-I", FLAG_INCLUDE, "directory"},
    {"--check", FLAG_CHECK, NULL},
    SCHEMA_FLAGS,
};

static const flag doc_flags[] = {
    {"-o", FLAG_OUTPUT, "file"},
    {"-I", FLAG_INCLUDE, "directory"},
    SCHEMA_FLAGS,
};

static const flag dump_flags[] = {
    {"--info", FLAG_INFO, NULL},
    {"--hash", FLAG_HASH, NULL},
    {"--diagnostics", FLAG_DIAGNOSTICS, "format"},
    HELP_FLAGS,
};

static const flag pack_flags[] = {
    {"-o", FLAG_OUTPUT, "file"},
    {"-I", FLAG_INCLUDE, "directory"},
    SCHEMA_FLAGS,
};

static const flag diff_flags[] = {
    {"--diagnostics", FLAG_DIAGNOSTICS, "format"},
    HELP_FLAGS,
};

static const flag lsp_flags[] = {
    {"-I", FLAG_INCLUDE, "directory"},
    {"--log", FLAG_LOG, "file"},
    HELP_FLAGS,
};

static const flag schema_flags[] = {
    {"--content", FLAG_CONTENT, NULL},
    {"-I", FLAG_INCLUDE, "directory"},
    SCHEMA_FLAGS,
};

static const flag init_flags[] = {
    {"--content", FLAG_CONTENT, NULL},
    {"--face", FLAG_FACE, "face"},
    HELP_FLAGS,
};

// Flags of verbs that read no schema.
static const flag help_flags[] = {HELP_FLAGS};

const verb command_verbs[COMMAND_VERB_COUNT] = {
    {"generate", COMMAND_GENERATE, usage_generate, generate_flags, "schema", "generated"},
    {"check", COMMAND_CHECK, usage_check, check_flags, "schema", NULL},
    {"list", COMMAND_LIST, usage_list, list_flags, "schema", NULL},
    {"doc", COMMAND_DOC, usage_doc, doc_flags, "schema", NULL},
    {"scaffold", COMMAND_SCAFFOLD, usage_scaffold, scaffold_flags, "schema", "systems"},
    {"lock", COMMAND_LOCK, usage_lock, lock_flags, "schema", NULL},
    {"breaking", COMMAND_BREAKING, usage_breaking, breaking_flags, "shape", NULL},
    {"dump", COMMAND_DUMP, usage_dump, dump_flags, "save", NULL},
    {"pack", COMMAND_PACK, usage_pack, pack_flags, "schema", NULL},
    {"diff", COMMAND_DIFF, usage_diff, diff_flags, "save", NULL},
    {"init", COMMAND_INIT, usage_init, init_flags, "directory", NULL},
    {"explain", COMMAND_EXPLAIN, usage_explain, help_flags, "code", NULL},
    {"completion", COMMAND_COMPLETION, usage_completion, help_flags, "shell", NULL},
    {"schema", COMMAND_SCHEMA, usage_schema, schema_flags, "schema", NULL},
    {"lsp", COMMAND_LSP, usage_lsp, lsp_flags, NULL, NULL},
};

// ---- parsing

// The state of reading; `next` is the first argument that has not been read.
typedef struct reader {
    arena *arena;
    command_line line;
    int next;
    const verb *verb; // NULL before the verb is read
    command *command;
} reader;

static const char *hint(const reader *reader)
{
    if (reader->verb == NULL)
        return "Try 'kin --help'.";
    return arena_format(reader->arena, "Try 'kin help %s'.", reader->verb->name);
}

// `what` is the kind of word expected; the search holds the nearest known word.
static const char *unknown(const reader *reader, const char *what, const name_search *search)
{
    if (search->nearest == NULL)
        return arena_format(reader->arena, "unknown %s '%s'", what, search->wanted);
    return arena_format(reader->arena, "unknown %s '%s'; did you mean '%s'?", what, search->wanted, search->nearest);
}

static const char *unknown_word(const reader *reader, const char *word)
{
    if (text_ends_in(word, ".yaml"))
        return arena_format(reader->arena, "unknown verb '%s'; did you mean 'generate %s'?", word, word);
    name_search search = name_search_begin(word);
    for (size_t i = 0; i < COMMAND_VERB_COUNT; i++)
        name_search_offer(&search, command_verbs[i].name);
    name_search_offer(&search, "help");
    name_search_offer(&search, "--help");
    name_search_offer(&search, "--version");
    if (word[0] == '-')
        return unknown(reader, "flag", &search);
    return unknown(reader, "verb", &search);
}

// Sets the reader's verb. Returns the fault, or NULL.
static const char *choose_verb(reader *reader, const char *word)
{
    assert(reader->verb == NULL);
    for (size_t i = 0; i < COMMAND_VERB_COUNT; i++) {
        if (strcmp(command_verbs[i].name, word) != 0)
            continue;
        reader->verb = &command_verbs[i];
        return NULL;
    }
    return unknown_word(reader, word);
}

static bool is_help_flag(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static const char *read_help(reader *reader)
{
    reader->command->kind = COMMAND_HELP;
    reader->command->help = usage_program;
    if (reader->next == reader->line.count)
        return NULL;
    const char *word = reader->line.arguments[reader->next];
    if (strcmp(word, "help") == 0 || is_help_flag(word))
        return NULL;
    const char *fault = choose_verb(reader, word);
    if (reader->verb != NULL)
        reader->command->help = reader->verb->usage;
    return fault;
}

// Whether the argument is this flag, alone or followed by its value.
static bool flag_matches(const flag *flag, const char *argument)
{
    size_t size = strlen(flag->name);
    if (strncmp(argument, flag->name, size) != 0)
        return false;
    if (argument[size] == '\0')
        return true;
    if (flag->name[1] == '-')
        return argument[size] == '=';
    return flag->value != NULL;
}

// The value is the rest of the argument, or the next argument.
static const char *read_value(reader *reader, const flag *flag, const char *argument, const char **value)
{
    assert(flag->value != NULL);
    const char *rest = argument + strlen(flag->name);
    if (*rest == '=' && flag->name[1] == '-')
        rest++;
    else if (*rest == '\0' && reader->next < reader->line.count)
        rest = reader->line.arguments[reader->next++];
    if (*rest == '\0')
        return arena_format(reader->arena, "'%s' requires a %s", flag->name, flag->value);
    *value = rest;
    return NULL;
}

// Accepts at most 9 digits, which cannot overflow.
static const char *read_limit(reader *reader, const flag *flag, const char *argument)
{
    const char *digits = NULL;
    const char *fault = read_value(reader, flag, argument, &digits);
    if (fault != NULL)
        return fault;
    size_t size = strspn(digits, "0123456789");
    if (size > 9 || digits[size] != '\0')
        return arena_format(reader->arena, "'%s' requires a number of at most 9 digits (0: no limit), found '%s'",
                            flag->name, digits);
    reader->command->diagnostics.limit = (size_t)strtoul(digits, NULL, 10);
    return NULL;
}

static const char *read_format(reader *reader, const flag *flag, const char *argument)
{
    const char *format = NULL;
    const char *fault = read_value(reader, flag, argument, &format);
    if (fault != NULL)
        return fault;
    bool is_json = strcmp(format, "json") == 0;
    if (!is_json && strcmp(format, "text") != 0)
        return arena_format(reader->arena, "'%s' requires 'text' or 'json', found '%s'", flag->name, format);
    reader->command->diagnostics.is_json = is_json;
    return NULL;
}

static const char *read_face(reader *reader, const flag *flag, const char *argument)
{
    const char *face = NULL;
    const char *fault = read_value(reader, flag, argument, &face);
    if (fault != NULL)
        return fault;
    if (strcmp(face, "cpp") != 0)
        return arena_format(reader->arena, "'%s' requires 'cpp', found '%s'", flag->name, face);
    reader->command->has_cpp_face = true;
    return NULL;
}

// Reads OUT=FILE.
static const char *read_template(reader *reader, const flag *flag, const char *argument)
{
    const char *given = NULL;
    const char *fault = read_value(reader, flag, argument, &given);
    if (fault != NULL)
        return fault;
    own_templates *own = &reader->command->own;
    size_t size = strcspn(given, "=");
    own_template template = {arena_copy(reader->arena, given, size), given + size + (given[size] == '=')};
    if (given[size] == '\0' || size == 0 || template.source[0] == '\0')
        return arena_format(reader->arena, "'%s' requires OUT=FILE, found '%s'", flag->name, given);
    if (!generated_file_may_be(template.output))
        return arena_format(reader->arena, "'%s' requires the name of a file in the folder of the package, found '%s'",
                            flag->name, template.output);
    for (size_t i = 0; i < own->count; i++)
        if (strcmp(own->templates[i].output, template.output) == 0)
            return arena_format(reader->arena, "'%s' is given twice for '%s'", flag->name, template.output);
    own->templates[own->count++] = template;
    return NULL;
}

static const char *apply_value(reader *reader, const flag *flag, const char *argument)
{
    command *command = reader->command;
    if (flag->kind == FLAG_OUTPUT)
        return read_value(reader, flag, argument, &command->directory);
    if (flag->kind == FLAG_DEPFILE)
        return read_value(reader, flag, argument, &command->depfile);
    if (flag->kind == FLAG_TEMPLATES)
        return read_value(reader, flag, argument, &command->templates);
    if (flag->kind == FLAG_LOG)
        return read_value(reader, flag, argument, &command->log);
    if (flag->kind == FLAG_STDIN_NAME)
        return read_value(reader, flag, argument, &command->stdin_name);
    if (flag->kind == FLAG_TEMPLATE)
        return read_template(reader, flag, argument);
    if (flag->kind == FLAG_FACE)
        return read_face(reader, flag, argument);
    if (flag->kind == FLAG_MAX_ERRORS)
        return read_limit(reader, flag, argument);
    if (flag->kind == FLAG_DIAGNOSTICS)
        return read_format(reader, flag, argument);
    return read_value(reader, flag, argument, &command->includes.paths[command->includes.count++]);
}

static const char *apply_flag(reader *reader, const flag *flag, const char *argument)
{
    assert(reader->verb != NULL && flag_matches(flag, argument));
    command *command = reader->command;
    if (flag->value != NULL)
        return apply_value(reader, flag, argument);
    if (strcmp(argument, flag->name) != 0)
        return arena_format(reader->arena, "'%s' takes no value", flag->name);
    if (flag->kind == FLAG_DIFF)
        command->mode = OUTPUT_DIFF;
    if (flag->kind == FLAG_DRY_RUN && command->mode != OUTPUT_DIFF)
        command->mode = OUTPUT_LIST;
    if (flag->kind == FLAG_CHECK && command->mode == OUTPUT_WRITE)
        command->mode = OUTPUT_CHECK;
    command->is_check = command->is_check || flag->kind == FLAG_CHECK;
    command->is_stdout = command->is_stdout || flag->kind == FLAG_STDOUT;
    command->is_quiet = command->is_quiet || flag->kind == FLAG_QUIET;
    command->is_json = command->is_json || flag->kind == FLAG_JSON;
    command->is_schedule = command->is_schedule || flag->kind == FLAG_SCHEDULE;
    command->is_relations = command->is_relations || flag->kind == FLAG_RELATIONS;
    command->is_content = command->is_content || flag->kind == FLAG_CONTENT;
    command->is_net = command->is_net || flag->kind == FLAG_NET;
    command->is_dot = command->is_dot || flag->kind == FLAG_DOT;
    command->is_info = command->is_info || flag->kind == FLAG_INFO;
    command->is_hash = command->is_hash || flag->kind == FLAG_HASH;
    if (flag->kind == FLAG_HELP)
        command->help = reader->verb->usage;
    return NULL;
}

static const char *read_flag(reader *reader, const char *argument)
{
    assert(reader->verb != NULL && argument[0] == '-');
    name_search search = name_search_begin(argument);
    for (const flag *flag = reader->verb->flags; flag->name != NULL; flag++) {
        if (flag_matches(flag, argument))
            return apply_flag(reader, flag, argument);
        if (flag->name[1] == '-')
            name_search_offer(&search, flag->name);
    }
    return unknown(reader, "flag", &search);
}

static const char *read_arguments(reader *reader)
{
    assert(reader->command->schemas != NULL && reader->command->schema_count == 0);
    bool has_flags = true;
    while (reader->next < reader->line.count) {
        const char *argument = reader->line.arguments[reader->next++];
        const char *fault = NULL;
        if (has_flags && strcmp(argument, "--") == 0)
            has_flags = false;
        else if (has_flags && argument[0] == '-' && argument[1] != '\0')
            fault = read_flag(reader, argument);
        else
            reader->command->schemas[reader->command->schema_count++] = argument;
        if (fault != NULL)
            return fault;
    }
    return NULL;
}

// Returns what is wrong if standard input is read more than once: as one of the words, or as `reads_lines` says.
static const char *find_input_problem(const command *command, bool reads_lines)
{
    size_t count = reads_lines;
    for (size_t i = 0; i < command->schema_count; i++)
        count += strcmp(command->schemas[i], "-") == 0;
    if (count > 1)
        return "reads standard input once";
    return NULL;
}

// Without lines, `pack` reads standard input.
static const char *find_save_problem(const command *command)
{
    bool is_pack = command->kind == COMMAND_PACK;
    if (command->kind == COMMAND_DUMP && command->schema_count != 1)
        return "takes one save";
    if (command->kind == COMMAND_DIFF && command->schema_count != 2)
        return "requires two saves";
    bool has_schema = command->schema_count == 1 || command->schema_count == 2;
    bool has_content = command->schema_count > 2 && content_is_path(command->schemas[1]);
    if (is_pack && !has_schema && !has_content)
        return "requires a schema, and may have a file of lines, or content";
    if (is_pack && command->directory == NULL)
        return "requires '-o FILE'";
    return find_input_problem(command, is_pack && command->schema_count == 1);
}

// Returns what is wrong with the words of a verb that reads no files.
static const char *find_name_problem(const command *command)
{
    bool is_of_content = command->kind == COMMAND_SCHEMA && command->is_content;
    if (is_of_content && command->schema_count == 0)
        return "requires a schema with '--content'";
    bool is_alone = (command->kind == COMMAND_SCHEMA && !is_of_content) || command->kind == COMMAND_LSP;
    if (is_alone && command->schema_count > 0)
        return "takes no arguments";
    if (command->kind == COMMAND_COMPLETION && command->schema_count != 1)
        return "takes one shell: bash, zsh or fish";
    if (command->kind == COMMAND_EXPLAIN && command->schema_count > 1)
        return "takes one code";
    return NULL;
}

// Returns what is wrong with the words that are not flags; NULL if they are valid.
static const char *find_word_problem(const command *command)
{
    bool is_init = command->kind == COMMAND_INIT;
    bool has_empty = false;
    switch (command->kind) {
    case COMMAND_SCHEMA:
    case COMMAND_LSP:
    case COMMAND_COMPLETION:
    case COMMAND_EXPLAIN:
        return find_name_problem(command);
    case COMMAND_DUMP:
    case COMMAND_PACK:
    case COMMAND_DIFF:
        return find_save_problem(command);
    default:
        break;
    }
    for (size_t i = 0; i < command->schema_count; i++)
        has_empty = has_empty || command->schemas[i][0] == '\0';
    if (has_empty && is_init)
        return "requires a directory name that is not empty";
    if (has_empty)
        return "requires a schema path that is not empty";
    if (command->schema_count == 0 && !is_init)
        return "requires a schema";
    if (command->schema_count > 1 && is_init)
        return "takes one directory";
    bool has_files = command->kind == COMMAND_SCAFFOLD && command->is_check;
    if (has_files && command->schema_count < 2)
        return "requires C files after the schema with '--check'";
    if (command->kind == COMMAND_BREAKING && command->schema_count != 2)
        return "requires two schemas or locks, the older one first";
    if (command->kind == COMMAND_BREAKING)
        return find_input_problem(command, false);
    if (command->kind == COMMAND_LOCK && strcmp(command->schemas[0], "-") == 0)
        return "requires a schema file, not standard input: it writes a file beside it";
    bool has_content = command->kind == COMMAND_LOCK;
    for (size_t i = 1; i < command->schema_count; i++)
        has_content = has_content && content_is_path(command->schemas[i]);
    has_files = has_files || command->is_content || has_content;
    if (command->schema_count > 1 && command->kind != COMMAND_CHECK && !has_files)
        return "takes one schema";
    return NULL;
}

// Returns which flags exclude each other; NULL if all go together.
static const char *find_flag_problem(const command *command)
{
    bool has_input = false;
    for (size_t i = 0; i < command->schema_count; i++)
        has_input = has_input || strcmp(command->schemas[i], "-") == 0;
    if (command->stdin_name != NULL && !has_input)
        return "requires '-', standard input, with '--stdin-name'";
    if (command->is_stdout && (command->mode != OUTPUT_WRITE || command->depfile != NULL))
        return "does not allow '--stdout' with '--check', '--dry-run', '--diff' or '--depfile'";
    if (command->is_dot && !command->is_schedule && !command->is_relations)
        return "requires '--schedule' or '--relations' with '--dot'";
    if (command->is_info && command->is_hash)
        return "does not allow '--hash' with '--info', which has it";
    if (command->is_schedule && command->is_relations)
        return "does not allow '--relations' with '--schedule'";
    if (command->is_content && (command->is_json || command->is_schedule || command->is_relations))
        return "does not allow '--json', '--schedule' or '--relations' with '--content'";
    if (command->is_json && command->is_schedule)
        return "does not allow '--schedule' with '--json'; the JSON contains the schedule";
    if (command->is_net && (command->is_schedule || command->is_relations))
        return "does not allow '--schedule' or '--relations' with '--net'";
    if (command->is_json && command->is_net)
        return "does not allow '--net' with '--json'; the JSON contains what is sent";
    if (command->is_json && command->is_relations)
        return "does not allow '--relations' with '--json'; the JSON contains the relations";
    return NULL;
}

static const char *check_words(const reader *reader)
{
    assert(reader->verb != NULL);
    const char *problem = find_word_problem(reader->command);
    if (problem == NULL)
        problem = find_flag_problem(reader->command);
    if (problem == NULL)
        return NULL;
    return arena_format(reader->arena, "'%s' %s", reader->verb->name, problem);
}

static const char *read_verb(reader *reader, const char *word)
{
    command *command = reader->command;
    const char *fault = choose_verb(reader, word);
    if (reader->verb == NULL)
        return fault;
    assert(fault == NULL);
    command->kind = reader->verb->kind;
    command->directory = reader->verb->directory;
    command->schemas = arena_allocate(reader->arena, (size_t)reader->line.count * sizeof *command->schemas);
    command->includes.paths = arena_allocate(reader->arena, (size_t)reader->line.count * sizeof *command->schemas);
    command->own.templates = arena_allocate(reader->arena, (size_t)reader->line.count * sizeof *command->own.templates);
    fault = read_arguments(reader);
    if (fault != NULL)
        return fault;
    if (command->help != NULL) {
        command->kind = COMMAND_HELP;
        return NULL;
    }
    if (command->kind == COMMAND_INIT)
        command->directory = ".";
    if (command->kind == COMMAND_INIT && command->schema_count > 0)
        command->directory = command->schemas[0];
    return check_words(reader);
}

// Finds the output format even if the fault precedes its flag.
static bool asks_for_json(command_line line)
{
    bool is_json = false;
    for (int i = 2; i < line.count && strcmp(line.arguments[i], "--") != 0; i++) {
        const char *argument = line.arguments[i];
        if (strcmp(argument, "--diagnostics") == 0)
            is_json = i + 1 < line.count && strcmp(line.arguments[i + 1], "json") == 0;
        else if (strncmp(argument, "--diagnostics=", strlen("--diagnostics=")) == 0)
            is_json = strcmp(strchr(argument, '=') + 1, "json") == 0;
    }
    return is_json;
}

// Returns the fault, or NULL.
static const char *read_line(reader *reader)
{
    if (reader->line.count < 2)
        return "missing verb";
    const char *word = reader->line.arguments[1];
    if (strcmp(word, "help") == 0)
        return read_help(reader);
    if (is_help_flag(word)) {
        reader->command->help = usage_program;
        return NULL;
    }
    if (strcmp(word, "--version") == 0) {
        reader->command->kind = COMMAND_VERSION;
        return NULL;
    }
    return read_verb(reader, word);
}

bool command_parse(arena *arena, command_line line, command *command, command_fault *fault)
{
    *command = (struct command){.program = "kin", .diagnostics = {.limit = DIAGNOSTIC_LIMIT}};
    if (line.count > 0)
        command->program = line.arguments[0];
    reader reader = {.arena = arena, .line = line, .next = 2, .command = command};
    fault->message = read_line(&reader);
    if (fault->message == NULL)
        return true;
    command->diagnostics.is_json = asks_for_json(line);
    fault->hint = hint(&reader);
    return false;
}
