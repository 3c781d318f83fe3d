// Saving worlds.
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
        held = held || parts[i]->counts.is_held_outside;
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
    kin__saved_world saved = {.published = world->published, .seed = world->seed, .pushed_count = world->pushed.count};
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

// Restoring worlds: check, reserve, commit. Between the first change and the last, nothing can fail and no listener is
// called.

static const char restore_verb[] = "restore the world";

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
    if (!kin__restore_mode_exists(mode))
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
        return kin__world_refuse(world, KIN_ERROR_INVALID, restore_verb, fault);
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        const kin_context *context = world->contexts[i];
        kin_status status =
            !kin__context_is_saved(context)
                ? KIN_OK
                : kin__restore_check(context, kin__snapshot_part(snapshot, context->info), restore_verb);
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

// Begins to watch all contexts that are saved. False when out of memory.
static bool watch(kin__world *world, const kin_snapshot *snapshot)
{
    size_t size = world->info->context_count * sizeof *world->watches;
    world->watches = kin__allocate_zero(&world->memory, size);
    for (uint32_t i = 0; world->watches != NULL && i < world->info->context_count; i++) {
        kin_context *context = world->contexts[i];
        if (!kin__context_is_saved(context) ||
            kin__restore_watch_begin(context, kin__snapshot_part(snapshot, context->info), &world->watches[i]))
            continue;
        world->memory.refused = context->core->snapshot_memory.refused;
        return false;
    }
    return world->watches != NULL;
}

static void unwatch(kin__world *world)
{
    if (world->watches == NULL)
        return;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_saved(world->contexts[i]))
            kin__restore_unwatch(world->contexts[i], &world->watches[i]);
    kin__release(&world->memory, world->watches, world->info->context_count * sizeof *world->watches);
    world->watches = NULL;
}

static void notify(const kin__world *world)
{
    for (uint32_t i = 0; world->watches != NULL && i < world->info->context_count; i++)
        if (kin__context_is_saved(world->contexts[i]))
            kin__restore_notify(world->contexts[i], &world->watches[i]);
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
    world->seed = saved->seed;
    world->pushed.count = saved->pushed_count;
    memcpy(world->pushed.ticks, saved->pushed, saved->pushed_count * sizeof *saved->pushed);
    kin__clock_restore(world->root, &saved->clock);
    for (uint32_t i = 0; world->watches != NULL && i < world->info->context_count; i++)
        if (kin__context_is_saved(world->contexts[i]))
            kin__restore_watch_commit(world->contexts[i], &world->watches[i]);
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

// All memory is reserved. The systems are pinned, so that listeners can neither update nor destroy the world.
static void restore(kin__world *world, const kin_snapshot *snapshot, kin_restore_mode mode)
{
    kin__systems_pin(world->root);
    commit(world, snapshot, mode);
    kin__systems_refresh(world->root);
    if (mode == KIN_RESTORE_ANEW)
        restore_anew(world);
    notify(world);
    kin__systems_unpin(world->root);
}

kin_status kin__world_restore(kin__world *world, const kin_snapshot *snapshot, kin_restore_mode mode)
{
    if (!kin__world_may_save(world, restore_verb))
        return KIN_ERROR_INVALID;
    kin_status status = check(world, snapshot, mode);
    if (status != KIN_OK)
        return status;
    kin__systems_set_scope(world->root, true);
    bool is_reserved = (mode != KIN_RESTORE_NOTIFY || watch(world, snapshot)) && reserve(world, snapshot);
    if (is_reserved)
        restore(world, snapshot, mode);
    else
        cancel(world);
    unwatch(world);
    kin__systems_set_scope(world->root, false);
    if (!is_reserved)
        return kin__world_refuse(world, KIN_ERROR_NO_MEMORY, restore_verb, NULL);
    kin__systems_pin(world->root);
    tell(world);
    kin__systems_unpin(world->root);
    return KIN_OK;
}

// Rehearsing: runs an update twice from one state, to find updates that depend on anything else.

static const char rehearse_verb[] = "rehearse an update of";

// Snapshots before the update, after it, and after its repetition.
typedef struct rehearsal {
    kin_snapshot *before, *once, *twice;
} rehearsal;

static void release(const rehearsal *rehearsal)
{
    kin_snapshot_destroy(rehearsal->before);
    kin_snapshot_destroy(rehearsal->once);
    kin_snapshot_destroy(rehearsal->twice);
}

bool kin__divergence_write(const kin_difference *difference, void *user)
{
    kin_divergence *divergence = user;
    size_t begin = strlen(divergence->text);
    divergence->context = difference->context;
    divergence->component = difference->component;
    divergence->entity = difference->entity;
    kin_difference_describe(difference, divergence->text + begin, sizeof divergence->text - begin);
    return false;
}

static kin_status compare(const kin__world *world, const rehearsal *rehearsal, kin_divergence *first)
{
    char reason[sizeof first->text + 64];
    *first = (kin_divergence){.frame = world->root->frame == 0 ? 0 : world->root->frame - 1};
    snprintf(first->text, sizeof first->text, "frame %" PRIu64 ": ", first->frame);
    if (kin_snapshot_compare(rehearsal->once, rehearsal->twice, kin__divergence_write, first) == 0) {
        *first = (kin_divergence){0};
        return KIN_OK;
    }
    if (first->context == NULL)
        snprintf(first->text, sizeof first->text, "frame %" PRIu64 ": the state of systems differs", first->frame);
    snprintf(reason, sizeof reason, "two updates of one state differ: %s", first->text);
    return kin__world_refuse(world, KIN_ERROR_INVALID, rehearse_verb, reason);
}

static kin_status update(kin__world *world, double delta, kin_snapshot **after)
{
    kin__world_update_unprobed(world, delta);
    return kin__world_save(world, after);
}

static kin_status run(kin__world *world, double delta, rehearsal *rehearsal)
{
    kin_status status = kin__world_save(world, &rehearsal->before);
    if (status == KIN_OK)
        status = update(world, delta, &rehearsal->once);
    if (status == KIN_OK)
        status = kin__world_restore(world, rehearsal->before, KIN_RESTORE_EXACTLY);
    return status == KIN_OK ? update(world, delta, &rehearsal->twice) : status;
}

kin_status kin__world_rehearse(kin__world *world, double delta, kin_divergence *first)
{
    rehearsal rehearsal = {0};
    kin_divergence own;
    if (!kin__world_may_save(world, rehearse_verb))
        return KIN_ERROR_INVALID;
    if (!kin__is_finite(delta))
        return kin__world_refuse(world, KIN_ERROR_INVALID, rehearse_verb,
                                 "the delta is not a finite number; pass one that is");
    kin_status status = run(world, delta, &rehearsal);
    if (status == KIN_OK)
        status = compare(world, &rehearsal, first != NULL ? first : &own);
    release(&rehearsal);
    return status;
}
