// Time: the pace that viewers give a host, and holds of its updates.
//
// time.until asks a query after each update or after each system, until it comes to match an entity, or none. It is
// asked whole: one that takes too much of the processor several times in a row is refused (INS-62). The thread of the
// host asks it.
#include "feature/internal.h"

#include <stdio.h>
#include <string.h>

enum {
    KIN__UNTIL_MICROSECONDS = 2000, // processor time of one ask, at most
    MOST_SLOW_ASKS = 3,             // one after the other; a busy machine makes any ask slow once
};

typedef struct kin__until {
    kin__bounded_heap *heap;
    const kin__site *site;
    bool wants_none;  // holds when no entity matches
    bool each_system; // is asked after each system, too
    uint32_t took;    // microseconds of the processor for the last ask
    int slow_asks;    // one after the other, up to the last ask
    size_t scratch_size;
    void *scratch; // kin__query_scratch
    kin__query query;
} kin__until;

typedef struct time_task {
    json_int_t updates, systems;
    double speed, delta;
    kin__until *until; // of time.until, until the host takes it
    // after the change
    kin__pace pace;
    kin__held held;
    kin_tick tick;
    uint64_t update_last;
    kin__until_state until_state;
    uint64_t until_frame;
    uint32_t until_took;
} time_task;

#define KIN__TIME_RESULT                                                                                               \
    "frame, paused, by: the viewer that paused, steps, speed, delta, time, update_nanoseconds, hold: the system "      \
    "before "                                                                                                          \
    "which updates are held, held: null or system, role, step and after, on_hold: whether the game draws meanwhile, "  \
    "until: null or state, frame and microseconds"

// ---- pace

// Keeps the count of what needs attention in step with the pace.
void kin__pace_set(kin__host *host, const kin__pace *pace)
{
    KIN_ASSERT(pace->steps == 0 || pace->is_paused);
    bool has_speed = pace->speed != 0 && pace->speed != 1;
    bool holds = pace->hold[0] != '\0' || pace->system_steps > 0 || host->until != NULL;
    bool is_paced = pace->is_paused || has_speed || holds;
    if (is_paced && !host->is_paced)
        atomic_fetch_add(&host->attention, 1);
    if (!is_paced && host->is_paced)
        atomic_fetch_sub(&host->attention, 1);
    host->is_paced = is_paced;
    host->pace = *pace;
}

void kin__pace_set_until(kin__host *host, kin__until *until, kin__until_state state)
{
    kin__pace pace = host->pace;
    kin__until_destroy(host->until);
    host->until = until;
    host->until_state = state;
    host->until_frame = kin__host_frame(host);
    kin__pace_set(host, &pace);
}

void kin__pace_end(kin__host *host)
{
    kin__pace_set_until(host, NULL, KIN__UNTIL_NONE);
    kin__pace_set(host, &(kin__pace){0});
    host->held.goes_on = true;
}

// ---- until

static kin__until *until_create(kin__bounded_heap *heap, const kin__site *site)
{
    kin__until *until = kin__bounded_zeros(heap, sizeof *until);
    if (until == NULL)
        return NULL;
    until->heap = heap;
    until->site = site;
    until->scratch_size = kin__query_scratch(site->info);
    until->scratch = kin__bounded_allocate(heap, until->scratch_size);
    if (until->scratch != NULL)
        return until;
    kin__until_destroy(until);
    return NULL;
}

void kin__until_destroy(kin__until *until)
{
    if (until == NULL)
        return;
    kin__bounded_heap *heap = until->heap;
    kin__bounded_release(heap, until->scratch, until->scratch_size);
    kin__bounded_release(heap, until, sizeof *until);
}

// One that takes too long is not asked to its end.
bool kin__until_is_of_systems(const kin__until *until)
{
    return until->each_system;
}

