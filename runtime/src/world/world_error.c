#include "report/error.h"
#include "world/world.h"

#include <stdio.h>

kin_status kin__world_report_error(const kin__world *world, kin_status status, const char *verb, const char *name,
                                   const char *reason)
{
    char what[192];
    snprintf(what, sizeof what, "%s %s", verb, name);
    kin__attempt attempt = {.verb = what, .reason = reason};
    return kin__report_error_to(world == NULL ? NULL : &world->options, status, &attempt,
                                world == NULL ? 0 : world->memory.refused);
}
