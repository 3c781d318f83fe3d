// Saving worlds.

#include "base/base.h"
#include "snapshot/snapshot.h"
#include "store/store.h"
#include "systems/systems_restore.h"
#include "world_snapshot/world_encode.h"
#include "world_snapshot/world_snapshot.h"

static const char verb[] = "save the world";

kin_status kin__world_refuse(const kin__world *world, kin_status status, const char *what, const char *reason)
{
    return kin__world_report_error(world, status, what, world->info->name, reason);
}

bool kin__world_may_save(const kin__world *world, const char *what)
{
    kin__attempt attempt = {.verb = what, .reason = kin__null_world};
    if (world == NULL)
        kin__report_error_to(NULL, KIN_ERROR_INVALID, &attempt, 0);
    if (world == NULL || !kin__world_is_idle(world, what))
        return false;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_saved(world->contexts[i]) && kin__context_may_save(world->contexts[i], what) != KIN_OK)
            return false;
    return true;
}

static bool can_save(const kin_context *context)
{
    return !kin__context_is_in_use(context) && (!kin__context_is_saved(context) || kin__context_can_save(context));
}

bool kin__world_can_save(const kin__world *world)
{
    if (kin__systems_are_running(world->root))
        return false;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (!can_save(world->contexts[i]))
            return false;
    return true;
}

// ---- contexts

static void release_parts(kin__context_snapshot **parts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        kin__part_release(parts[i]);
}

// Makes the parts of all saved contexts, and counts them. False, with nothing made, when out of memory.
static bool make_parts(kin__world *world)
{
    if (!kin__array_reserve_pointers(&world->memory, &world->parts, world->info->context_count))
        return false;
    kin__context_snapshot **parts = world->parts.elements;
    world->part_count = 0;
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        kin_context *context = world->contexts[i];
        if (!kin__context_is_saved(context))
            continue;
        parts[world->part_count] = kin__part_save(context, false);
        if (parts[world->part_count] == NULL) {
            world->memory.refused = context->core->memory.refused;
            release_parts(parts, world->part_count);
            return false;
        }
        world->part_count++;
    }
    return true;
}

// Returns whether a collector that does not belong to the world holds the slot of a dead entity.
static bool is_held_outside(const kin__world *world)
{
    kin__context_snapshot *const *parts = world->parts.elements;
    bool held = false;
    for (uint32_t i = 0; i < world->part_count; i++)
        held = held || parts[i]->is_held_outside;
    return held;
}

// ---- systems

static size_t measure_systems(const kin__world *world)
{
    kin__state state = {.size = sizeof(kin__saved_world)};
    kin__systems_save(world->root, &state);
    return state.size;
}

static void save_systems(const kin__world *world, kin_snapshot *snapshot)
{
    kin__saved_world saved = {.published = world->published, .pushed_count = world->pushed.count};
    kin__state state = {.bytes = snapshot->systems, .parts = snapshot->parts, .part_count = snapshot->part_count};
    KIN_ASSERT(snapshot->systems_capacity > 0);
    memcpy(saved.pushed, world->pushed.ticks, world->pushed.count * sizeof *saved.pushed);
    kin__clock_save(world->root, &saved.clock);
    kin__state_take(&state, sizeof saved);
    kin__systems_save(world->root, &state);
    saved.node_count = state.node_count;
    memcpy(snapshot->systems, &saved, sizeof saved);
    kin__world_snapshot_end(world, snapshot, state.size);
}

void kin__world_snapshot_end(const kin__world *world, kin_snapshot *snapshot, size_t size)
{
    snapshot->systems_size = size;
    KIN_ASSERT(snapshot->systems_size <= snapshot->systems_capacity);
    snapshot->world_info = world->info->shown;
    snapshot->systems_functions = &kin__world_functions;
}

// Reserves room for the state of the systems, without changing the current one. False when out of memory.
static bool reserve_systems(kin__world *world, kin_snapshot *snapshot, size_t size)
{
    if (size <= snapshot->systems_capacity)
        return true;
    size_t capacity = size + size / 4;
    void *systems = kin__allocate(&snapshot->memory, capacity);
    if (systems == NULL) {
        world->memory.refused = snapshot->memory.refused;
        return false;
    }
    if (snapshot->systems_size > 0)
        memcpy(systems, snapshot->systems, snapshot->systems_size);
    kin__release(&snapshot->memory, snapshot->systems, snapshot->systems_capacity);
    snapshot->systems = systems;
    snapshot->systems_capacity = capacity;
    return true;
}

// ---- all together

// Returns whether the snapshot can be overwritten: it is not NULL, was made for a world, and has room for the parts.
static bool is_reusable(const kin__world *world, const kin_snapshot *snapshot)
{
    return snapshot != NULL && snapshot->memory.whole == NULL && snapshot->part_capacity >= world->info->context_count;
}

bool kin__world_snapshot_reserve(kin__world *world, kin_snapshot *snapshot, size_t size)
{
    return !is_reusable(world, snapshot) || reserve_systems(world, snapshot, size);
}

bool kin__world_snapshot_put(kin__world *world, kin_snapshot **snapshot, size_t size)
{
    kin_snapshot *made = is_reusable(world, *snapshot) ? *snapshot : NULL;
    if (!kin__snapshot_put(&made, &world->memory, world->parts.elements, world->part_count)) {
        release_parts(world->parts.elements, world->part_count);
        return false;
    }
    if (made == *snapshot)
        return true;
    if (!reserve_systems(world, made, size)) {
        kin_snapshot_destroy(made);
        return false;
    }
    kin_snapshot_destroy(*snapshot);
    *snapshot = made;
    return true;
}

static kin_status save(kin__world *world, kin_snapshot **snapshot)
{
    size_t size = measure_systems(world);
    if (!kin__world_snapshot_reserve(world, *snapshot, size) || !make_parts(world))
        return KIN_ERROR_NO_MEMORY;
    bool held = is_held_outside(world);
    if (!kin__world_snapshot_put(world, snapshot, size))
        return KIN_ERROR_NO_MEMORY;
    save_systems(world, *snapshot);
    return held ? KIN_ERROR_RETAINED : KIN_OK;
}

kin_status kin__world_save_unreported(kin__world *world, kin_snapshot **snapshot)
{
    kin__systems_set_scope(world->root, true);
    kin_status status = save(world, snapshot);
    kin__systems_set_scope(world->root, false);
    return status;
}

kin_status kin__world_save(kin__world *world, kin_snapshot **snapshot)
{
    static const char held[] = "it was saved, but a collector outside the world holds a destroyed entity, whose "
                               "slot will be free after a restore; clear collectors before saving";
    if (!kin__world_may_save(world, verb))
        return KIN_ERROR_INVALID;
    if (snapshot == NULL)
        return kin__world_refuse(
            world, KIN_ERROR_INVALID, verb,
            "the address for the snapshot is NULL; pass that of a variable, which is NULL at first");
    kin_status status = kin__world_save_unreported(world, snapshot);
    if (status == KIN_OK)
        return KIN_OK;
    return kin__world_refuse(world, status, verb, status == KIN_ERROR_RETAINED ? held : NULL);
}
