#include "snapshot/snapshot.h"

#include <kin/generated/blueprint.h>
#include <kin/generated/storage.h>

#include <string.h>

// ---- parts

kin__context_snapshot *kin__snapshot_part(const kin_snapshot *snapshot, const kin_context_info *info)
{
    for (uint32_t i = 0; i < snapshot->part_count; i++)
        if (snapshot->parts[i] != NULL &&
            (snapshot->parts[i]->info == info || strcmp(snapshot->parts[i]->info->name, info->name) == 0))
            return snapshot->parts[i];
    return NULL;
}

uint32_t kin_snapshot_count(const kin_snapshot *snapshot, const kin_context_info *context)
{
    const kin__context_snapshot *part = snapshot == NULL ? NULL : kin__snapshot_part(snapshot, context);
    return part == NULL || part->info->stamp != context->stamp ? 0 : kin__part_count(part);
}

uint32_t kin_snapshot_slot_count(const kin_snapshot *snapshot, const kin_context_info *context)
{
    const kin__context_snapshot *part = snapshot == NULL ? NULL : kin__snapshot_part(snapshot, context);
    return part == NULL || part->info->stamp != context->stamp ? 0 : kin__part_slot_count(part);
}

static void release_parts(kin_snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->part_count; i++)
        kin__part_release(snapshot->parts[i]);
}

// Makes a snapshot with room for `part_count` parts. NULL when out of memory.
static kin_snapshot *make(kin__memory *memory, uint32_t part_count)
{
    kin__memory own = kin__memory_of(memory->allocator);
    kin_snapshot *made = kin__allocate_zero(&own, sizeof *made);
    if (made == NULL) {
        kin__memory_note_refusal(memory, own.refused);
        return NULL;
    }
    made->parts = kin__allocate_zero(&own, (part_count + 1) * sizeof *made->parts);
    if (made->parts == NULL) {
        kin__memory_note_refusal(memory, own.refused);
        kin__release(&own, made, sizeof *made);
        return NULL;
    }
    made->part_capacity = part_count;
    made->memory = own;
    if (memory->whole != NULL)
        kin__memory_join(&made->memory, memory);
    return made;
}

static void release(kin_snapshot *snapshot)
{
    kin__memory_leave(&snapshot->memory);
    kin__memory own = snapshot->memory;
    kin__release(&own, snapshot->systems, snapshot->systems_capacity);
    kin__release(&own, snapshot->frames, snapshot->frames_capacity);
    kin__release(&own, snapshot->parts, (snapshot->part_capacity + 1) * sizeof *snapshot->parts);
    kin__release(&own, snapshot, sizeof *snapshot);
}

static void release_leaves(kin_snapshot *snapshot)
{
    kin__memory memory = kin__memory_of(snapshot->memory.allocator);
    memory.allocated = snapshot->leaves_size;
    kin__release(&memory, snapshot->leaves, snapshot->leaves_size);
}

void kin_snapshot_destroy(kin_snapshot *snapshot)
{
    if (snapshot == NULL)
        return;
    release_parts(snapshot);
    release_leaves(snapshot);
    release(snapshot);
}

bool kin__snapshot_put(kin_snapshot **snapshot, kin__memory *memory, kin__context_snapshot *const *parts,
                       uint32_t part_count)
{
    kin_snapshot *former = *snapshot;
    kin_snapshot *now = former;
    if (former == NULL || former->part_capacity < part_count ||
        former->memory.whole != (memory->whole == NULL ? NULL : memory)) {
        now = make(memory, part_count);
        if (now == NULL)
            return false;
        kin_snapshot_destroy(former);
    } else {
        release_parts(former);
    }
    now->part_count = part_count;
    now->systems_size = now->frames_size = 0;
    for (uint32_t i = 0; i < part_count; i++) {
        now->parts[i] = parts[i];
        parts[i]->home = &now->parts[i];
        parts[i]->shell = memory->whole == NULL ? NULL : &now->memory;
    }
    *snapshot = now;
    return true;
}

