// Timing: how long the calls of systems take, and what they change, while a viewer reads it.
//
//   rows  [ the last calls of one role of one system | … ]     in the order of their first calls
//   table [ number of a row, from 1 | … ]                      found by system and role
//
// Invariants:
//   1. a row has `count` durations, at most KIN__TIMED_CALLS; once it is full, `next` is the oldest
//   2. when there is no row left, further systems are not timed
//   3. attention of the host is one more while calls are timed, by the calls that it follows
//
// It ends when no viewer has asked for ten seconds. Cost: for each call, two reads of the clock and of the counters of
// the contexts.
#ifndef KIN_INSPECT_TIMING_H
#define KIN_INSPECT_TIMING_H

#include "host/host.h"

enum { KIN__TIMED_CALLS = 240 };

// One role of one system.
typedef struct kin__timed {
    uint32_t place;
    uint16_t systems;
    uint8_t role;
    uint32_t next, count;
    kin_counts counts; // structural changes of all calls since the timing began
    uint32_t last;
    uint32_t nanoseconds[KIN__TIMED_CALLS]; // at most UINT32_MAX
} kin__timed;

typedef struct kin__timing kin__timing;

// Makes one. NULL when out of memory. The second one destroys one that no host has; NULL is allowed.
kin__timing *kin__timing_create(kin__bounded_heap *heap);
void kin__timing_destroy(kin__timing *timing);

// Times the calls of a host for ten seconds more. Takes over `*timing`, and sets it to NULL, if the host has none yet;
// without one it does nothing then. For the thread of the host, as are the next two.
void kin__timing_want(kin__host *host, kin__timing **timing);

// Stops when no viewer has asked for ten seconds, and begins anew when systems were added or removed.
void kin__timing_expire(kin__host *host, uint64_t now);

// Stops at once.
void kin__timing_stop(kin__host *host);

// Returns the row of a system and a role; NULL: it has not been called. For the thread of the host.
const kin__timed *kin__timing_find(const kin__host *host, uint32_t systems, uint32_t place, kin_role role);

// Evaluates the durations of a copy of a row, for any thread. The durations are sorted.
kin_timing kin__timed_evaluate(kin__timed *timed);

#endif
