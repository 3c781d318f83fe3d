// Follow: records of a game as they come: messages, refused calls and the journal.
#ifndef KIN_INSPECT_FOLLOW_H
#define KIN_INSPECT_FOLLOW_H

#include "command/arguments.h"

#include <jansson.h>

typedef struct followed {
    const char *method;         // whose answers have `next` for `after`
    const char *rows;           // the member with the records
    const char *const *columns; // up to NULL
} followed;

// Shows the records that are there. Where the game has only begun to record, those of one second; with the option
// --follow all that come until the game ends, whose status is NO_GAME. `parameters` is taken over.
int follow_run(const arguments *arguments, const followed *followed, json_t *parameters);

#endif
