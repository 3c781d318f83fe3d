// Records: messages, refused calls and journals of a game as they come.
#ifndef KIN_INSPECT_RECORDS_H
#define KIN_INSPECT_RECORDS_H

#include "command/session.h"

#include <jansson.h>

typedef struct followed {
    const char *method;         // whose answers have `next` for `after`
    const char *rows;           // the member with the records
    const char *const *columns; // up to NULL
    int most;                   // records of an answer
} followed;

// Shows the records that are there. Where the game has only begun to record, those of one second; with the option
// --watch all that come until the game ends, whose status is NO_GAME, and says how many were lost. `parameters` is
// taken over.
int records_run(const session *session, const followed *followed, json_t *parameters);

#endif
