// Arguments: the command line of kin-inspect.
#ifndef KIN_INSPECT_ARGUMENTS_H
#define KIN_INSPECT_ARGUMENTS_H

#include <stdbool.h>

enum { MOST_WORDS = 8, DONE = 0, REFUSED = 1, USAGE = 2, NO_GAME = 3, NOTHING = 4 };

typedef struct arguments {
    const char *words[MOST_WORDS + 1]; // the command and what follows, without options; NULL behind the last one
    int count;
    const char *context, *fields, *limit, *expect, *explain, *url, *name, *output; // NULL: not given
    const char *component, *entity, *system, *kind;                                // NULL: not given
    long pid;                                                                      // 0: not given
    bool is_json, is_forced, wants_help;
    bool is_none, is_of_systems; // of until; of step and until
    bool is_watched;             // asks again and again
    bool waits, waits_not;       // of pause, hold and until; of until
} arguments;

// Returns false, and says what is wrong, when the command line is none.
bool arguments_parse(arguments *arguments, int count, char **values);

void arguments_print_usage(void);

#endif
