#include "command.h"

#include "names.h"
#include "usage.h"

#include <string.h>

typedef enum flag_kind {
    FLAG_HELP,
    FLAG_OUTPUT,
    FLAG_INCLUDE,
    FLAG_DEPFILE,
    FLAG_TEMPLATES,
    FLAG_CHECK,
    FLAG_DRY_RUN,
    FLAG_DIFF,
    FLAG_STDOUT,
    FLAG_QUIET,
    FLAG_LATER
} flag_kind;

typedef struct flag {
    const char *name;
    flag_kind kind;
    const char *value; // what the value is; NULL: it takes none
} flag;

typedef struct verb {
    const char *name;
    command_kind kind;
    const char *usage; // NULL: not supported yet
    const flag *flags; // the last has no name
} verb;

static const flag generate_flags[] = {
    {"-o", FLAG_OUTPUT, "directory"},
    {"-I", FLAG_INCLUDE, "directory"},
    {"--depfile", FLAG_DEPFILE, "file"},
    {"--templates", FLAG_TEMPLATES, "directory"},
    {"--check", FLAG_CHECK, NULL},
    {"--dry-run", FLAG_DRY_RUN, NULL},
    {"--diff", FLAG_DIFF, NULL},
    {"--stdout", FLAG_STDOUT, NULL},
    {"--diagnostics", FLAG_LATER, "format"},
    {"-q", FLAG_QUIET, NULL},
    {"--help", FLAG_HELP, NULL},
    {"-h", FLAG_HELP, NULL},
    {0},
};

static const flag check_flags[] = {
    {"-I", FLAG_INCLUDE, "directory"},
    {"--help", FLAG_HELP, NULL},
    {"-h", FLAG_HELP, NULL},
    {0},
};

static const verb verbs[] = {
    {"generate", COMMAND_GENERATE, usage_generate, generate_flags},
    {"check", COMMAND_CHECK, usage_check, check_flags},
    {"list", COMMAND_HELP, NULL, NULL},
    {"init", COMMAND_HELP, NULL, NULL},
};

enum { VERB_COUNT = sizeof verbs / sizeof *verbs };

// What is being read: `next` is the first argument that was not.
typedef struct reader {
    arena *arena;
    command_line line;
    int next;
    const verb *verb; // NULL before it was read
    command *command;
} reader;

static const char *hint(const reader *reader)
{
    if (reader->verb == NULL)
        return "Try 'kin --help'.";
    return arena_format(reader->arena, "Try 'kin help %s'.", reader->verb->name);
}

static const char *not_supported(const reader *reader, const char *name)
{
    return arena_format(reader->arena, "kin: '%s' is not supported yet\n%s\n", name, hint(reader));
}

// `what` says what the word was taken for; the search has been offered what it might have been.
static const char *unknown(const reader *reader, const char *what, const name_search *search)
{
    if (search->nearest == NULL)
        return arena_format(reader->arena, "kin: unknown %s '%s'\n%s\n", what, search->wanted, hint(reader));
    return arena_format(reader->arena, "kin: unknown %s '%s'; did you mean '%s'?\n%s\n", what, search->wanted,
                        search->nearest, hint(reader));
}

static const char *unknown_word(const reader *reader, const char *word)
{
    name_search search = name_search_begin(word);
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (verbs[i].usage != NULL)
            name_search_offer(&search, verbs[i].name);
    name_search_offer(&search, "help");
    name_search_offer(&search, "--help");
    name_search_offer(&search, "--version");
    return unknown(reader, word[0] == '-' ? "flag" : "verb", &search);
}

// Sets the reader's verb, or returns why there is none.
static const char *choose_verb(reader *reader, const char *word)
{
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (strcmp(verbs[i].name, word) != 0)
            continue;
        if (verbs[i].usage == NULL)
            return not_supported(reader, word);
        reader->verb = &verbs[i];
        return NULL;
    }
    return unknown_word(reader, word);
}

static const char *read_help(reader *reader)
{
    reader->command->kind = COMMAND_HELP;
    reader->command->help = usage_program;
    if (reader->next == reader->line.count)
        return NULL;
    const char *fault = choose_verb(reader, reader->line.arguments[reader->next]);
    if (reader->verb != NULL)
        reader->command->help = reader->verb->usage;
    return fault;
}

// Whether the argument is this flag, alone or with its value behind it.
static bool flag_matches(const flag *flag, const char *argument)
{
    size_t size = strlen(flag->name);
    if (strncmp(argument, flag->name, size) != 0)
        return false;
    bool is_long = flag->name[1] == '-';
    return argument[size] == '\0' || (is_long ? argument[size] == '=' : flag->value != NULL);
}

