// Records: messages and refused calls of a game as they come.
#ifndef KIN_INSPECT_RECORDS_H
#define KIN_INSPECT_RECORDS_H

#include "command/arguments.h"

#include <jansson.h>

typedef struct followed {
    const char *method;         // whose answers have `next` for `after`
    const char *rows;           // the member with the records
    const char *const *columns; // up to NULL
} followed;

// Shows the records that are there. Where the game has only begun to record, those of one second; with the option
// --watch all that come until the game ends, whose status is NO_GAME. `parameters` is taken over.
int records_run(const arguments *arguments, const followed *followed, json_t *parameters);

#endif
