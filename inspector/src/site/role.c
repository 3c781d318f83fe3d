#include "site/role.h"

#include <kin/profile.h>
#include <stddef.h>

const char *kin__role_name(uint32_t role)
{
    static const char *const names[KIN_ROLE_COUNT] = {"initialize", "start",   "execute",      "leave",
                                                      "enter",      "inbox",   "first_update", "update",
                                                      "draw",       "cleanup", "tear_down",    "dispose"};
    return role < KIN_ROLE_COUNT ? names[role] : NULL;
}
