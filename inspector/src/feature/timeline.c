// Timeline: when each system and node was called in the last updates, and what it created, destroyed and changed.
//
//   frames [ frame | frame | … ]          a ring: the first span of each, and how many it has
//   spans  [ span | span | span | … ]     a ring: in the order in which they began; inner ones after outer ones
//
// Invariants:
//   1. spans of a frame are one after the other in their ring, and are there as long as the frame
//   2. attention of the host is one more while the timeline records, by the calls that it follows
//
// It ends when no viewer has asked for it for ten seconds. Cost: a read of the clock and of the counters of the
// contexts for each call. Between the systems of a node nothing runs: one begins when the one before has ended.
#include "feature/internal.h"

#include <stdio.h>

static inline const kin__timeline_frame *kin__timeline_frame_at(const kin__timeline *timeline, uint64_t number)
{
    return &timeline->frames[number % timeline->capacity];
}

static inline const kin__span *kin__timeline_span_at(const kin__timeline *timeline, uint64_t number)
{
    return &timeline->spans[number % KIN__TIMELINE_SPANS];
}

// ---- recording

// Returns NULL when out of memory.
static kin__timeline *timeline_create(kin__bounded_heap *heap, uint32_t frames)
{
    kin__timeline *timeline = kin__bounded_zeros(heap, sizeof *timeline);
    if (timeline == NULL)
        return NULL;
    timeline->heap = heap;
    timeline->capacity = kin__min_32(frames, KIN__MOST_FRAMES);
    return timeline;
}

// Destroys one that does not record. NULL is allowed.
static void timeline_destroy(kin__timeline *timeline)
{
    if (timeline != NULL)
        kin__bounded_release(timeline->heap, timeline, sizeof *timeline);
}

// ---- recording

// Time in which the update was held does not count.
static void read_now(kin__timeline *timeline)
{
    timeline->counts = kin__host_counts(timeline->host);
    timeline->now = kin__inspect_now() - (timeline->host->held.nanoseconds - timeline->held);
}

// Finds how deep a call is within others, and its lane beside those that are not around it.
static void place_span(const kin__timeline *timeline, kin__span *span)
{
    if (timeline->open_count == 0)
        return;
    const kin__span *top = &timeline->spans[timeline->open[timeline->open_count - 1]];
    span->depth = top->depth;
    if (kin__calls_is_beside(timeline->host))
        span->lane = (uint8_t)(top->lane + 1);
    else
        span->depth++;
}

static void enter(void *user, const kin__system_call *call)
{
    kin__timeline *timeline = user;
    kin__timeline_frame *frame = timeline->current;
    bool has_room = timeline->open_count < sizeof timeline->open / sizeof *timeline->open;
    if (frame == NULL || !has_room)
        return;
    if (frame->count == KIN__TIMELINE_SPANS)
        return;
    kin__span *span = &timeline->spans[timeline->span_count % KIN__TIMELINE_SPANS];
    if (call->is_collection || !kin__calls_is_next(timeline->host))
        read_now(timeline);
    *span = (kin__span){.began = timeline->now,
                        .created = timeline->counts.created,
                        .destroyed = timeline->counts.destroyed,
                        .changed = timeline->counts.changed,
                        .place = call->place,
                        .name = call->name,
                        .systems = call->systems,
                        .step = (uint16_t)call->step,
                        .role = (uint8_t)call->role,
                        .is_collection = call->is_collection};
    place_span(timeline, span);
    timeline->open[timeline->open_count++] = (uint32_t)(timeline->span_count % KIN__TIMELINE_SPANS);
    KIN_ASSERT(timeline->span_count == frame->first + frame->count);
    timeline->span_count++;
    if (frame->count++ == 0)
        frame->frame = kin__host_frame(timeline->host);
}

