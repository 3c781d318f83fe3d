// Town case: worlds of package town, whose systems write down what they are called for.
//
//   Mayor:execute(0.5,1.5,2)      a role, with what it is given: a tick, entities by creation index, a message
//
// A test may have one of those calls do something: town_do(when, what) calls `what` at the end of each whose text
// begins with `when`.
#ifndef KIN_TESTS_RUNTIME_TOWN_CASE_H
#define KIN_TESTS_RUNTIME_TOWN_CASE_H

#include "relay_case.h"

#include <town/town.h>

extern town_world *town;
extern guard town_memory;
extern uint32_t town_told; // how many entities Registry was last told to have left or entered

// The world of a test, on a guard and with the journal as its handler. What its making writes is forgotten.
void town_begin(void);
void town_end(void);
kin_context_options town_options(void);

// Writes down the calls of these alone, "Mayor Clock": names of systems. NULL: none.
void town_listen(const char *systems);

typedef void town_action(town_world *world);
void town_do(const char *when, town_action *what);

people_entity town_citizen(int32_t years);

#endif
