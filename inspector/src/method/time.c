// time.get, .pause, .resume, .step and .speed: the time of a world or game.
//
// A paused world passes its updates over; drawing and input go on. When nobody asks for anything for ten seconds, the
// game has its time back.

#include "method/host.h"
#include "method/methods.h"
#include "site/clock.h"

typedef struct time_task {
    json_int_t updates;
    double speed, delta;
    kin__pace pace; // after the change
    kin_tick tick;
    uint64_t update_last;
} time_task;

static bool parse(kin__task *task)
{
    if (!kin__parameter_host(task, false) || !kin__task_make_data(task, sizeof(time_task)))
        return false;
    time_task *data = task->data;
    data->updates = 1;
    data->speed = 1;
    return true;
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
    return parse(task) && kin__parameter_integer(task, "updates", 1, 1000000, &((time_task *)task->data)->updates) &&
           read_number(task, "delta", 0, 3600, &((time_task *)task->data)->delta);
}

static bool parse_speed(kin__task *task)
{
    return parse(task) && read_number(task, "speed", 0.05, 8, &((time_task *)task->data)->speed);
}

// Keeps the count of what needs attention in step with the pace.
static void set_pace(kin__task *task, kin__pace pace)
{
    kin__host *host = task->host;
    bool is_paced = pace.is_paused || (pace.speed != 0 && pace.speed != 1);
    if (is_paced && !host->is_paced)
        atomic_fetch_add(&host->attention, 1);
    if (!is_paced && host->is_paced)
        atomic_fetch_sub(&host->attention, 1);
    host->is_paced = is_paced;
    host->pace = is_paced ? pace : (kin__pace){0};
}

static bool finish(kin__task *task)
{
    time_task *data = task->data;
    data->pace = task->host->pace;
    data->update_last = task->host->update_last;
    data->tick = kin_world_tick(task->host->world);
    return true;
}

static bool step_get(kin__task *task, const kin__slice *slice)
{
    (void)slice;
    return finish(task);
}

static bool step_pause(kin__task *task, const kin__slice *slice)
{
    kin__pace pace = task->host->pace;
    (void)slice;
    pace.is_paused = true;
    pace.steps = 0;
    set_pace(task, pace);
    return finish(task);
}

static bool step_resume(kin__task *task, const kin__slice *slice)
{
    kin__pace pace = task->host->pace;
    (void)slice;
    pace.is_paused = false;
    pace.steps = 0;
    set_pace(task, pace);
    return finish(task);
}

static bool step_step(kin__task *task, const kin__slice *slice)
{
    const time_task *data = task->data;
    kin__pace pace = task->host->pace;
    (void)slice;
    pace.is_paused = true;
    pace.steps = (uint32_t)data->updates;
    pace.step_delta = data->delta;
    set_pace(task, pace);
    return finish(task);
}

static bool step_speed(kin__task *task, const kin__slice *slice)
{
    kin__pace pace = task->host->pace;
    (void)slice;
    pace.speed = ((time_task *)task->data)->speed;
    set_pace(task, pace);
    return finish(task);
}

static void show(const kin__task *task, kin__json *json)
{
    const time_task *data = task->data;
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_bool(json, "paused", data->pace.is_paused);
    kin__json_put_natural(json, "steps", data->pace.steps);
    kin__json_key(json, "speed");
    kin__json_number(json, data->pace.speed == 0 ? 1 : data->pace.speed, false);
    kin__json_key(json, "delta");
    kin__json_number(json, data->tick.delta, false);
    kin__json_key(json, "time");
    kin__json_number(json, data->tick.time, false);
    kin__json_put_natural(json, "update_nanoseconds", data->update_last);
    kin__json_end(json, '}');
}

#define WORLD                                                                                                          \
    {                                                                                                                  \
        "world", "string", false, "the world; may be left out if there is one"                                         \
    }
#define RESULT "frame, paused, steps, speed, delta, time, update_nanoseconds"

const kin__method kin__method_time = {
    .name = "time.get",
    .doc = "Whether the world is paused, its speed, and the time of its last update.",
    .result = RESULT,
    .parameters = {WORLD},
    .parse = parse,
    .step = step_get,
    .show = show,
};

const kin__method kin__method_pause = {
    .name = "time.pause",
    .doc = "Passes updates over, until time.resume, or until nobody has asked for anything for ten seconds.",
    .result = RESULT,
    .writes = true,
    .parameters = {WORLD},
    .parse = parse,
    .step = step_pause,
    .show = show,
};

const kin__method kin__method_resume = {
    .name = "time.resume",
    .doc = "Ends a pause.",
    .result = RESULT,
    .writes = true,
    .parameters = {WORLD},
    .parse = parse,
    .step = step_resume,
    .show = show,
};

const kin__method kin__method_step = {
    .name = "time.step",
    .doc = "Pauses the world, and lets updates through.",
    .result = RESULT,
    .writes = true,
    .parameters = {WORLD,
                   {"updates", "integer", false, "how many; 1 without it"},
                   {"delta", "any", false, "their delta; without it, or 0, that of the game"}},
    .parse = parse_step,
    .step = step_step,
    .show = show,
};

const kin__method kin__method_speed = {
    .name = "time.speed",
    .doc = "Multiplies the deltas of updates.",
    .result = RESULT,
    .writes = true,
    .parameters = {WORLD, {"speed", "any", true, "0.05 to 8; 1 is the time of the game"}},
    .parse = parse_speed,
    .step = step_speed,
    .show = show,
};
