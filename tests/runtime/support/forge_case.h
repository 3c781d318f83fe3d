// Forge case: worlds of package forge, whose systems write their calls into the log.
//
//   Hammer:execute(0.5,1.5,2)      a role, with its arguments: a tick, entities by creation index, a message
//
// Each function checks that the tick of the world is the one that it receives. A test may set an action, which is
// called at the end of each call whose text begins with `when`.
#ifndef KIN_TESTS_RUNTIME_FORGE_CASE_H
#define KIN_TESTS_RUNTIME_FORGE_CASE_H

#include "relay_case.h"

#include <forge/forge.h>

extern forge_world *forge;
extern guard forge_memory;

// Creates `forge` on a guard, with an empty log. Checks and destroys it.
void forge_begin(void);
void forge_end(void);
kin_context_options forge_options(void);

typedef void forge_action(forge_world *world);
void forge_do(const char *when, forge_action *what);

smithy_entity forge_iron(int32_t degrees);

#endif