// Parallel systems are not left in the opposite order.
static void leave(void *user, const kin__system_call *call)
{
    kin__timeline *timeline = user;
    if (!call->is_collection)
        read_now(timeline);
    for (uint32_t i = timeline->open_count; i > 0; i--) {
        kin__span *span = &timeline->spans[timeline->open[i - 1]];
        bool is_same_system = span->systems == call->systems && span->place == call->place;
        if (!is_same_system || span->role != call->role)
            continue;
        KIN_ASSERT(span->ended == 0 && span->began <= timeline->now);
        KIN_ASSERT(timeline->current != NULL);
        span->ended = timeline->now;
        span->created = timeline->counts.created - span->created;
        span->destroyed = timeline->counts.destroyed - span->destroyed;
        span->changed = timeline->counts.changed - span->changed;
        timeline->current->ended = timeline->now;
        for (uint32_t after = i; after < timeline->open_count; after++)
            timeline->open[after - 1] = timeline->open[after];
        timeline->open_count--;
        return;
    }
}

// ---- its life

// Goes on for ten seconds more.
static void timeline_want(kin__timeline *timeline)
{
    timeline->until = kin__inspect_now() + kin__silence;
}

static bool timeline_start(kin__host *host, kin__timeline *timeline)
{
    kin__timeline_stop(host);
    timeline->host = host;
    KIN_ASSERT(host->timeline == NULL && timeline->capacity > 0);
    timeline->hook = (kin__hook){enter, leave, timeline, false};
    if (!kin__calls_follow(host, timeline->heap, &timeline->hook))
        return false;
    host->timeline = timeline;
    timeline_want(timeline);
    return true;
}

void kin__timeline_begin_update(kin__host *host, uint64_t now)
{
    kin__timeline *timeline = host->timeline;
    if (timeline == NULL)
        return;
    if (now > timeline->until) {
        kin__timeline_stop(host);
        return;
    }
    timeline->open_count = 0;
    timeline->held = host->held.nanoseconds;
    read_now(timeline);
    timeline->current = &timeline->frames[timeline->frame_count++ % timeline->capacity];
    *timeline->current = (kin__timeline_frame){
        .frame = kin__host_frame(host), .began = now, .ended = now, .first = timeline->span_count};
}

void kin__timeline_stop(kin__host *host)
{
    kin__timeline *timeline = host->timeline;
    if (timeline == NULL)
        return;
    KIN_ASSERT(timeline->host == host);
    kin__calls_unfollow(host, &timeline->hook);
    host->timeline = NULL;
    timeline_destroy(timeline);
}

// Returns the first frame, by its number in `frame_count`, of which all spans are there.
static uint64_t timeline_first(const kin__timeline *timeline)
{
    uint64_t first = kin__oldest_kept(timeline->frame_count, timeline->capacity);
    uint64_t oldest = kin__oldest_kept(timeline->span_count, KIN__TIMELINE_SPANS);
    while (first < timeline->frame_count && kin__timeline_frame_at(timeline, first)->first < oldest)
        first++;
    return first;
}

// ---- methods

// timeline.start and timeline.get; and GET /trace, the same in the format of Chrome's trace viewer.

enum { STANDARD_FRAMES = 240, SHOWN_FRAMES = 60 };

typedef struct captured_frame {
    struct captured_frame *next;
    kin__timeline_frame frame;
    kin__span spans[];
} captured_frame;

typedef struct timeline_task {
    json_int_t frames;
    kin__timeline *timeline; // of timeline.start, until the host takes it
    captured_frame *first, **end;
} timeline_task;

// ---- starting

static bool parse_start(kin__task *task)
{
    timeline_task *data = task->data;
    data->frames = STANDARD_FRAMES;
    if (!kin__parameter_integer(task, "frames", &data->frames))
        return false;
    data->timeline = timeline_create(&task->service->heap, (uint32_t)data->frames);
    return data->timeline != NULL || kin__task_fail_memory(task);
}

static bool step_start(kin__task *task)
{
    timeline_task *data = task->data;
    kin__timeline *recording = task->host->timeline;
    if (recording != NULL && recording->capacity >= data->frames)
        timeline_want(recording);
    else if (timeline_start(task->host, data->timeline))
        data->timeline = NULL;
    else
        kin__task_fail(task, KIN__CODE_LIMIT, "the calls of systems cannot be followed: no memory is left");
    return true;
}

static void show_start(const kin__task *task, kin__json *json)
{
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_natural(json, "frames", (uint64_t)((timeline_task *)task->data)->frames);
}

static void release_start(kin__task *task)
{
    const timeline_task *data = task->data;
    timeline_destroy(data->timeline);
}

