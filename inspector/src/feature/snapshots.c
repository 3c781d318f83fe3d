// Snapshots: states of a host that viewers save, to return to them or to compare them (internal.h).
#include "feature/internal.h"

#include <kin/generated/storage.h>
#include <kin/generated/world.h>

#include <string.h>

// ---- errors

static void catch_error(const kin_error *error, void *user)
{
    kin__snapshots *snapshots = user;
    size_t kept = strnlen(error->message, sizeof snapshots->trouble - 1);
    memcpy(snapshots->trouble, error->message, kept);
    snapshots->trouble[kept] = '\0';
}

// The game's handler is not called for what viewers do.
static void catch_errors(kin__snapshots *snapshots, void (*caught)(const kin_error *error, void *user))
{
    for (uint32_t i = 0; i < snapshots->host->context_count; i++)
        kin_context_catch_errors(snapshots->host->contexts[i], caught, snapshots);
}

static void refuse(kin__snapshots *snapshots, kin_status status, const char *sentence)
{
    kin_error error = {.status = status, .message = sentence};
    snapshots->status = status;
    catch_error(&error, snapshots);
}

// ---- memory

// Returns what snapshots of the contexts use; 0 where the game itself keeps them.
static size_t measure(const kin__snapshots *snapshots)
{
    size_t used = 0;
    for (uint32_t i = 0; snapshots->functions == NULL && i < snapshots->host->context_count; i++)
        used += kin_context_memory(snapshots->host->contexts[i]).snapshots.used;
    return used;
}

static void discharge(kin__snapshots *snapshots, size_t bytes)
{
    bytes = kin__min_size(bytes, snapshots->bytes);
    KIN_ASSERT(snapshots->bytes <= atomic_load(&snapshots->heap->used));
    snapshots->bytes -= bytes;
    kin__bounded_discharge(snapshots->heap, bytes);
}

// Discharges what is not used any more of `before` bytes. The game may share parts of the snapshots with its own ones:
// without any snapshot, none is used.
static void discharge_freed(kin__snapshots *snapshots, size_t before)
{
    size_t after = measure(snapshots);
    if (before > after)
        discharge(snapshots, before - after);
    if (snapshots->count == 0 && snapshots->now == NULL)
        discharge(snapshots, snapshots->bytes);
}

static bool charge(kin__snapshots *snapshots, size_t bytes)
{
    size_t limit = snapshots->heap->limit / 2;
    if (bytes > limit || snapshots->bytes > limit - bytes)
        return false;
    if (!kin__bounded_charge(snapshots->heap, bytes))
        return false;
    snapshots->bytes += bytes;
    KIN_ASSERT(snapshots->bytes <= limit);
    return true;
}

static void destroy(kin__snapshots *snapshots, const kin__kept_snapshot *kept)
{
    if (snapshots->functions != NULL)
        snapshots->functions->release(kept->at, kept->size, snapshots->functions->user);
    else
        kin_snapshot_destroy(kept->at);
}

static void drop_at(kin__snapshots *snapshots, uint32_t place)
{
    kin__kept_snapshot *kept = &snapshots->places[place];
    KIN_ASSERT(place < snapshots->count);
    size_t before = measure(snapshots);
    destroy(snapshots, kept);
    if (snapshots->functions != NULL)
        discharge(snapshots, kept->size);
    if (snapshots->standing == kept->number)
        snapshots->standing = 0;
    snapshots->count--;
    memmove(kept, kept + 1, (snapshots->count - place) * sizeof *kept);
    discharge_freed(snapshots, before);
}

// Drops the oldest one that is not spared. Returns false if there is none.
static bool drop_oldest(kin__snapshots *snapshots, uint32_t spared)
{
    uint32_t place = snapshots->count > 0 && snapshots->places[0].number == spared;
    if (place >= snapshots->count)
        return false;
    drop_at(snapshots, place);
    return true;
}

// ---- taking

// Saves the world. Returns false, and reports it, when it fails.
static bool save(kin__snapshots *snapshots, kin__kept_snapshot *kept)
{
    kin_snapshot *made = NULL;
    size_t before = measure(snapshots);
    catch_errors(snapshots, catch_error);
    kin_status status = kin__world_save(snapshots->host->world, &made);
    catch_errors(snapshots, NULL);
    size_t after = measure(snapshots);
    kept->at = made;
    kept->bytes = after - kin__min_size(after, before);
    if (status == KIN_ERROR_RETAINED)
        snapshots->trouble[0] = '\0'; // it was saved
    else if (status != KIN_OK)
        snapshots->status = status;
    return made != NULL;
}