// The value is what follows in the same argument, or the next one.
static const char *read_value(reader *reader, const flag *flag, const char *argument, const char **value)
{
    const char *rest = argument + strlen(flag->name);
    if (*rest == '=' && flag->name[1] == '-')
        rest++;
    else if (*rest == '\0' && reader->next < reader->line.count)
        rest = reader->line.arguments[reader->next++];
    if (*rest == '\0')
        return arena_format(reader->arena, "kin: '%s' needs a %s\n%s\n", flag->name, flag->value, hint(reader));
    *value = rest;
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
    return read_value(reader, flag, argument, &command->includes.paths[command->includes.count++]);
}

static const char *apply_flag(reader *reader, const flag *flag, const char *argument)
{
    command *command = reader->command;
    if (flag->kind == FLAG_LATER)
        return not_supported(reader, flag->name);
    if (flag->value != NULL)
        return apply_value(reader, flag, argument);
    if (strcmp(argument, flag->name) != 0)
        return arena_format(reader->arena, "kin: '%s' takes no value\n%s\n", flag->name, hint(reader));
    if (flag->kind == FLAG_DIFF)
        command->mode = OUTPUT_DIFF;
    if (flag->kind == FLAG_DRY_RUN && command->mode != OUTPUT_DIFF)
        command->mode = OUTPUT_LIST;
    if (flag->kind == FLAG_CHECK && command->mode == OUTPUT_WRITE)
        command->mode = OUTPUT_CHECK;
    command->is_check = command->is_check || flag->kind == FLAG_CHECK;
    command->is_stdout = command->is_stdout || flag->kind == FLAG_STDOUT;
    command->is_quiet = command->is_quiet || flag->kind == FLAG_QUIET;
    if (flag->kind == FLAG_HELP)
        command->help = reader->verb->usage;
    return NULL;
}

static const char *read_flag(reader *reader, const char *argument)
{
    name_search search = name_search_begin(argument);
    for (const flag *flag = reader->verb->flags; flag->name != NULL; flag++) {
        if (flag_matches(flag, argument))
            return apply_flag(reader, flag, argument);
        if (flag->kind != FLAG_LATER && flag->name[1] == '-')
            name_search_offer(&search, flag->name);
    }
    return unknown(reader, "flag", &search);
}

static const char *read_arguments(reader *reader)
{
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

static const char *check_schemas(const reader *reader)
{
    const command *command = reader->command;
    const char *problem = NULL;
    if (command->schema_count == 0)
        problem = "needs a schema";
    else if (command->schema_count > 1 && command->kind == COMMAND_GENERATE)
        problem = "takes one schema";
    else if (command->is_stdout && (command->mode != OUTPUT_WRITE || command->depfile != NULL))
        problem = "writes no files with '--stdout': leave out '--check', '--dry-run', '--diff' and '--depfile'";
    for (size_t i = 0; i < command->schema_count; i++)
        if (command->schemas[i][0] == '\0')
            problem = "cannot read a schema without a name";
    if (problem == NULL)
        return NULL;
    return arena_format(reader->arena, "kin: '%s' %s\n%s\n", reader->verb->name, problem, hint(reader));
}

static const char *read_verb(reader *reader, const char *word)
{
    command *command = reader->command;
    const char *fault = choose_verb(reader, word);
    if (reader->verb == NULL)
        return fault;
    command->kind = reader->verb->kind;
    command->directory = "generated";
    command->schemas = arena_allocate(reader->arena, (size_t)reader->line.count * sizeof *command->schemas);
    command->includes.paths = arena_allocate(reader->arena, (size_t)reader->line.count * sizeof *command->schemas);
    fault = read_arguments(reader);
    if (fault != NULL)
        return fault;
    if (command->help == NULL)
        return check_schemas(reader);
    command->kind = COMMAND_HELP;
    return NULL;
}

const char *command_parse(arena *arena, command_line line, command *command)
{
    *command = (struct command){0};
    reader reader = {.arena = arena, .line = line, .next = 2, .command = command};
    if (line.count < 2)
        return arena_format(arena, "kin: what is there to do?\n%s\n", hint(&reader));
    const char *word = line.arguments[1];
    if (strcmp(word, "help") == 0)
        return read_help(&reader);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        command->help = usage_program;
        return NULL;
    }
    if (strcmp(word, "--version") == 0) {
        command->kind = COMMAND_VERSION;
        return NULL;
    }
    return read_verb(&reader, word);
}
