// Traces: how the collectors that viewers ask about collect, with frame and system.
//
// A collector is traced from the first question on, until nobody has asked for anything for ten seconds. A trace of the
// game's own is left alone. All functions are for the thread of the host.
//
// Invariants:
//   1. a place is used while it has a collector; that collector may have been destroyed, so it is looked for in its
//      context before each use
//   2. calls are followed while a place is used
#ifndef KIN_INSPECT_TRACES_H
#define KIN_INSPECT_TRACES_H

#include "host/host.h"

enum { KIN__MAX_TRACES = 8, KIN__TRACED = 256, KIN__MOST_COLLECTORS = 4096 };

typedef struct kin__collector_trace {
    kin_collector *collector; // NULL: unused
    const kin__site *site;
    kin_trace trace;
    kin_collection ring[KIN__TRACED];
} kin__collector_trace;

typedef struct kin__traces {
    kin__host *host;
    kin__bounded_heap *heap;
    kin__hook hook;
    bool is_following;
    uint32_t count;
    kin__collector_trace places[KIN__MAX_TRACES];
} kin__traces;

// Allocates the traces of a host. NULL when out of memory. This one may be called by any thread.
kin__traces *kin__traces_make(kin__host *host, kin__bounded_heap *heap);
void kin__traces_release(kin__traces *traces);

// Returns the trace of a collector of the site, begun if there is none. NULL when as many are traced as can be, the
// game traces it, or calls cannot be followed. `*is_new`: it has just begun.
kin__collector_trace *kin__traces_want(kin__traces *traces, const kin__site *site, kin_collector *collector,
                                       bool *is_new);

// Called when `is_edited` of the host has changed: what viewers change is collected by the inspector.
void kin__traces_see_edit(kin__host *host);

// Ends all when nobody has asked for ten seconds; and at once, as the host ends.
void kin__traces_expire(kin__host *host, uint64_t now);
void kin__traces_end(kin__host *host);

#endif
