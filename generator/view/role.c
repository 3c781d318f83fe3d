// The names that roles of systems have in C.
#include "generator/schema/schema.h"
#include "view/private/parts.h"

#include <assert.h>

static const char *const role_ids[ROLE_COUNT] = {
    [ROLE_INITIALIZE] = "KIN_ROLE_INITIALIZE", [ROLE_START] = "KIN_ROLE_START",
    [ROLE_EXECUTE] = "KIN_ROLE_EXECUTE",       [ROLE_FIRST_UPDATE] = "KIN_ROLE_FIRST_UPDATE",
    [ROLE_ENTER] = "KIN_ROLE_ENTER",           [ROLE_UPDATE] = "KIN_ROLE_UPDATE",
    [ROLE_LEAVE] = "KIN_ROLE_LEAVE",           [ROLE_DRAW] = "KIN_ROLE_DRAW",
    [ROLE_CLEANUP] = "KIN_ROLE_CLEANUP",       [ROLE_TEAR_DOWN] = "KIN_ROLE_TEAR_DOWN",
    [ROLE_DISPOSE] = "KIN_ROLE_DISPOSE",
};

const char *view_role_id(system_role role)
{
    assert(role < ROLE_COUNT);
    return role_ids[role];
}
