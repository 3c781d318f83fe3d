// Restoring worlds: check, reserve, commit. Between the first change and the last, nothing can fail and no listener is
// called.

#include "base/base.h"
#include "snapshot/snapshot.h"
#include "systems/systems_restore.h"
#include "world_snapshot/world_snapshot.h"

static const char verb[] = "restore the world";

static kin__state state_of(const kin_snapshot *snapshot, kin_restore_mode mode)
{
    const kin__saved_world *saved = snapshot->systems;
    return (kin__state){
        .bytes = snapshot->systems, .size = sizeof *saved, .node_count = saved->node_count, .mode = mode};
}

// ---- checking

// Returns why the snapshot does not fit the world, as the reason of an error; NULL if it fits.
static const char *find_fault(kin__world *world, const kin_snapshot *snapshot, kin_restore_mode mode)
{
    if (mode != KIN_RESTORE_EXACTLY && mode != KIN_RESTORE_ANEW)
        return "the mode is unknown; use a value of its enum";
    if (snapshot == NULL)
        return "the snapshot is NULL; save one first";
    if (snapshot->systems_size == 0)
        return "the snapshot is of a context, not of a world; restore that context instead";
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_saved(world->contexts[i]) && kin__snapshot_part(snapshot, world->contexts[i]->info) == NULL)
            return "the snapshot has no such contexts: its own have ended, or it is of another schema; save a new one";
    kin__state state = state_of(snapshot, KIN_RESTORE_EXACTLY);
    if (!kin__systems_match(world->root, &state))
        return "systems were added or removed since the save; disable systems instead of removing them";
    return NULL;
}

static kin_status check(kin__world *world, const kin_snapshot *snapshot, kin_restore_mode mode)
{
    const char *fault = find_fault(world, snapshot, mode);
    if (fault != NULL)
        return kin__world_refuse(world, KIN_ERROR_INVALID, verb, fault);
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        const kin_context *context = world->contexts[i];
        kin_status status = !kin__context_is_saved(context)
                                ? KIN_OK
                                : kin__restore_check(context, kin__snapshot_part(snapshot, context->info), verb);
        if (status != KIN_OK)
            return status;
    }
    return KIN_OK;
}

// ---- reserving

static bool reserve(kin__world *world, const kin_snapshot *snapshot)
{
    kin__state state = state_of(snapshot, KIN_RESTORE_EXACTLY);
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        kin_context *context = world->contexts[i];
        if (!kin__context_is_saved(context) ||
            kin__restore_reserve(context, kin__snapshot_part(snapshot, context->info)))
            continue;
        world->memory.refused = context->core->memory.refused;
        return false;
    }
    return kin__systems_reserve(world->root, &state);
}

static void cancel(const kin__world *world)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        kin__restore_cancel(world->contexts[i]);
}

// ---- committing

static void commit(kin__world *world, const kin_snapshot *snapshot, kin_restore_mode mode)
{
    const kin__saved_world *saved = snapshot->systems;
    kin__state state = state_of(snapshot, mode);
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_saved(world->contexts[i]))
            kin__restore_commit(world->contexts[i], kin__snapshot_part(snapshot, world->contexts[i]->info));
    world->published = saved->published;
    world->pushed.count = saved->pushed_count;
    memcpy(world->pushed.ticks, saved->pushed, saved->pushed_count * sizeof *saved->pushed);
    kin__clock_restore(world->root, &saved->clock);
    kin__systems_restore(world->root, &state);
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_saved(world->contexts[i]))
            kin__restore_settle(world->contexts[i], kin__snapshot_part(snapshot, world->contexts[i]->info));
}

static void restore_anew(const kin__world *world)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_saved(world->contexts[i]))
            kin__restore_anew(world->contexts[i]);
}

static void tell(const kin__world *world)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_saved(world->contexts[i]))
            kin__restore_tell(world->contexts[i]);
}

kin_status kin__world_restore(kin__world *world, const kin_snapshot *snapshot, kin_restore_mode mode)
{
    if (!kin__world_may_save(world, verb))
        return KIN_ERROR_INVALID;
    kin_status status = check(world, snapshot, mode);
    if (status != KIN_OK)
        return status;
    if (!reserve(world, snapshot)) {
        cancel(world);
        return kin__world_refuse(world, KIN_ERROR_NO_MEMORY, verb, NULL);
    }
    kin__systems_pin(world->root); // so listeners of the restore can neither update nor destroy the world
    kin__systems_set_scope(world->root, true);
    commit(world, snapshot, mode);
    kin__systems_set_scope(world->root, false);
    kin__systems_refresh(world->root);
    if (mode == KIN_RESTORE_ANEW)
        restore_anew(world);
    tell(world);
    kin__systems_unpin(world->root);
    return KIN_OK;
}