// One cut short has no answer yet.
static kin__until_answer ask_query(kin__until *until)
{
    KIN_ASSERT(until->scratch != NULL);
    uint64_t began = kin__inspect_worked();
    uint64_t limit = KIN__UNTIL_MICROSECONDS * (uint64_t)1000;
    uint32_t words = kin_look_words(until->site->context);
    bool has_match = false;
    bool is_cut = false;
    for (uint32_t word = 0; word < words && !has_match && !is_cut; word++) {
        has_match = kin__query_word(&until->query, until->site->context, word, until->scratch) != 0;
        is_cut = !has_match && word % 16 == 15 && kin__inspect_worked() - began > limit;
    }
    uint64_t took = kin__inspect_worked() - began;
    until->took = (uint32_t)(took / 1000);
    until->slow_asks = took > limit ? until->slow_asks + 1 : 0;
    if (until->slow_asks == MOST_SLOW_ASKS)
        return KIN__UNTIL_TOO_LONG;
    if (is_cut || has_match == until->wants_none)
        return KIN__UNTIL_NO;
    return KIN__UNTIL_YES;
}

kin__until_answer kin__until_ask(kin__host *host)
{
    if (host->until == NULL)
        return KIN__UNTIL_NO;
    kin__until_answer answer = ask_query(host->until);
    host->until_took = host->until->took;
    return answer;
}

// ---- methods

// time.get, .pause, .resume, .step and .speed: the time of a world or game.
//
// A paused world passes its updates over; drawing and input go on. The viewer that paused it holds it: others see its
// name, and can change the time when it was silent for 30 seconds. When nobody asks for anything for ten seconds, the
// game has its time back.

static const uint64_t patience = 30 * (uint64_t)1000000000;

// ---- parameters

static bool read_number(kin__task *task, const char *name, double least, double most, double *value)
{
    const json_t *given = kin__parameter_any(task, name);
    if (given == NULL)
        return true;
    *value = json_number_value(given);
    bool is_in_range = *value >= least && *value <= most;
    if (json_is_number(given) && is_in_range)
        return true;
    return kin__task_fail(task, KIN__CODE_PARAMETERS, "'%s' must be a number from %g to %g", name, least, most);
}

static bool parse_step(kin__task *task)
{
    time_task *data = task->data;
    data->updates = 1;
    if (kin__parameter_any(task, "systems") != NULL && atomic_load(&task->host->system_count) == 0)
        return kin__task_fail_systems(task);
    return kin__parameter_integer(task, "updates", &data->updates) &&
           kin__parameter_integer(task, "systems", &data->systems) && read_number(task, "delta", 0, 3600, &data->delta);
}

static bool parse_speed(kin__task *task)
{
    return read_number(task, "speed", 0.05, 8, &((time_task *)task->data)->speed);
}

// ---- changing

static const char *viewer_of(const kin__task *task)
{
    return task->viewer == NULL ? "" : task->viewer;
}

static bool time_may_change(kin__task *task)
{
    const char *holder = task->host->pace.holder;
    if (holder[0] == '\0' || strcmp(holder, viewer_of(task)) == 0)
        return true;
    uint64_t seen = kin__viewers_seen(&task->service->sites.viewers, holder);
    if (kin__inspect_now() > seen + patience)
        return true;
    return kin__task_fail(task, KIN__CODE_HELD,
                          "%s has paused %s; others can change its time 30 seconds after that viewer has gone", holder,
                          task->host->name);
}

// Sets the pace with this viewer as the one that holds it.
static void time_set_held_pace(kin__task *task, kin__pace pace)
{
    snprintf(pace.holder, sizeof pace.holder, "%s", viewer_of(task));
    kin__pace_set(task->host, &pace);
}

