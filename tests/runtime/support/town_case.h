// Town case: worlds of package town, whose systems write their calls into the log.
//
//   Mayor:execute(0.5,1.5,2)      a role, with its arguments: a tick, entities by creation index, a message
//
// A test may add an action: town_do(when, what) calls `what` at the end of each call whose text
// begins with `when`.
#ifndef KIN_TESTS_RUNTIME_TOWN_CASE_H
#define KIN_TESTS_RUNTIME_TOWN_CASE_H

#include "relay_case.h"

#include <town/town.h>

extern town_world *town;
extern guard town_memory;
extern uint32_t town_entity_count; // the number of entities in Registry's last leave or enter

// The world of a test, on a guard and with log_error as its error handler. Calls of its creation are not written.
void town_begin(void);
void town_end(void);
kin_context_options town_options(void);

// Restricts the log to these systems: "Mayor Clock". NULL: none.
void town_listen(const char *systems);

typedef void town_action(town_world *world);
void town_do(const char *when, town_action *what);

people_entity town_citizen(int32_t years);

#endif
