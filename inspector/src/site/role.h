// Role: the names of roles, as in schemas.
#ifndef KIN_INSPECT_ROLE_H
#define KIN_INSPECT_ROLE_H

#include <stdint.h>

// Returns the name of a role; NULL for a number that is none.
const char *kin__role_name(uint32_t role);

#endif