// Notes how the time is then. Returns true.
static bool time_finish(kin__task *task)
{
    time_task *data = task->data;
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

static bool step_get(kin__task *task)
{
    return time_finish(task);
}

static bool step_pause(kin__task *task)
{
    kin__pace pace = task->host->pace;
    if (!time_may_change(task))
        return true;
    pace.is_paused = true;
    pace.steps = pace.system_steps = 0;
    time_set_held_pace(task, pace);
    return time_finish(task);
}

static bool step_resume(kin__task *task)
{
    kin__pace pace = {.speed = task->host->pace.speed};
    if (!time_may_change(task))
        return true;
    kin__pace_set_until(task->host, NULL, KIN__UNTIL_NONE);
    kin__pace_set(task->host, &pace);
    task->host->held.goes_on = true;
    return time_finish(task);
}

// An update that is held is the first one.
static bool step_step(kin__task *task)
{
    const time_task *data = task->data;
    kin__pace pace = task->host->pace;
    if (!time_may_change(task))
        return true;
    pace.is_paused = true;
    pace.system_steps = (uint32_t)data->systems;
    pace.steps = 0;
    if (data->systems == 0)
        pace.steps = (uint32_t)data->updates - task->host->held.is_held;
    pace.step_delta = data->delta;
    task->host->held.goes_on = true;
    time_set_held_pace(task, pace);
    return time_finish(task);
}

static bool step_speed(kin__task *task)
{
    kin__pace pace = task->host->pace;
    if (!time_may_change(task))
        return true;
    pace.speed = ((time_task *)task->data)->speed;
    kin__pace_set(task->host, &pace);
    return time_finish(task);
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

static void show_until(const time_task *data, kin__json *json)
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

static void time_show(const kin__task *task, kin__json *json)
{
    const time_task *data = task->data;
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_bool(json, "paused", data->pace.is_paused);
    kin__json_put_text(json, "by", data->pace.holder);
    kin__json_put_natural(json, "steps", data->pace.steps);
    kin__json_put_number(json, "speed", data->pace.speed == 0 ? 1 : data->pace.speed);
    kin__json_put_number(json, "delta", data->tick.delta);
    kin__json_put_number(json, "time", data->tick.time);
    kin__json_put_natural(json, "update_nanoseconds", data->update_last);
    kin__json_put_text(json, "hold", data->pace.hold);
    show_held(&data->held, json);
    kin__json_put_bool(json, "on_hold", task->service->on_hold != NULL);
    show_until(data, json);
}

const kin__method kin__method_time = {
    .name = "time.get",
    .doc = "Whether the world is paused or held, its speed, and the time of its last update.",
    .result = KIN__TIME_RESULT,
    .parameters = {KIN__WORLD_PARAMETER},
    .data_size = sizeof(time_task),
    .step = step_get,
    .show = time_show,
};

const kin__method kin__method_pause = {
    .name = "time.pause",
    .doc = "Passes updates over, until time.resume, or until nobody has asked for anything for ten seconds.",
    .result = KIN__TIME_RESULT,
    .writes = true,
    .sets_pace = true,
    .parameters = {KIN__WORLD_PARAMETER},
    .data_size = sizeof(time_task),
    .step = step_pause,
    .show = time_show,
};

const kin__method kin__method_resume = {
    .name = "time.resume",
    .doc = "Ends a pause, a hold and what is asked until it holds.",
    .result = KIN__TIME_RESULT,
    .writes = true,
    .sets_pace = true,
    .parameters = {KIN__WORLD_PARAMETER},
    .data_size = sizeof(time_task),
    .step = step_resume,
    .show = time_show,
};

const kin__method kin__method_step = {
    .name = "time.step",
    .doc = "Pauses the world, and lets updates through, or holds it after some systems.",
    .result = KIN__TIME_RESULT,
    .writes = true,
    .sets_pace = true,
    .parameters = {KIN__WORLD_PARAMETER,
                   {"updates", "integer", false, "how many; 1 without it", 1, 1000000},
                   {"systems", "integer", false, "in place of updates: the update is held before the n-th next system",
                    1, 1000000},
                   {"delta", "any", false, "their delta; without it, or 0, that of the game", 0, 0}},
    .data_size = sizeof(time_task),
    .parse = parse_step,
    .step = step_step,
    .show = time_show,
};

const kin__method kin__method_speed = {
    .name = "time.speed",
    .doc = "Multiplies the deltas of updates.",
    .result = KIN__TIME_RESULT,
    .writes = true,
    .sets_pace = true,
    .parameters = {KIN__WORLD_PARAMETER, {"speed", "any", true, "0.05 to 8; 1 is the time of the game", 0, 0}},
    .data_size = sizeof(time_task),
    .parse = parse_speed,
    .step = step_speed,
    .show = time_show,
};

// ---- hold and until

// time.hold and time.until: an update that stops at a system, and a world that is paused when a query holds.

// ---- holding

static bool parse_hold(kin__task *task)
{
    const char *name = kin__parameter_text(task, "system");
    bool is_valid = name == NULL || (name[0] != '\0' && strlen(name) < KIN__SITE_NAME);
    if (is_valid)
        return true;
    return kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no system '%.60s'", name);
}

static bool step_hold(kin__task *task)
{
    const char *name = kin__parameter_text_or_empty(task, "system");
    kin__pace pace = task->host->pace;
    if (!time_may_change(task))
        return true;
    if (name[0] != '\0' && !kin__task_needs_system(task, name))
        return false;
    snprintf(pace.hold, sizeof pace.hold, "%s", name);
    time_set_held_pace(task, pace);
    return time_finish(task);
}

const kin__method kin__method_hold = {
    .name = "time.hold",
    .doc = "Holds each update before a system, until time.resume. The thread of the game waits there, answers, and "
           "makes changes unless the system has been given its entities already.",
    .result = KIN__TIME_RESULT,
    .writes = true,
    .sets_pace = true,
    .parameters = {KIN__WORLD_PARAMETER,
                   {"system", "string", false,
                    "the name of a system or node; without it, updates are not held any more", 0, 0}},
    .needs_systems = true,
    .data_size = sizeof(time_task),
    .parse = parse_hold,
    .step = step_hold,
    .show = time_show,
};

// ---- until a query holds

static bool is_one_of(kin__task *task, const char *name, const char *first, const char *second, bool *is_second)
{
    const char *given = kin__parameter_text(task, name);
    *is_second = false;
    if (given == NULL || strcmp(given, first) == 0)
        return true;
    *is_second = strcmp(given, second) == 0;
    if (*is_second)
        return true;
    return kin__task_fail(task, KIN__CODE_PARAMETERS, "'%s' must be \"%s\" or \"%s\"", name, first, second);
}

static bool parse_until(kin__task *task)
{
    time_task *data = task->data;
    data->until = until_create(&task->service->heap, task->site);
    if (data->until == NULL)
        return kin__task_fail_memory(task);
    if (!kin__parameter_query(task, &data->until->query) ||
        !is_one_of(task, "for", "any", "none", &data->until->wants_none) ||
        !is_one_of(task, "after", "update", "system", &data->until->each_system))
        return false;
    if (!data->until->each_system || atomic_load(&task->host->system_count) > 0)
        return true;
    return kin__task_fail_systems(task);
}

// The world goes on, and is paused when the query holds.
static bool step_until(kin__task *task)
{
    time_task *data = task->data;
    kin__pace pace = task->host->pace;
    if (!time_may_change(task))
        return true;
    kin__until_answer answer = ask_query(data->until);
    while (answer == KIN__UNTIL_NO && data->until->slow_asks > 0)
        answer = ask_query(data->until);
    if (answer == KIN__UNTIL_TOO_LONG)
        return kin__task_fail(task, KIN__CODE_LIMIT,
                              "asking took %u microseconds, and may take %d: name more components",
                              (unsigned)data->until->took, KIN__UNTIL_MICROSECONDS);
    bool is_met = answer == KIN__UNTIL_YES;
    pace.is_paused = is_met;
    pace.steps = 0;
    pace.system_steps = 0;
    task->host->until_took = data->until->took;
    if (is_met) {
        kin__pace_set_until(task->host, NULL, KIN__UNTIL_MET);
    } else {
        kin__pace_set_until(task->host, data->until, KIN__UNTIL_ASKED);
        data->until = NULL;
    }
    task->host->held.goes_on = !is_met;
    time_set_held_pace(task, pace);
    return time_finish(task);
}

static void release_until(kin__task *task)
{
    const time_task *data = task->data;
    kin__until_destroy(data->until);
}

const kin__method kin__method_until = {
    .name = "time.until",
    .doc = "Lets the world go on, and pauses it when a query comes to match an entity, or none.",
    .result = KIN__TIME_RESULT,
    .writes = true,
    .sets_pace = true,
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"query", "string", true, "as of entities.query", 0, 0},
                   {"for", "string", false, "\"any\", which is the default: until an entity matches; or \"none\"", 0,
                    0},
                   {"after", "string", false, "\"update\", which is the default: asked after each; or \"system\"", 0,
                    0}},
    .data_size = sizeof(time_task),
    .parse = parse_until,
    .step = step_until,
    .show = time_show,
    .release = release_until,
};
