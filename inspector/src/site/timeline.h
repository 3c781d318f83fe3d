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
#ifndef KIN_INSPECT_TIMELINE_H
#define KIN_INSPECT_TIMELINE_H

#include "host/host.h"

enum { KIN__MOST_FRAMES = 600, KIN__TIMELINE_SPANS = 16 * 1024 };

typedef struct kin__span {
    uint64_t began, ended; // nanoseconds; 0: it has not ended
    uint64_t created, destroyed, changed;
    uint32_t place;
    uint16_t name, systems, depth;
    uint16_t step;
    uint8_t role;
    uint8_t lane; // 0, but of parallel systems that run beside each other each has another
    bool is_collection;
} kin__span;

typedef struct kin__timeline_frame {
    uint64_t frame, began, ended;
    uint64_t first; // number of its first span
    uint32_t count;
} kin__timeline_frame;

typedef struct kin__timeline {
    kin__bounded_heap *heap;
    kin__host *host;
    kin__hook hook;
    uint64_t until; // it ends then unless a viewer asks before
    uint32_t capacity;
    uint64_t frame_count, span_count; // of all that were recorded; the newest are there
    uint32_t open[64];                // numbers of spans that have not ended
    uint32_t open_count;
    uint64_t held; // of the host, when the frame began
    uint64_t now;  // when the clock and the counters were read last
    kin_counts counts;
    kin__timeline_frame *current; // the newest frame; NULL: none has begun
    kin__timeline_frame frames[KIN__MOST_FRAMES];
    kin__span spans[KIN__TIMELINE_SPANS];
} kin__timeline;

// Makes one. NULL when out of memory.
kin__timeline *kin__timeline_create(kin__bounded_heap *heap, uint32_t frames);

// Destroys one that does not record. NULL is allowed.
void kin__timeline_destroy(kin__timeline *timeline);

// Records from the next update on, in place of what recorded before, which is destroyed. The timeline is taken over.
// Returns false, with nothing taken over, when the calls cannot be followed. For the thread of the host.
bool kin__timeline_start(kin__host *host, kin__timeline *timeline);

// Goes on for ten seconds more.
void kin__timeline_want(kin__timeline *timeline);

// Notes that an update begins; ends the timeline when nobody has asked. For the thread of the host.
void kin__timeline_begin_update(kin__host *host, uint64_t now);

// Ends and destroys the timeline of a host.
void kin__timeline_stop(kin__host *host);

// Returns the first frame, by its number in `frame_count`, of which all spans are there.
uint64_t kin__timeline_first(const kin__timeline *timeline);

static inline const kin__timeline_frame *kin__timeline_frame_at(const kin__timeline *timeline, uint64_t number)
{
    return &timeline->frames[number % timeline->capacity];
}

static inline const kin__span *kin__timeline_span_at(const kin__timeline *timeline, uint64_t number)
{
    return &timeline->spans[number % KIN__TIMELINE_SPANS];
}

#endif
