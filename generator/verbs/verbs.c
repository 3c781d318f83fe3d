#include "verbs/verbs.h"

#include "verbs/usage.h"

static const flag generate_flags[] = {
    {"-o", FLAG_OUTPUT, "directory"},
    {"-I", FLAG_INCLUDE, "directory"},
    {"--depfile", FLAG_DEPFILE, "file"},
    {"--templates", FLAG_TEMPLATES, "directory"},
    {"--check", FLAG_CHECK, NULL},
    {"--dry-run", FLAG_DRY_RUN, NULL},
    {"--diff", FLAG_DIFF, NULL},
    {"--stdout", FLAG_STDOUT, NULL},
    {"-q", FLAG_QUIET, NULL},
    {"--max-errors", FLAG_MAX_ERRORS, "number"},
    {"--diagnostics", FLAG_DIAGNOSTICS, "format"},
    {"--help", FLAG_HELP, NULL},
    {"-h", FLAG_HELP, NULL},
    {0},
};

static const flag check_flags[] = {
    {"-I", FLAG_INCLUDE, "directory"},
    {"--max-errors", FLAG_MAX_ERRORS, "number"},
    {"--diagnostics", FLAG_DIAGNOSTICS, "format"},
    {"--help", FLAG_HELP, NULL},
    {"-h", FLAG_HELP, NULL},
    {0},
};

static const flag list_flags[] = {
    {"-I", FLAG_INCLUDE, "directory"},
    {"--json", FLAG_JSON, NULL},
    {"--schedule", FLAG_SCHEDULE, NULL},
    {"--relations", FLAG_RELATIONS, NULL},
    {"--dot", FLAG_DOT, NULL},
    {"--max-errors", FLAG_MAX_ERRORS, "number"},
    {"--diagnostics", FLAG_DIAGNOSTICS, "format"},
    {"--help", FLAG_HELP, NULL},
    {"-h", FLAG_HELP, NULL},
    {0},
};

static const flag scaffold_flags[] = {
    {"-o", FLAG_OUTPUT, "directory"},
    {"-I", FLAG_INCLUDE, "directory"},
    {"--check", FLAG_CHECK, NULL},
    {"--max-errors", FLAG_MAX_ERRORS, "number"},
    {"--diagnostics", FLAG_DIAGNOSTICS, "format"},
    {"--help", FLAG_HELP, NULL},
    {"-h", FLAG_HELP, NULL},
    {0},
};

static const flag lock_flags[] = {
    {"-I", FLAG_INCLUDE, "directory"},
    {"--check", FLAG_CHECK, NULL},
    {"--max-errors", FLAG_MAX_ERRORS, "number"},
    {"--diagnostics", FLAG_DIAGNOSTICS, "format"},
    {"--help", FLAG_HELP, NULL},
    {"-h", FLAG_HELP, NULL},
    {0},
};

static const flag doc_flags[] = {
    {"-o", FLAG_OUTPUT, "file"},
    {"-I", FLAG_INCLUDE, "directory"},
    {"--max-errors", FLAG_MAX_ERRORS, "number"},
    {"--diagnostics", FLAG_DIAGNOSTICS, "format"},
    {"--help", FLAG_HELP, NULL},
    {"-h", FLAG_HELP, NULL},
    {0},
};

static const flag dump_flags[] = {
    {"--info", FLAG_INFO, NULL}, {"--hash", FLAG_HASH, NULL}, {"--diagnostics", FLAG_DIAGNOSTICS, "format"},
    {"--help", FLAG_HELP, NULL}, {"-h", FLAG_HELP, NULL},     {0},
};

static const flag pack_flags[] = {
    {"-o", FLAG_OUTPUT, "file"},
    {"-I", FLAG_INCLUDE, "directory"},
    {"--max-errors", FLAG_MAX_ERRORS, "number"},
    {"--diagnostics", FLAG_DIAGNOSTICS, "format"},
    {"--help", FLAG_HELP, NULL},
    {"-h", FLAG_HELP, NULL},
    {0},
};

static const flag diff_flags[] = {
    {"--diagnostics", FLAG_DIAGNOSTICS, "format"},
    {"--help", FLAG_HELP, NULL},
    {"-h", FLAG_HELP, NULL},
    {0},
};

// Flags of verbs that read no schema.
static const flag help_flags[] = {{"--help", FLAG_HELP, NULL}, {"-h", FLAG_HELP, NULL}, {0}};

const verb command_verbs[COMMAND_VERB_COUNT] = {
    {"generate", COMMAND_GENERATE, usage_generate, generate_flags, "schema", "generated"},
    {"check", COMMAND_CHECK, usage_check, check_flags, "schema", NULL},
    {"list", COMMAND_LIST, usage_list, list_flags, "schema", NULL},
    {"doc", COMMAND_DOC, usage_doc, doc_flags, "schema", NULL},
    {"scaffold", COMMAND_SCAFFOLD, usage_scaffold, scaffold_flags, "schema", "systems"},
    {"lock", COMMAND_LOCK, usage_lock, lock_flags, "schema", NULL},
    {"breaking", COMMAND_BREAKING, usage_breaking, check_flags, "shape", NULL},
    {"dump", COMMAND_DUMP, usage_dump, dump_flags, "save", NULL},
    {"pack", COMMAND_PACK, usage_pack, pack_flags, "schema", NULL},
    {"diff", COMMAND_DIFF, usage_diff, diff_flags, "save", NULL},
    {"init", COMMAND_INIT, usage_init, help_flags, "directory", NULL},
    {"explain", COMMAND_EXPLAIN, usage_explain, help_flags, "code", NULL},
    {"completion", COMMAND_COMPLETION, usage_completion, help_flags, "shell", NULL},
    {"schema", COMMAND_SCHEMA, usage_schema, help_flags, NULL, NULL},
};
