#include "site/timeline.h"

#include "host/host.h"

static const uint64_t kept = 10 * (uint64_t)1000000000;

kin__timeline *kin__timeline_create(kin__bounded_heap *heap, uint32_t frames)
{
    kin__timeline *timeline = kin__bounded_zeros(heap, sizeof *timeline);
    if (timeline == NULL)
        return NULL;
    timeline->heap = heap;
    timeline->capacity = frames < KIN__MOST_FRAMES ? frames : KIN__MOST_FRAMES;
    return timeline;
}

void kin__timeline_destroy(kin__timeline *timeline)
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
    const kin__span *top =
        timeline->open_count == 0 ? NULL : &timeline->spans[timeline->open[timeline->open_count - 1]];
    bool is_beside = top != NULL && kin__calls_is_beside(timeline->host);
    span->depth = (uint16_t)(top == NULL ? 0 : top->depth + !is_beside);
    span->lane = (uint8_t)(is_beside ? top->lane + 1 : 0);
}

static void enter(void *user, const kin__system_call *call)
{
    kin__timeline *timeline = user;
    kin__timeline_frame *frame = timeline->current;
    if (frame == NULL || timeline->open_count == sizeof timeline->open / sizeof *timeline->open ||
        frame->count == KIN__TIMELINE_SPANS)
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
    timeline->span_count++;
    if (frame->count++ == 0)
        frame->frame = kin__host_frame(timeline->host);
}

static void end_span(kin__timeline *timeline, kin__span *span)
{
    span->ended = timeline->now;
    span->created = timeline->counts.created - span->created;
    span->destroyed = timeline->counts.destroyed - span->destroyed;
    span->changed = timeline->counts.changed - span->changed;
    timeline->current->ended = timeline->now;
}

// Parallel systems are not left in the opposite order.
static void leave(void *user, const kin__system_call *call)
{
    kin__timeline *timeline = user;
    if (!call->is_collection)
        read_now(timeline);
    for (uint32_t i = timeline->open_count; i > 0; i--) {
        kin__span *span = &timeline->spans[timeline->open[i - 1]];
        if (span->place != call->place || span->systems != call->systems || span->role != call->role)
            continue;
        end_span(timeline, span);
        for (uint32_t after = i; after < timeline->open_count; after++)
            timeline->open[after - 1] = timeline->open[after];
        timeline->open_count--;
        return;
    }
}

// ---- its life

bool kin__timeline_start(kin__host *host, kin__timeline *timeline)
{
    kin__timeline_stop(host);
    timeline->host = host;
    timeline->hook = (kin__hook){enter, leave, timeline, false};
    if (!kin__calls_follow(host, timeline->heap, &timeline->hook))
        return false;
    host->timeline = timeline;
    kin__timeline_want(timeline);
    return true;
}

void kin__timeline_want(kin__timeline *timeline)
{
    timeline->until = kin__inspect_now() + kept;
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
    kin__calls_unfollow(host, &timeline->hook);
    host->timeline = NULL;
    kin__timeline_destroy(timeline);
}

uint64_t kin__timeline_first(const kin__timeline *timeline)
{
    uint64_t first = timeline->frame_count > timeline->capacity ? timeline->frame_count - timeline->capacity : 0;
    uint64_t oldest = timeline->span_count > KIN__TIMELINE_SPANS ? timeline->span_count - KIN__TIMELINE_SPANS : 0;
    while (first < timeline->frame_count && kin__timeline_frame_at(timeline, first)->first < oldest)
        first++;
    return first;
}
