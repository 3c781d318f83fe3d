// What tools learn about a world. Nothing here reports an error.

#include "world/jobs.h"
#include "world/world.h"

const kin_world_info *kin_world_info_of(const kin_world *world)
{
    return world == NULL ? NULL : world->info->shown;
}

kin_context *kin_world_context(const kin_world *world, uint32_t number)
{
    return world == NULL || number >= world->info->context_count ? NULL : world->contexts[number];
}

kin_tick kin_world_tick(const kin_world *world)
{
    if (world == NULL || world->root == NULL)
        return (kin_tick){0};
    return kin__systems_tick(world->root);
}

kin_systems *kin_world_systems(const kin_world *world)
{
    return world == NULL ? NULL : world->root;
}