const kin__method kin__method_timeline_start = {
    .name = "timeline.start",
    .doc = "Records when each system is called, from the next update on, until nobody has asked for ten seconds.",
    .result = "frame, frames: how many are kept at most",
    .is_once = true,
    .parameters = {KIN__WORLD_PARAMETER,
                   {"frames", "integer", false, "updates that are kept, 1 to 600; 240 without it", 1,
                    KIN__MOST_FRAMES}},
    .needs_systems = true,
    .data_size = sizeof(timeline_task),
    .parse = parse_start,
    .step = step_start,
    .show = show_start,
    .release = release_start,
};

// ---- reading

static bool parse_get(kin__task *task)
{
    timeline_task *data = task->data;
    data->frames = SHOWN_FRAMES;
    data->end = &data->first;
    return kin__parameter_integer(task, "frames", &data->frames) && kin__task_make_capture(task, KIN__CAPTURE_SIZE, 0);
}

// The newest frames that fit are captured, in order.
static void capture_frame(kin__task *task, const kin__timeline *timeline, uint64_t number)
{
    timeline_task *data = task->data;
    const kin__timeline_frame *frame = kin__timeline_frame_at(timeline, number);
    captured_frame *copy = kin__capture_reserve(&task->capture, sizeof *copy + frame->count * sizeof *copy->spans);
    if (copy == NULL)
        return;
    copy->frame = *frame;
    for (uint32_t i = 0; i < frame->count; i++)
        copy->spans[i] = *kin__timeline_span_at(timeline, frame->first + i);
    *data->end = copy;
    data->end = &copy->next;
}

static uint64_t first_that_fits(const kin__timeline *timeline, uint64_t wanted, size_t capacity)
{
    uint64_t first = timeline_first(timeline);
    uint64_t number = timeline->frame_count;
    size_t size = 0;
    while (number > first && timeline->frame_count - number < wanted) {
        size += sizeof(captured_frame) + kin__timeline_frame_at(timeline, number - 1)->count * sizeof(kin__span) + 16;
        if (size > capacity)
            break;
        number--;
    }
    return number;
}

static bool step_get(kin__task *task)
{
    const timeline_task *data = task->data;
    kin__timeline *timeline = task->host->timeline;
    if (timeline == NULL)
        return kin__task_fail(task, KIN__CODE_NOT_RECORDING, "the timeline does not record; timeline.start begins it");
    timeline_want(timeline);
    uint64_t number = first_that_fits(timeline, (uint64_t)data->frames, task->capture.capacity);
    for (; number < timeline->frame_count; number++)
        capture_frame(task, timeline, number);
    return true;
}

static void put_counts(kin__json *json, const kin__span *span)
{
    kin__json_put_natural(json, "step", span->step);
    kin__json_put_natural(json, "created", span->created);
    kin__json_put_natural(json, "destroyed", span->destroyed);
    kin__json_put_natural(json, "changed", span->changed);
}

// Returns the name of the role, or NULL for a node.
static const char *role_of(const kin__span *span)
{
    return span->is_collection ? NULL : kin__role_name(span->role);
}

static void show_span(const kin__task *task, kin__json *json, const captured_frame *frame, const kin__span *span)
{
    if (span->ended == 0)
        return;
    kin__json_begin(json, '{');
    kin__json_put_string(json, "system", kin__calls_name(task->host, span->name));
    kin__json_put_string(json, "role", role_of(span));
    kin__json_put_natural(json, "systems", span->systems);
    kin__json_put_natural(json, "place", span->place);
    kin__json_put_natural(json, "depth", span->depth);
    kin__json_put_natural(json, "lane", span->lane);
    kin__json_put_natural(json, "began", span->began - frame->frame.began);
    kin__json_put_natural(json, "nanoseconds", span->ended - span->began);
    put_counts(json, span);
    kin__json_end(json, '}');
}