static bool ask_game(kin__snapshots *snapshots, kin__kept_snapshot *kept)
{
    const kin_inspector_snapshots *functions = snapshots->functions;
    kept->at = functions->take(snapshots->host->world, &kept->size, functions->user);
    kept->bytes = kept->size;
    if (kept->at == NULL)
        refuse(snapshots, KIN_ERROR_NO_MEMORY, "the game has given no snapshot");
    return kept->at != NULL;
}

static uint32_t count_entities(const kin__host *host)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < host->context_count; i++)
        count += kin__entity_count(host->contexts[i]);
    return count;
}

static uint32_t append(kin__snapshots *snapshots, kin__kept_snapshot *kept)
{
    const kin__host *host = snapshots->host;
    KIN_ASSERT(snapshots->count < KIN__MAX_SNAPSHOTS && snapshots->count < snapshots->keep);
    kept->number = ++snapshots->last_number;
    kept->frame = kin__host_frame(host);
    if (host->world != NULL)
        kept->time = kin_world_tick(host->world).time;
    kept->entities = count_entities(host);
    snapshots->places[snapshots->count++] = *kept;
    snapshots->standing = kept->number;
    return kept->number;
}

static uint32_t take(kin__snapshots *snapshots, uint32_t spared)
{
    kin__kept_snapshot kept = {0};
    while (snapshots->count >= snapshots->keep)
        if (!drop_oldest(snapshots, spared)) {
            refuse(snapshots, KIN_ERROR_LIMIT, "one snapshot is kept, which is being restored");
            return 0;
        }
    bool is_taken;
    if (snapshots->functions != NULL)
        is_taken = ask_game(snapshots, &kept);
    else
        is_taken = save(snapshots, &kept);
    if (!is_taken)
        return 0;
    bool fits = charge(snapshots, kept.bytes);
    while (!fits && drop_oldest(snapshots, spared))
        fits = charge(snapshots, kept.bytes);
    if (fits)
        return append(snapshots, &kept);
    destroy(snapshots, &kept);
    refuse(snapshots, KIN_ERROR_LIMIT, "the snapshot needs more than half of the inspector's memory; raise it");
    return 0;
}

uint32_t kin__snapshots_take(kin__snapshots *snapshots, uint32_t spared)
{
    uint64_t began = kin__inspect_now();
    snapshots->trouble[0] = '\0';
    snapshots->last_frame = kin__host_frame(snapshots->host);
    uint32_t number = take(snapshots, spared);
    snapshots->microseconds = (uint32_t)((kin__inspect_now() - began) / 1000);
    return number;
}

// ---- comparing

bool kin__snapshots_save_now(kin__snapshots *snapshots)
{
    kin__kept_snapshot kept = {0};
    snapshots->trouble[0] = '\0';
    kin__snapshots_drop_now(snapshots);
    if (!save(snapshots, &kept))
        return false;
    snapshots->now = kept.at;
    snapshots->now_number++;
    if (charge(snapshots, kept.bytes))
        return true;
    kin_snapshot_destroy(snapshots->now);
    snapshots->now = NULL;
    refuse(snapshots, KIN_ERROR_LIMIT, "the state of now needs more than half of the inspector's memory; raise it");
    return false;
}

void kin__snapshots_drop_now(kin__snapshots *snapshots)
{
    if (snapshots->now == NULL)
        return;
    size_t before = measure(snapshots);
    kin_snapshot_destroy(snapshots->now);
    snapshots->now = NULL;
    discharge_freed(snapshots, before);
}

static bool stop(const kin_difference *difference, void *user)
{
    (void)difference;
    (void)user;
    return false;
}

// Returns whether two snapshots are known to be equal; those of a game are not.
static bool are_equal(const kin__snapshots *snapshots, uint32_t one, uint32_t other)
{
    const kin__kept_snapshot *first = kin__snapshots_find(snapshots, one);
    const kin__kept_snapshot *second = kin__snapshots_find(snapshots, other);
    bool are_known = first != NULL && second != NULL && snapshots->functions == NULL;
    return are_known && kin_snapshot_compare(first->at, second->at, stop, NULL) == 0;
}

// ---- restoring

// Takes a snapshot of now; or returns the one that was taken or restored last, if nothing has changed since.
static uint32_t keep_present(kin__snapshots *snapshots, uint32_t spared)
{
    uint32_t standing = snapshots->standing;
    uint32_t number = kin__snapshots_take(snapshots, spared);
    if (number == 0 || !are_equal(snapshots, standing, number))
        return number;
    drop_at(snapshots, snapshots->count - 1);
    return snapshots->standing = standing;
}

