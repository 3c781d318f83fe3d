// The probe of a world: a tool that is called around each update (world_run.c).

#include "world/world.h"

#include <stddef.h>

void kin__world_update_followed(kin__world *world)
{
    world->is_followed = world->recorder != NULL || world->probe.begin != NULL;
}

void kin__world_end_probe(kin__world *world)
{
    kin_probe probe = world->probe;
    world->probe = (kin_probe){0};
    kin__world_update_followed(world);
    if (probe.ended != NULL)
        probe.ended(probe.user);
}

static const char *find_fault(const kin__world *world, const kin_probe *probe)
{
    if (world->root == NULL)
        return "the world is ending; do without a probe";
    if (probe == NULL)
        return NULL;
    if (probe->begin == NULL)
        return "the probe has no function begin; set one";
    if (world->probe.begin != NULL && world->probe.user != probe->user)
        return "the world has another probe; remove that first";
    return NULL;
}

kin_status kin_world_set_probe(kin_world *world, const kin_probe *probe)
{
    if (kin__world_report_null(world, "set the probe of"))
        return KIN_ERROR_INVALID;
    const char *fault = find_fault(world, probe);
    if (fault != NULL)
        return kin__world_report_error(world, KIN_ERROR_INVALID, "set the probe of", world->info->name, fault);
    world->probe = (kin_probe){0};
    if (probe != NULL)
        world->probe = *probe;
    kin__world_update_followed(world);
    return KIN_OK;
}
