// Names: what words of the command line stand for, as the game says: components, systems, collectors.
//
// Each changes the parameters of a request, which is made after it. Returns DONE, or the status of the program when
// that cannot be, and says why.
#ifndef KIN_INSPECT_NAMES_H
#define KIN_INSPECT_NAMES_H

#include "command/session.h"

#include <jansson.h>

// Refuses the path of a value that has no component or no field, with one that has.
int names_check_path(const session *session, json_t *parameters);

// `place` may be the name of a system.
int names_find_place(const session *session, json_t *parameters);

// `collector` may be a number.
int names_find_collector(const session *session, json_t *parameters);

#endif