typedef void edit_function(const kin__site *site);

static void for_each_site(const kin__sites *sites, const kin__host *host, edit_function *function)
{
    uint32_t count = atomic_load(&sites->site_count);
    for (uint32_t i = 0; i < count; i++)
        if (sites->sites[i].host == host)
            function(&sites->sites[i]);
}

static kin_status restore(kin__snapshots *snapshots, const kin__kept_snapshot *kept, bool anew)
{
    const kin_inspector_snapshots *functions = snapshots->functions;
    kin_world *world = snapshots->host->world;
    if (functions != NULL)
        return functions->restore(world, kept->at, kept->size, functions->user);
    if (anew)
        return kin__world_restore(world, kept->at, KIN_RESTORE_ANEW);
    return kin__world_restore(world, kept->at, KIN_RESTORE_EXACTLY);
}

// What watches see is by the inspector. A system at which the update was held may be held at again in the same frame.
kin_status kin__snapshots_restore(const kin__sites *sites, kin__snapshots *snapshots, uint32_t number, bool anew,
                                  uint32_t *previous)
{
    kin__host *host = snapshots->host;
    *previous = keep_present(snapshots, number);
    refuse(snapshots, KIN_OK, "the game has refused it");
    catch_errors(snapshots, catch_error);
    for_each_site(sites, host, kin__notes_enter_edit);
    kin_status status = restore(snapshots, kin__snapshots_find(snapshots, number), anew);
    for_each_site(sites, host, kin__notes_leave_edit);
    catch_errors(snapshots, NULL);
    snapshots->status = status;
    if (status != KIN_OK)
        return status;
    snapshots->trouble[0] = '\0';
    snapshots->standing = number;
    snapshots->last_frame = kin__host_frame(host);
    host->held.system[0] = '\0';
    return KIN_OK;
}

// ---- the list

const kin__kept_snapshot *kin__snapshots_find(const kin__snapshots *snapshots, uint32_t number)
{
    for (uint32_t i = 0; snapshots != NULL && i < snapshots->count; i++)
        if (snapshots->places[i].number == number)
            return &snapshots->places[i];
    return NULL;
}

uint32_t kin__snapshots_drop(kin__snapshots *snapshots, uint32_t number)
{
    uint32_t dropped = 0;
    for (uint32_t i = snapshots->count; i > 0; i--)
        if (number == 0 || snapshots->places[i - 1].number == number) {
            drop_at(snapshots, i - 1);
            dropped++;
        }
    return dropped;
}

void kin__snapshots_set_period(kin__snapshots *snapshots, uint32_t every, uint32_t keep)
{
    KIN_ASSERT(keep > 0 && keep <= KIN__MAX_SNAPSHOTS);
    if (every > 0 && snapshots->every == 0)
        atomic_fetch_add(&snapshots->host->attention, 1);
    if (every == 0 && snapshots->every > 0)
        atomic_fetch_sub(&snapshots->host->attention, 1);
    snapshots->every = every;
    snapshots->keep = keep;
    while (snapshots->count > keep)
        drop_at(snapshots, 0);
}

void kin__snapshots_keep(kin__host *host, bool is_silent, uint32_t budget)
{
    kin__snapshots *snapshots = host->snapshots;
    if (snapshots == NULL || snapshots->every == 0)
        return;
    if (is_silent) {
        kin__snapshots_set_period(snapshots, 0, snapshots->keep);
        return;
    }
    uint64_t frame = kin__host_frame(host);
    uint32_t updates = snapshots->microseconds / kin__max_32(budget, 1);
    if (frame < snapshots->last_frame)
        snapshots->last_frame = frame; // the game itself has gone back
    if (frame - snapshots->last_frame >= kin__max_32(updates, snapshots->every))
        kin__snapshots_take(snapshots, 0);
}

// ---- its life

kin__snapshots *kin__snapshots_make(kin__bounded_heap *heap, kin__host *host, const kin_inspector_snapshots *functions)
{
    kin__snapshots *snapshots = kin__bounded_zeros(heap, sizeof *snapshots);
    if (snapshots == NULL)
        return NULL;
    snapshots->heap = heap;
    snapshots->host = host;
    if (functions->take != NULL)
        snapshots->functions = functions;
    snapshots->keep = KIN__KEPT_SNAPSHOTS;
    return snapshots;
}

