#include "site/role.h"

const char *kin__role_name(kin_role role)
{
    static const char *const names[KIN_ROLE_COUNT] = {"initialize", "start",   "execute",      "leave",
                                                      "enter",      "inbox",   "first_update", "update",
                                                      "draw",       "cleanup", "tear_down",    "dispose"};
    return (unsigned)role < KIN_ROLE_COUNT ? names[role] : "execute";
}
