// time.get, .pause, .resume, .step and .speed: the time of a world or game.
//
// A paused world passes its updates over; drawing and input go on. The viewer that paused it holds it: others see its
// name, and can change the time when it was silent for 30 seconds. When nobody asks for anything for ten seconds, the
// game has its time back.

#include "method/time.h"

#include "method/host.h"
#include "method/methods.h"
#include "host/host.h"
#include "site/pace.h"

#include <stdio.h>
#include <string.h>

static const uint64_t patience = 30 * (uint64_t)1000000000;

// ---- parameters

bool kin__time_parse(kin__task *task)
{
    if (!kin__task_make_data(task, sizeof(kin__time_task)))
        return false;
    kin__time_task *data = task->data;
    data->updates = 1;
    data->speed = 1;
    return true;
}

static bool parse(kin__task *task)
{
    return kin__parameter_host(task, false) && kin__time_parse(task);
}

static bool read_number(kin__task *task, const char *name, double least, double most, double *value)
{
    const json_t *given = kin__parameter_any(task, name);
    if (given == NULL)
        return true;
    *value = json_number_value(given);
    if (json_is_number(given) && *value >= least && *value <= most)
        return true;
    return kin__task_fail(task, KIN__CODE_PARAMETERS, "'%s' must be a number from %g to %g", name, least, most);
}

static bool parse_step(kin__task *task)
{
    if (!parse(task))
        return false;
    kin__time_task *data = task->data;
    if (kin__parameter_any(task, "systems") != NULL && atomic_load(&task->host->system_count) == 0)
        return kin__task_fail(task, KIN__CODE_PARAMETERS,
                              "the game has given no systems: kin_inspector_add(inspector, context, systems)");
    return kin__parameter_integer(task, "updates", 1, 1000000, &data->updates) &&
           kin__parameter_integer(task, "systems", 1, 1000000, &data->systems) &&
           read_number(task, "delta", 0, 3600, &data->delta);
}

static bool parse_speed(kin__task *task)
{
    return parse(task) && read_number(task, "speed", 0.05, 8, &((kin__time_task *)task->data)->speed);
}

// ---- changing

bool kin__time_may_change(kin__task *task)
{
    const char *holder = task->host->pace.holder, *viewer = task->viewer == NULL ? "" : task->viewer;
    if (holder[0] == '\0' || strcmp(holder, viewer) == 0)
        return true;
    uint64_t seen = kin__viewers_seen(&task->service->sites.viewers, holder);
    if (kin__inspect_now() > seen + patience)
        return true;
    return kin__task_fail(task, KIN__CODE_HELD,
                          "%s has paused %s; others can change its time 30 seconds after that viewer has gone", holder,
                          task->host->name);
}

void kin__time_set_held_pace(kin__task *task, kin__pace pace)
{
    snprintf(pace.holder, sizeof pace.holder, "%s", task->viewer == NULL ? "" : task->viewer);
    kin__pace_set(task->host, &pace);
}

bool kin__time_finish(kin__task *task)
{
    kin__time_task *data = task->data;
    const kin__host *host = task->host;
    data->pace = host->pace;
    data->held = host->held;
    data->held.is_held = host->held.is_held && !host->held.goes_on;
    data->update_last = host->update_last;
    data->until_state = host->until_state;
    data->until_frame = host->until_frame;
    data->until_took = host->until_took;
    data->tick = kin_world_tick(host->world);
    return true;
}

static bool step_get(kin__task *task, const kin__slice *slice)
{
    (void)slice;
    return kin__time_finish(task);
}

static bool step_pause(kin__task *task, const kin__slice *slice)
{
    kin__pace pace = task->host->pace;
    (void)slice;
    if (!kin__time_may_change(task))
        return true;
    pace.is_paused = true;
    pace.steps = pace.system_steps = 0;
    kin__time_set_held_pace(task, pace);
    return kin__time_finish(task);
}

static bool step_resume(kin__task *task, const kin__slice *slice)
{
    kin__pace pace = {.speed = task->host->pace.speed};
    (void)slice;
    if (!kin__time_may_change(task))
        return true;
    kin__pace_set_until(task->host, NULL, KIN__UNTIL_NONE);
    kin__pace_set(task->host, &pace);
    task->host->held.goes_on = true;
    return kin__time_finish(task);
}

// An update that is held is the first one.
static bool step_step(kin__task *task, const kin__slice *slice)
{
    const kin__time_task *data = task->data;
    kin__pace pace = task->host->pace;
    (void)slice;
    if (!kin__time_may_change(task))
        return true;
    pace.is_paused = true;
    pace.system_steps = (uint32_t)data->systems;
    pace.steps = data->systems > 0 ? 0 : (uint32_t)data->updates - task->host->held.is_held;
    pace.step_delta = data->delta;
    task->host->held.goes_on = true;
    kin__time_set_held_pace(task, pace);
    return kin__time_finish(task);
}

