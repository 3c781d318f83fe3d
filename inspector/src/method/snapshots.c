// snapshots.list, .take, .restore and .drop: states of a world to return to.

#include "site/snapshots.h"
#include "method/host.h"
#include "method/methods.h"

#include <string.h>

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

static bool parse(kin__task *task)
{
    return kin__parameter_host(task, false) && kin__task_make_data(task, sizeof(snapshots_task));
}

static bool parse_number(kin__task *task)
{
    return parse(task) &&
           kin__parameter_integer(task, "snapshot", 1, UINT32_MAX, &((snapshots_task *)task->data)->number);
}

static bool parse_take(kin__task *task)
{
    if (!parse(task))
        return false;
    snapshots_task *data = task->data;
    data->every = -1;
    if (!can_have(task))
        return kin__task_fail(task, KIN__CODE_PARAMETERS,
                              "the game has no world: set `snapshots` of the inspector's options");
    data->made = kin__snapshots_make(&task->service->heap, task->host, &task->service->snapshots);
    if (data->made == NULL)
        return kin__task_fail(task, KIN__CODE_LIMIT, "the inspector has no memory left");
    return kin__parameter_integer(task, "every", 0, MOST_UPDATES, &data->every) &&
           kin__parameter_integer(task, "keep", 1, KIN__MAX_SNAPSHOTS, &data->keep);
}

static void release(kin__task *task)
{
    if (task->data != NULL)
        kin__snapshots_release(((snapshots_task *)task->data)->made);
}

// ---- what the host does

static bool finish(kin__task *task)
{
    snapshots_task *data = task->data;
    if (task->host->snapshots != NULL)
        data->state = *task->host->snapshots;
    task->frame = kin__host_frame(task->host);
    return true;
}

static bool step_list(kin__task *task, const kin__slice *slice)
{
    (void)slice;
    return finish(task);
}

static bool fail(kin__task *task)
{
    const kin__snapshots *snapshots = task->host->snapshots;
    bool is_limit = snapshots->status == KIN_ERROR_LIMIT;
    task->status = is_limit ? NULL : kin_status_name(snapshots->status);
    kin__task_fail(task, is_limit ? KIN__CODE_LIMIT : KIN__CODE_REFUSED - (int)snapshots->status, "%s",
                   snapshots->trouble);
    return true;
}

static bool step_take(kin__task *task, const kin__slice *slice)
{
    snapshots_task *data = task->data;
    (void)slice;
    if (task->host->snapshots == NULL) {
        task->host->snapshots = data->made;
        data->made = NULL;
    }
    kin__snapshots *snapshots = task->host->snapshots;
    kin__snapshots_set_period(snapshots, data->every >= 0 ? (uint32_t)data->every : snapshots->every,
                              data->keep > 0 ? (uint32_t)data->keep : snapshots->keep);
    if (data->every == 0)
        return finish(task);
    data->number = kin__snapshots_take(snapshots, 0);
    return data->number == 0 ? fail(task) : finish(task);
}

static bool has_no_such(kin__task *task)
{
    const snapshots_task *data = task->data;
    if (kin__snapshots_find(task->host->snapshots, (uint32_t)data->number) != NULL)
        return false;
    kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no such snapshot; snapshots.list has them");
    return true;
}

static bool step_restore(kin__task *task, const kin__slice *slice)
{
    snapshots_task *data = task->data;
    (void)slice;
    if (has_no_such(task))
        return true;
    kin_status status = kin__snapshots_restore(&task->service->sites, task->host->snapshots, (uint32_t)data->number,
                                               kin__parameter_bool(task, "anew"), &data->previous);
    return status != KIN_OK ? fail(task) : finish(task);
}

static bool step_drop(kin__task *task, const kin__slice *slice)
{
    snapshots_task *data = task->data;
    (void)slice;
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
    kin__json_put_natural(json, "keep", state->keep == 0 ? KIN__KEPT_SNAPSHOTS : state->keep);
    kin__json_put_natural(json, "bytes", state->bytes);
    kin__json_put_natural(json, "limit", task->service->heap.limit / 2);
    kin__json_put_natural(json, "microseconds", state->microseconds);
    kin__json_put_string(json, "trouble", state->trouble[0] == '\0' ? NULL : state->trouble);
}

static void show_kept(kin__json *json, const kin__kept_snapshot *kept)
{
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "snapshot", kept->number);
    kin__json_put_natural(json, "frame", kept->frame);
    kin__json_key(json, "time");
    kin__json_number(json, kept->time, false);
    kin__json_put_natural(json, "entities", kept->entities);
    kin__json_put_natural(json, "bytes", kept->bytes);
    kin__json_end(json, '}');
}

static void show_list(const kin__task *task, kin__json *json)
{
    const snapshots_task *data = task->data;
    kin__json_begin(json, '{');
    kin__task_show_frame(task, json);
    kin__json_put_bool(json, "available", can_have(task));
    kin__json_put_bool(json, "comparable", task->service->snapshots.take == NULL);
    show_state(task, json);
    put_number(json, "standing", data->state.standing);
    kin__json_key(json, "snapshots");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < data->state.count; i++)
        show_kept(json, &data->state.places[i]);
    kin__json_end(json, ']');
    kin__json_end(json, '}');
}

static void show_take(const kin__task *task, kin__json *json)
{
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "frame", task->frame);
    put_number(json, "snapshot", (uint32_t)((const snapshots_task *)task->data)->number);
    show_state(task, json);
    kin__json_end(json, '}');
}

static void show_restore(const kin__task *task, kin__json *json)
{
    const snapshots_task *data = task->data;
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_natural(json, "snapshot", (uint64_t)data->number);
    put_number(json, "previous", data->previous);
    kin__json_end(json, '}');
}

static void show_drop(const kin__task *task, kin__json *json)
{
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_natural(json, "dropped", ((const snapshots_task *)task->data)->previous);
    kin__json_end(json, '}');
}

const kin__method kin__method_snapshot_list = {
    .name = "snapshots.list",
    .doc = "The snapshots, the oldest first, each with the last update before it. Not available: the game has no world "
           "and gives no functions. Standing: the one that was taken or restored last.",
    .result = "frame, available, comparable, count, every, keep, bytes, limit, microseconds, trouble, standing, "
              "snapshots of snapshot, frame, time, entities and bytes",
    .parameters = {KIN__WORLD_PARAMETER},
    .parse = parse,
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
                   {"every", "integer", false, "also after so many updates each; 0 ends that, and takes none"},
                   {"keep", "integer", false, "1 to 120; 60 without it"}},
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
                   {"snapshot", "integer", true, "its number"},
                   {"anew", "boolean", false, "collectors and group systems are notified of all entities"}},
    .parse = parse_number,
    .step = step_restore,
    .show = show_restore,
};

const kin__method kin__method_snapshot_drop = {
    .name = "snapshots.drop",
    .doc = "Forgets a snapshot, or all.",
    .result = "frame, dropped",
    .writes = true,
    .parameters = {KIN__WORLD_PARAMETER, {"snapshot", "integer", false, "its number; without it all"}},
    .parse = parse_number,
    .step = step_drop,
    .show = show_drop,
};
