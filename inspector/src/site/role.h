// Role: the names of roles, as in schemas.
#ifndef KIN_INSPECT_ROLE_H
#define KIN_INSPECT_ROLE_H

#include <kin/profile.h>

// Returns the name of a role.
const char *kin__role_name(kin_role role);

#endif