void kin__snapshots_end(kin__host *host)
{
    kin__snapshots *snapshots = host->snapshots;
    if (snapshots == NULL)
        return;
    kin__snapshots_set_period(snapshots, 0, snapshots->keep);
    kin__snapshots_drop_now(snapshots);
    kin__snapshots_drop(snapshots, 0);
    discharge(snapshots, snapshots->bytes);
}

void kin__snapshots_release(kin__snapshots *snapshots)
{
    if (snapshots != NULL)
        kin__bounded_release(snapshots->heap, snapshots, sizeof *snapshots);
}

// ---- methods

// snapshots.list, .take, .restore and .drop: states of a world to return to.

enum { MOST_UPDATES = 1000000 };

typedef struct snapshots_task {
    kin__snapshots *made; // for a host without any
    json_int_t number, every, keep;
    uint32_t previous;
    kin__snapshots state; // of the host, copied
} snapshots_task;

// ---- parameters

static bool can_have(const kin__task *task)
{
    return task->host->info != NULL || task->service->snapshots.take != NULL;
}

static bool parse_number(kin__task *task)
{
    return kin__parameter_integer(task, "snapshot", &((snapshots_task *)task->data)->number);
}

static bool parse_take(kin__task *task)
{
    snapshots_task *data = task->data;
    data->every = -1;
    if (!can_have(task))
        return kin__task_fail(task, KIN__CODE_PARAMETERS,
                              "the game has no world: set `snapshots` of the inspector's options");
    data->made = kin__snapshots_make(&task->service->heap, task->host, &task->service->snapshots);
    if (data->made == NULL)
        return kin__task_fail_memory(task);
    return kin__parameter_integer(task, "every", &data->every) && kin__parameter_integer(task, "keep", &data->keep);
}

static void release(kin__task *task)
{
    kin__snapshots_release(((snapshots_task *)task->data)->made);
}

// ---- what the host does

static bool finish(kin__task *task)
{
    snapshots_task *data = task->data;
    data->state.keep = KIN__KEPT_SNAPSHOTS;
    if (task->host->snapshots != NULL)
        data->state = *task->host->snapshots;
    task->frame = kin__host_frame(task->host);
    return true;
}

static bool step_list(kin__task *task)
{
    return finish(task);
}

static bool fail(kin__task *task)
{
    const kin__snapshots *snapshots = task->host->snapshots;
    if (snapshots->status == KIN_ERROR_LIMIT)
        return kin__task_fail(task, KIN__CODE_LIMIT, "%s", snapshots->trouble);
    task->status = kin_status_name(snapshots->status);
    return kin__task_fail(task, KIN__CODE_REFUSED - (int)snapshots->status, "%s", snapshots->trouble);
}

static bool step_take(kin__task *task)
{
    snapshots_task *data = task->data;
    if (task->host->snapshots == NULL) {
        task->host->snapshots = data->made;
        data->made = NULL;
    }
    kin__snapshots *snapshots = task->host->snapshots;
    uint32_t every = snapshots->every;
    uint32_t keep = snapshots->keep;
    if (data->every >= 0)
        every = (uint32_t)data->every;
    if (data->keep > 0)
        keep = (uint32_t)data->keep;
    kin__snapshots_set_period(snapshots, every, keep);
    if (data->every == 0)
        return finish(task);
    data->number = kin__snapshots_take(snapshots, 0);
    if (data->number == 0)
        return fail(task);
    return finish(task);
}

static bool has_no_such(kin__task *task)
{
    const snapshots_task *data = task->data;
    if (kin__snapshots_find(task->host->snapshots, (uint32_t)data->number) != NULL)
        return false;
    kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no such snapshot; snapshots.list has them");
    return true;
}

static bool step_restore(kin__task *task)
{
    snapshots_task *data = task->data;
    if (has_no_such(task))
        return true;
    kin_status status = kin__snapshots_restore(&task->service->sites, task->host->snapshots, (uint32_t)data->number,
                                               kin__parameter_bool(task, "anew"), &data->previous);
    if (status != KIN_OK)
        return fail(task);
    return finish(task);
}

static bool step_drop(kin__task *task)
{
    snapshots_task *data = task->data;
    if (data->number > 0 && has_no_such(task))
        return true;
    if (task->host->snapshots != NULL)
        data->previous = kin__snapshots_drop(task->host->snapshots, (uint32_t)data->number);
    return finish(task);
}

// ---- answers

static void put_number(kin__json *json, const char *key, uint32_t number)
{
    kin__json_key(json, key);
    if (number == 0)
        kin__json_null(json);
    else
        kin__json_natural(json, number);
}

