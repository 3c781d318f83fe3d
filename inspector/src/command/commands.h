// Commands: what kin-inspect can ask for by a word, and the parameters that the command line gives.
#ifndef KIN_INSPECT_COMMANDS_H
#define KIN_INSPECT_COMMANDS_H

#include "command/arguments.h"

#include <jansson.h>

// A command: a method, what its words are, and what is shown of the result.
typedef struct command {
    const char *name, *method;
    const char *words[3];    // the parameters that follow; `?` in front: may be left out; `=`: a value of JSON
    const char *rows;        // the member that is shown as a table; NULL: the whole result
    const char *columns[10]; // of the table
    bool has_context;
} command;

// Returns the command of a name; NULL: there is none.
const command *commands_find(const char *name);

// The command `get` with the option --explain.
extern const command commands_explain;

// Reads words and options of the command line. Returns false, and says so, when there are too few words or too many.
bool commands_read(const arguments *arguments, const command *command, json_t *parameters);

#endif
