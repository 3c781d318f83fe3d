// Calls: which systems of a host run now, for all that follows them, such as journals and watches.
//
//   kin_systems_set_probe → stack [ node | system ]      what runs now, the innermost one last
//                         → hooks [ … ]                  called at each enter and leave
//
// Systems are probed while something follows them. Each has a number that stays what it is, also when systems are added
// or removed, so that records can have it: its name stays readable, also by other threads, as long as the host.
//
// Invariants:
//   1. attention of the host is one more while calls are followed
//   2. hooks are added and removed by the thread of the host, also inside of a hook; one that is added there may be
//      called first for the next call
//
// Cost: for each call of a system two indirect calls more, and one for each hook.
#ifndef KIN_INSPECT_CALLS_H
#define KIN_INSPECT_CALLS_H

#include "site/site.h"
#include "text/text.h"

enum {
    KIN__MAX_HOOKS = 17, // the first is for the outermost one
    KIN__OUTSIDE = 0,
    KIN__BY_INSPECTOR = UINT16_MAX, // in place of the number of a system
    KIN__NO_ROLE = UINT16_MAX
};

// A call of a system, or a run of a node.
typedef struct kin__system_call {
    uint16_t name;    // a number for kin__calls_name; never KIN__OUTSIDE
    uint16_t systems; // the number of the collection that was added to the host
    uint32_t place;   // in kin_systems_walk of this collection
    kin_role role;
    uint32_t step; // of the fixed step around it, from 0
    bool is_collection;
    bool is_open; // hooks may change the contexts
    double share; // of the time since the call was entered, when it is left: what counts for it (kin/probe.h)
} kin__system_call;

typedef struct kin__hook {
    void (*enter)(void *user, const kin__system_call *call); // NULL: not called
    void (*leave)(void *user, const kin__system_call *call);
    void *user;
    bool is_outermost; // entered before all others, and left after them; one of a host at most
} kin__hook;

// Follows the calls of a host until kin__calls_unfollow with the same hook, which must stay until then. Returns false
// when out of memory, and when there are as many hooks as can be.
bool kin__calls_follow(kin__host *host, kin__bounded_heap *heap, const kin__hook *hook);
void kin__calls_unfollow(kin__host *host, const kin__hook *hook);

// Returns the system that runs now, not a node, or NULL. For the thread of the host.
const kin__system_call *kin__calls_now(const kin__host *host);

// Returns the system around the innermost call, such as one that runs another collection, or NULL.
const kin__system_call *kin__calls_around(const kin__host *host);

// Returns whether no function of the game can have run between the last call of a hook and this one, which enters a
// system: its node has just begun, or has just left the system before. After a nested node, or a disabled one, messages
// are sent and commands run.
bool kin__calls_is_next(const kin__host *host);

// Says that the game was changed inside a hook: neither this call nor the next one follows the last one at once.
void kin__calls_interrupt(const kin__host *host);

// Returns whether the system that a hook enters runs beside the one that was entered before it.
bool kin__calls_is_beside(const kin__host *host);

// Returns the name of a role; NULL for a number that is none.
const char *kin__role_name(uint32_t role);

// Returns the name of a system; "inspector" for KIN__BY_INSPECTOR, "outside" for KIN__OUTSIDE, and for a number that is
// none.
const char *kin__calls_name(const kin__host *host, uint16_t name);

// Returns whether the schema says that the system writes the component. Constant tables: for any thread.
bool kin__calls_declares(const kin__host *host, const char *system, const char *component);

// Returns a number that changes when the places of systems may have changed.
uint32_t kin__calls_generation(const kin__host *host);

// Probes systems that were added, and ends the probes if nothing follows. Called in each update that is served.
void kin__calls_refresh(kin__host *host);

// Ends all probes, as the host ends.
void kin__calls_stop(kin__host *host);

// Frees all.
void kin__calls_release(kin__host *host);

#endif