static void show_state(const kin__task *task, kin__json *json)
{
    const kin__snapshots *state = &((const snapshots_task *)task->data)->state;
    kin__json_put_natural(json, "count", state->count);
    kin__json_put_natural(json, "every", state->every);
    kin__json_put_natural(json, "keep", state->keep);
    kin__json_put_natural(json, "bytes", state->bytes);
    kin__json_put_natural(json, "limit", task->service->heap.limit / 2);
    kin__json_put_natural(json, "microseconds", state->microseconds);
    kin__json_put_text(json, "trouble", state->trouble);
}

static void show_list(const kin__task *task, kin__json *json)
{
    const snapshots_task *data = task->data;
    kin__task_show_frame(task, json);
    kin__json_put_bool(json, "available", can_have(task));
    kin__json_put_bool(json, "comparable", task->service->snapshots.take == NULL);
    show_state(task, json);
    put_number(json, "standing", data->state.standing);
    kin__json_begin_member(json, "snapshots", '[');
    for (uint32_t i = 0; i < data->state.count; i++) {
        const kin__kept_snapshot *kept = &data->state.places[i];
        kin__json_begin(json, '{');
        kin__json_put_natural(json, "snapshot", kept->number);
        kin__json_put_natural(json, "frame", kept->frame);
        kin__json_put_number(json, "time", kept->time);
        kin__json_put_natural(json, "entities", kept->entities);
        kin__json_put_natural(json, "bytes", kept->bytes);
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
}

static void show_take(const kin__task *task, kin__json *json)
{
    kin__json_put_natural(json, "frame", task->frame);
    put_number(json, "snapshot", (uint32_t)((const snapshots_task *)task->data)->number);
    show_state(task, json);
}

static void show_restore(const kin__task *task, kin__json *json)
{
    const snapshots_task *data = task->data;
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_natural(json, "snapshot", (uint64_t)data->number);
    put_number(json, "previous", data->previous);
}

static void show_drop(const kin__task *task, kin__json *json)
{
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_natural(json, "dropped", ((const snapshots_task *)task->data)->previous);
}

const kin__method kin__method_snapshot_list = {
    .name = "snapshots.list",
    .doc = "The snapshots, the oldest first, each with the last update before it. Not available: the game has no world "
           "and gives no functions. Standing: the one that was taken or restored last.",
    .result = "frame, available, comparable, count, every, keep, bytes, limit, microseconds, trouble, standing, "
              "snapshots of snapshot, frame, time, entities and bytes",
    .parameters = {KIN__WORLD_PARAMETER},
    .data_size = sizeof(snapshots_task),
    .step = step_list,
    .show = show_list,
};

const kin__method kin__method_snapshot_take = {
    .name = "snapshots.take",
    .doc = "Takes a snapshot of the world, and with `every` others again and again, until no viewer has asked for "
           "anything for ten seconds. The newest ones stay, as many as `keep` and half of the inspector's memory.",
    .result = "frame, snapshot, count, every, keep, bytes, limit, microseconds, trouble",
    .writes = true,
    .parameters = {KIN__WORLD_PARAMETER,
                   {"every", "integer", false, "also after so many updates each; 0 ends that, and takes none", 0,
                    MOST_UPDATES},
                   {"keep", "integer", false, "1 to 120; 60 without it", 1, KIN__MAX_SNAPSHOTS}},
    .data_size = sizeof(snapshots_task),
    .parse = parse_take,
    .step = step_take,
    .show = show_take,
    .release = release,
};

const kin__method kin__method_snapshot_restore = {
    .name = "snapshots.restore",
    .doc = "Returns to a snapshot, before the next update. Takes a snapshot of the state before, which undoes it, "
           "unless nothing has changed since one. Journals, watches, marks, plots and snapshots stay.",
    .result = "frame, snapshot, previous",
    .writes = true,
    .parameters = {KIN__WORLD_PARAMETER,
                   {"snapshot", "integer", true, "its number", 1, UINT32_MAX},
                   {"anew", "boolean", false, "collectors and group systems are notified of all entities", 0, 0}},
    .data_size = sizeof(snapshots_task),
    .parse = parse_number,
    .step = step_restore,
    .show = show_restore,
};

const kin__method kin__method_snapshot_drop = {
    .name = "snapshots.drop",
    .doc = "Forgets a snapshot, or all.",
    .result = "frame, dropped",
    .writes = true,
    .parameters = {KIN__WORLD_PARAMETER, {"snapshot", "integer", false, "its number; without it all", 1, UINT32_MAX}},
    .data_size = sizeof(snapshots_task),
    .parse = parse_number,
    .step = step_drop,
    .show = show_drop,
};
