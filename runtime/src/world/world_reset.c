// The reset of a world: destroys all entities, so that the systems see them leave, then restarts the contexts.
//
// Order: all entities are destroyed; each system's `leave` is called with all its members; entities that listeners have
// created meanwhile are destroyed, and inboxes and collectors cleared, until no entity is left; `first_update` becomes
// due again; the contexts are reset, which reports entities that are still held.

#include "base/base.h"
#include "context/context.h"
#include "world/schema_system.h"
#include "world/world.h"

// Makes room for all that the calls of `leave` will need. Reports the error and returns false when out of memory.
static bool reserve(kin__world *world)
{
    for (uint32_t i = 0; i < world->info->system_count; i++)
        if (world->schema_systems[i] != NULL && !kin__schema_system_reserve_leave(world->schema_systems[i])) {
            kin__world_report_error(world, KIN_ERROR_NO_MEMORY, "reset the world", world->info->name, NULL);
            return false;
        }
    return true;
}

static void destroy_entities(const kin__world *world)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        kin__entities_destroy(world->contexts[i]);
}

static bool has_entities(const kin__world *world)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__entity_count(world->contexts[i]) > 0)
            return true;
    return false;
}

static void call_leaves(kin__world *world)
{
    for (uint32_t i = 0; i < world->info->system_count; i++)
        if (world->schema_systems[i] != NULL)
            kin__schema_system_leave_all(world->schema_systems[i]);
}

// Resets all contexts. Returns the last error, as the generated function that resets all contexts of a package does.
static kin_status reset_contexts(const kin__world *world)
{
    kin_status status = KIN_OK;
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        kin_status reset = kin__context_reset(world->contexts[i]);
        status = reset != KIN_OK ? reset : status;
    }
    return status;
}

kin_status kin__world_reset(kin__world *world)
{
    if (kin__world_report_null(world, "reset") || !kin__world_is_idle(world, "reset the world"))
        return KIN_ERROR_INVALID;
    if (!reserve(world))
        return KIN_ERROR_NO_MEMORY;
    kin__systems_pin(world->root); // a callback cannot run or destroy the world
    destroy_entities(world);
    call_leaves(world);
    do {
        destroy_entities(world);
        kin__systems_clear(world->root);
    } while (has_entities(world));
    for (uint32_t i = 0; i < world->info->system_count; i++)
        if (world->schema_systems[i] != NULL)
            kin__schema_system_restart(world->schema_systems[i]);
    kin_status status = reset_contexts(world);
    kin__systems_unpin(world->root);
    return status;
}