static void show_get(const kin__task *task, kin__json *json)
{
    const timeline_task *data = task->data;
    kin__task_show_frame(task, json);
    kin__json_put_string(json, "world", task->host->name);
    kin__json_begin_member(json, "frames", '[');
    for (const captured_frame *frame = data->first; frame != NULL; frame = frame->next) {
        kin__json_begin(json, '{');
        kin__json_put_natural(json, "frame", frame->frame.frame);
        kin__json_put_natural(json, "nanoseconds", frame->frame.ended - frame->frame.began);
        kin__json_begin_member(json, "spans", '[');
        for (uint32_t i = 0; i < frame->frame.count; i++)
            show_span(task, json, frame, &frame->spans[i]);
        kin__json_end(json, ']');
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
}

const kin__method kin__method_timeline_get = {
    .name = "timeline.get",
    .doc = "The calls of systems in the last updates; timeline.start records them.",
    .result =
        "frame, world, frames of frame, nanoseconds and spans of system, role (null: a node), systems, place, depth, "
        "lane (of parallel systems beside each other), began, nanoseconds, step, created, destroyed, changed",
    .parameters = {KIN__WORLD_PARAMETER,
                   {"frames", "integer", false, "the last updates, 1 to 600; 60 without it", 1, KIN__MOST_FRAMES}},
    .needs_systems = true,
    .data_size = sizeof(timeline_task),
    .parse = parse_get,
    .step = step_get,
    .show = show_get,
};

// ---- GET /trace

static bool parse_trace(kin__task *task)
{
    timeline_task *data = task->data;
    data->frames = KIN__MOST_FRAMES;
    data->end = &data->first;
    return kin__task_make_capture(task, KIN__CAPTURE_SIZE, 0);
}

static void put_microseconds(kin__json *json, const char *key, uint64_t nanoseconds)
{
    char text[32];
    kin__json_key(json, key);
    int size = snprintf(text, sizeof text, "%llu.%03u", (unsigned long long)(nanoseconds / 1000),
                        (unsigned)(nanoseconds % 1000));
    kin__json_raw(json, text, (size_t)size);
}

// A lane is a thread of the trace, as events of one thread must be nested.
static void begin_event(const kin__task *task, kin__json *json, const char *name, const char *category, uint32_t lane)
{
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", name);
    kin__json_put_string(json, "cat", category);
    kin__json_put_string(json, "ph", "X");
    kin__json_put_natural(json, "pid", (uint64_t)(task->host - task->service->sites.hosts) + 1);
    kin__json_put_natural(json, "tid", lane + 1);
}

static void show_traced_span(const kin__task *task, kin__json *json, const kin__span *span)
{
    if (span->ended == 0)
        return;
    const char *category = "node";
    if (!span->is_collection)
        category = kin__role_name(span->role);
    begin_event(task, json, kin__calls_name(task->host, span->name), category, span->lane);
    put_microseconds(json, "ts", span->began);
    put_microseconds(json, "dur", span->ended - span->began);
    kin__json_begin_member(json, "args", '{');
    put_counts(json, span);
    kin__json_end(json, '}');
    kin__json_end(json, '}');
}

// Events of one world, in a list that others may follow.
static void show_trace(const kin__task *task, kin__json *json)
{
    const timeline_task *data = task->data;
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", "process_name");
    kin__json_put_string(json, "ph", "M");
    kin__json_put_natural(json, "pid", (uint64_t)(task->host - task->service->sites.hosts) + 1);
    kin__json_begin_member(json, "args", '{');
    kin__json_put_string(json, "name", task->host->name);
    kin__json_end(json, '}');
    kin__json_end(json, '}');
    for (const captured_frame *frame = data->first; frame != NULL; frame = frame->next) {
        begin_event(task, json, "update", "update", 0);
        put_microseconds(json, "ts", frame->frame.began);
        put_microseconds(json, "dur", frame->frame.ended - frame->frame.began);
        kin__json_begin_member(json, "args", '{');
        kin__json_put_natural(json, "frame", frame->frame.frame);
        kin__json_end(json, '}');
        kin__json_end(json, '}');
        for (uint32_t i = 0; i < frame->frame.count; i++)
            show_traced_span(task, json, &frame->spans[i]);
    }
}

const kin__method kin__method_trace = {
    .name = "GET /trace",
    .doc = "the timeline of a world as events of Chrome's trace viewer",
    .result = "events",
    .parameters = {{"world", "string", true, "the world", 0, 0}},
    .needs_systems = true,
    .data_size = sizeof(timeline_task),
    .parse = parse_trace,
    .step = step_get,
    .show = show_trace,
};
