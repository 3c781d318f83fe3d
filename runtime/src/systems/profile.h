// Profile: what is done around each call of one system: the durations of its last calls, by role, and a probe.
//
//   [ profile | times of all roles | sorted[window] | ring[window] of the first role | ring[window] of the second | … ]
//
// One block of memory for each system, allocated when profiling starts, so that measuring never allocates. A profile
// that only has a probe is a member of its node, so that setting a probe does not allocate either.
//
// Invariants:
//   1. a ring has `count` durations, at most `window`; once it is full, `next` is the oldest
//   2. a role has a ring only if the system has the role, and the window is not 0
//
// Cost: two clock reads and one store for each call; one test for a system that is neither timed nor probed.
#ifndef KIN_SRC_PROFILE_H
#define KIN_SRC_PROFILE_H

#include "systems/tally.h"

#include <kin/probe.h>

// A set of roles: one bit for each.
typedef uint32_t kin__roles;

typedef struct kin__times {
    uint64_t *ring; // nanoseconds; NULL: the system does not have the role
    uint32_t next, count;
    uint64_t last; // of the most recent call
} kin__times;

typedef struct kin__profile {
    kin_clock clock;
    uint32_t window;             // 0: the calls are not timed
    size_t size;                 // bytes of the block; 0: a member of its node
    const kin_call_probe *probe; // NULL: none
    kin_call call;               // what the probe is given
    kin__roles open;             // roles in which the probe may change the contexts
    kin__times *times;           // by role; NULL if the window is 0
    uint64_t *sorted;
    kin__tally *tally;      // structural changes; NULL: not counted
    kin__tally *next_tally; // being prepared, while counting starts; else NULL
} kin__profile;

// Returns NULL when out of memory. The window is not 0.
kin__profile *kin__profile_create(kin__memory *memory, const kin_clock *clock, uint32_t window, kin__roles roles);

// NULL is allowed, and one that is a member of its node.
void kin__profile_destroy(kin__memory *memory, kin__profile *profile);

// Returns whether the calls are timed. NULL is allowed.
static inline bool kin__profile_is_timed(const kin__profile *profile)
{
    return profile != NULL && profile->window > 0;
}

// Call the probe, if there is one, for a system, or for a run of a collection with the number of its step. `share` is
// the part of the time that counts for the call.
void kin__profile_enter(const kin__profile *profile, kin_role role, uint32_t step);
void kin__profile_leave(const kin__profile *profile, kin_role role, uint32_t step, double share);

// Begins a call, and returns the time.
uint64_t kin__profile_start(const kin__profile *profile, kin_role role);

// Call this before each call of the system. Returns the time. NULL: neither timed nor probed.
static inline uint64_t kin__profile_begin(const kin__profile *profile, kin_role role)
{
    return profile == NULL ? 0 : kin__profile_start(profile, role);
}

// Ends a call that began at `began`: adds this part of its duration, and its structural changes.
void kin__profile_append(kin__profile *profile, kin_role role, uint64_t began, double share);

// Call this after each call of the system. NULL: neither timed nor probed.
static inline void kin__profile_end(kin__profile *profile, kin_role role, uint64_t began)
{
    if (profile != NULL)
        kin__profile_append(profile, role, began, 1);
}

// Returns the structural changes that were counted; zero if there is no profile, or none are counted.
kin_counts kin__profile_counts(const kin__profile *profile);

// Evaluates the durations of a role that the system has.
kin_timing kin__profile_timing(const kin__profile *profile, kin_role role);

#endif
