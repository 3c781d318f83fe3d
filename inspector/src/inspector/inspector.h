// inspector: what an inspector does in the updates of a game, and the functions of kin/inspect.h
//
//   serve   before each update: tasks, what features keep, the pace; with nothing to do it is one load (INS-05)
//   hold    stops an update before or after a system; the thread of the game waits there and serves tasks (INS-61)
//   run     notes the system that runs, so that a game that does not update can say where it is (INS-07)
//   probe   what a world calls: updates, messages, refused calls and its end
//
// Invariants:
//   1. a host with a world has its probe in the world until the world ends or the inspector is destroyed
//   2. the first host without a world is that of kin_inspector_frame
//   3. while an update is held, tasks that change the game are served where a call is open, and refused elsewhere: what
//      its system is called with would not be so any more
//
// Cycle: serve.c, hold.c: each update is served, which follows the calls of systems, at which it may be held
// Cycle: inspector.c, probe.c: an inspector ends with its world, of which it has the probe
#ifndef KIN_SRC_INSPECT_INSPECTOR_H
#define KIN_SRC_INSPECT_INSPECTOR_H

#include "feature/feature.h"
#include "transport/transport.h"

#include <kin/inspect.h>

// ---- serving

// Before an update, tasks are done for at most the budget.

// Does what is to do, and returns whether the update is to run. May set another delta.
bool kin__serve_attended(kin__service *service, kin__host *host, double *delta);

static inline bool kin__serve(kin__service *service, kin__host *host, double *delta)
{
    if (atomic_load_explicit(&host->attention, memory_order_relaxed) == 0)
        return true;
    return kin__serve_attended(service, host, delta);
}

// ---- holds and runs

// The thread of the game waits where its update is held, serves tasks, and calls `on_hold` every 10 ms (INS-61).

// Follows the calls of the host if an update is to be held, and no longer if not. Called before each update.
void kin__hold_refresh(kin__service *service, kin__host *host);

// Asks what is asked until it holds. Returns whether it does: the host is paused then.
bool kin__hold_ask_until(kin__host *host);

void kin__hold_release(kin__service *service, kin__host *host);

// Follows the calls of the host while viewers are there. Called before each update.
void kin__run_refresh(kin__service *service, kin__host *host, uint64_t now);

void kin__run_release(kin__service *service, kin__host *host);

// ---- inspectors

struct kin_inspector {
    kin__service service; // first member
    kin_inspector_options options;
    kin__transport *transport; // NULL if it is offline
    bool ends_with_world;      // with that of the first host
    char name[KIN__SITE_NAME]; // written once
    kin__json last;            // the last answer of kin_inspector_request
};

// ---- probes

// What a host calls in the updates of its world, for its messages and for refused calls; and the end of both.

// Sets the probe of a world that is added to the host, which may not be appended yet. Returns the status of the
// library.
kin_status kin__probe_set(kin__host *host, kin_inspector *inspector, kin_world *world);

// Counts the refused calls of a context that has no world, which must outlive the inspector.
void kin__probe_watch(kin__host *host, kin_context *context);

// Ends all that is recorded of the host, and removes the probe from its world and contexts.
void kin__probe_remove(kin__host *host);

#endif