static bool step_speed(kin__task *task, const kin__slice *slice)
{
    kin__pace pace = task->host->pace;
    (void)slice;
    if (!kin__time_may_change(task))
        return true;
    pace.speed = ((kin__time_task *)task->data)->speed;
    kin__pace_set(task->host, &pace);
    return kin__time_finish(task);
}

// ---- the answer

static void show_held(const kin__held *held, kin__json *json)
{
    kin__json_key(json, "held");
    if (!held->is_held) {
        kin__json_null(json);
        return;
    }
    kin__json_begin(json, '{');
    kin__json_put_string(json, "system", held->system);
    kin__json_put_string(json, "role", kin__role_name(held->role));
    kin__json_put_natural(json, "place", held->place);
    kin__json_put_natural(json, "step", held->step);
    kin__json_put_bool(json, "after", held->is_after);
    kin__json_end(json, '}');
}

static void show_until(const kin__time_task *data, kin__json *json)
{
    static const char *const states[] = {"", "asked", "met", "refused"};
    kin__json_key(json, "until");
    if (data->until_state == KIN__UNTIL_NONE) {
        kin__json_null(json);
        return;
    }
    kin__json_begin(json, '{');
    kin__json_put_string(json, "state", states[data->until_state]);
    kin__json_put_natural(json, "frame", data->until_frame);
    kin__json_put_natural(json, "microseconds", data->until_took);
    kin__json_end(json, '}');
}

static void put_number(kin__json *json, const char *key, double value)
{
    kin__json_key(json, key);
    kin__json_number(json, value, false);
}

static void put_text(kin__json *json, const char *key, const char *text)
{
    kin__json_put_string(json, key, text[0] == '\0' ? NULL : text);
}

void kin__time_show(const kin__task *task, kin__json *json)
{
    const kin__time_task *data = task->data;
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_bool(json, "paused", data->pace.is_paused);
    put_text(json, "by", data->pace.holder);
    kin__json_put_natural(json, "steps", data->pace.steps);
    put_number(json, "speed", data->pace.speed == 0 ? 1 : data->pace.speed);
    put_number(json, "delta", data->tick.delta);
    put_number(json, "time", data->tick.time);
    kin__json_put_natural(json, "update_nanoseconds", data->update_last);
    put_text(json, "hold", data->pace.hold);
    show_held(&data->held, json);
    kin__json_put_bool(json, "on_hold", task->service->on_hold != NULL);
    show_until(data, json);
    kin__json_end(json, '}');
}

const kin__method kin__method_time = {
    .name = "time.get",
    .doc = "Whether the world is paused or held, its speed, and the time of its last update.",
    .result = KIN__TIME_RESULT,
    .parameters = {KIN__WORLD_PARAMETER},
    .parse = parse,
    .step = step_get,
    .show = kin__time_show,
};

const kin__method kin__method_pause = {
    .name = "time.pause",
    .doc = "Passes updates over, until time.resume, or until nobody has asked for anything for ten seconds.",
    .result = KIN__TIME_RESULT,
    .writes = true,
    .sets_pace = true,
    .parameters = {KIN__WORLD_PARAMETER},
    .parse = parse,
    .step = step_pause,
    .show = kin__time_show,
};

const kin__method kin__method_resume = {
    .name = "time.resume",
    .doc = "Ends a pause, a hold and what is asked until it holds.",
    .result = KIN__TIME_RESULT,
    .writes = true,
    .sets_pace = true,
    .parameters = {KIN__WORLD_PARAMETER},
    .parse = parse,
    .step = step_resume,
    .show = kin__time_show,
};

const kin__method kin__method_step = {
    .name = "time.step",
    .doc = "Pauses the world, and lets updates through, or holds it after some systems.",
    .result = KIN__TIME_RESULT,
    .writes = true,
    .sets_pace = true,
    .parameters = {KIN__WORLD_PARAMETER,
                   {"updates", "integer", false, "how many; 1 without it"},
                   {"systems", "integer", false, "in place of updates: the update is held before the n-th next system"},
                   {"delta", "any", false, "their delta; without it, or 0, that of the game"}},
    .parse = parse_step,
    .step = step_step,
    .show = kin__time_show,
};

const kin__method kin__method_speed = {
    .name = "time.speed",
    .doc = "Multiplies the deltas of updates.",
    .result = KIN__TIME_RESULT,
    .writes = true,
    .sets_pace = true,
    .parameters = {KIN__WORLD_PARAMETER, {"speed", "any", true, "0.05 to 8; 1 is the time of the game"}},
    .parse = parse_speed,
    .step = step_speed,
    .show = kin__time_show,
};