bool kin__snapshot_reserve_frames(kin_snapshot *snapshot, size_t size)
{
    if (size <= snapshot->frames_capacity)
        return true;
    size_t capacity = 2 * size;
    void *frames = kin__allocate(&snapshot->memory, capacity);
    if (frames == NULL)
        return false;
    if (snapshot->frames_size > 0)
        memcpy(frames, snapshot->frames, snapshot->frames_size);
    kin__release(&snapshot->memory, snapshot->frames, snapshot->frames_capacity);
    snapshot->frames = frames;
    snapshot->frames_capacity = capacity;
    return true;
}

// ---- contexts

kin_status kin__context_save(kin_context *context, kin_snapshot **snapshot)
{
    kin__attempt attempt = {.verb = "save the context"};
    kin_status status = kin__context_may_save(context, attempt.verb);
    if (status != KIN_OK)
        return status;
    if (snapshot == NULL) {
        attempt.reason = "the address for the snapshot is NULL; pass that of a variable, which is NULL at first";
        return kin__report_error(context, KIN_ERROR_INVALID, &attempt);
    }
    kin__context_snapshot *part = kin__part_save(context, true);
    if (part == NULL || !kin__snapshot_put(snapshot, &context->core->snapshot_memory, &part, 1)) {
        kin__part_release(part);
        return kin__report_error(context, KIN_ERROR_NO_MEMORY, &attempt);
    }
    if (!part->counts.is_held_outside)
        return KIN_OK;
    attempt.reason = "it was saved, but a collector holds a destroyed entity, whose slot will be free after a restore; "
                     "clear collectors before saving";
    return kin__report_error(context, KIN_ERROR_RETAINED, &attempt);
}

// False when out of memory.
static bool restore(kin_context *context, const kin__context_snapshot *part, kin_restore_mode mode)
{
    kin__restore_watch watch = {0};
    bool notifies = mode == KIN_RESTORE_NOTIFY;
    bool is_reserved =
        (!notifies || kin__restore_watch_begin(context, part, &watch)) && kin__restore_reserve(context, part);
    if (is_reserved) {
        kin__restore_commit(context, part);
        if (notifies)
            kin__restore_watch_commit(context, &watch);
        kin__restore_settle(context, part);
    }
    if (is_reserved && mode == KIN_RESTORE_ANEW)
        kin__restore_anew(context);
    if (is_reserved && notifies)
        kin__restore_notify(context, &watch);
    if (notifies)
        kin__restore_unwatch(context, &watch);
    if (is_reserved)
        kin__restore_tell(context);
    return is_reserved;
}

kin_status kin__context_restore(kin_context *context, const kin_snapshot *snapshot, kin_restore_mode mode)
{
    kin__attempt attempt = {.verb = "restore the context"};
    kin_status status = kin__context_may_save(context, attempt.verb);
    if (status != KIN_OK)
        return status;
    if (snapshot == NULL || !kin__restore_mode_exists(mode)) {
        attempt.reason =
            snapshot == NULL ? "the snapshot is NULL; save it first" : "the mode is unknown; use a value of its enum";
        return kin__report_error(context, KIN_ERROR_INVALID, &attempt);
    }
    const kin__context_snapshot *part = kin__snapshot_part(snapshot, context->info);
    status = kin__restore_check(context, part, attempt.verb);
    if (status != KIN_OK)
        return status;
    return restore(context, part, mode) ? KIN_OK : kin__report_error(context, KIN_ERROR_NO_MEMORY, &attempt);
}

bool kin__context_can_save(const kin_context *context)
{
    bool is_running = context->core->runs != NULL && *context->core->runs > 0;
    return !is_running && !kin__context_is_in_use(context) && kin__collectors_are_idle(context);
}

kin_status kin__context_may_save(const kin_context *context, const char *verb)
{
    kin__attempt attempt = {.verb = verb};
    if (kin__context_can_save(context))
        return KIN_OK;
    attempt.reason = "its listener, filter, system or error handler is being called; call this after it returns";
    return kin__report_error(context, KIN_ERROR_INVALID, &attempt);
}
