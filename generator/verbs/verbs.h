// The verbs of the command, and the flags that each of them takes.
//
// A flag begins with one hyphen or two. The list of a verb's flags ends with a flag without a name.
#ifndef KIN_GENERATOR_VERBS_H
#define KIN_GENERATOR_VERBS_H

#include "verbs/command.h"

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
    FLAG_JSON,
    FLAG_SCHEDULE,
    FLAG_RELATIONS,
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

enum { COMMAND_VERB_COUNT = 14 };

extern const verb command_verbs[COMMAND_VERB_COUNT];

#endif
