/// The time that systems take, role by role. Off until somebody asks for it; then every call of a system reads a clock
/// before and after, and the last ones of each role are remembered.
#ifndef KIN_PROFILE_H
#define KIN_PROFILE_H

#include <kin/systems.h>

KIN_BEGIN_DECLARATIONS

/// What a system has functions for. Those of kin_system and kin_reactive_system have the four that they name; a run of
/// a reactive system counts as execute, with its filter.
typedef enum kin_role {
    KIN_ROLE_INITIALIZE,
    KIN_ROLE_START,
    KIN_ROLE_EXECUTE,
    KIN_ROLE_LEAVE,
    KIN_ROLE_ENTER,
    KIN_ROLE_INBOX, ///< all messages of a turn
    KIN_ROLE_FIRST_UPDATE,
    KIN_ROLE_UPDATE,
    KIN_ROLE_DRAW,
    KIN_ROLE_CLEANUP,
    KIN_ROLE_TEAR_DOWN,
    KIN_ROLE_DISPOSE,
    KIN_ROLE_COUNT
} kin_role;

/// A clock in nanoseconds that never goes back; `user` is passed on and never read.
typedef struct kin_clock {
    uint64_t (*now)(void *user); ///< nanoseconds since any moment
    void *user;                  ///< passed on and never read
} kin_clock;

/// Nanoseconds of the calls that are remembered; all 0 when there are none.
typedef struct kin_timing {
    uint64_t last;    ///< of the newest call
    uint64_t average; ///< of all calls
    uint64_t minimum; ///< of the shortest call
    uint64_t maximum; ///< of the longest call
    uint64_t p99;     ///< 99 of 100 calls took that long at most
    uint32_t count;   ///< calls that are remembered
} kin_timing;

/// Begins to measure all systems that are in the collection now, nested ones included, and remembers the last `window`
/// calls of each of their roles; what was measured before is forgotten. 0 ends it and gives the memory back. The clock
/// is copied; NULL: the monotonic one of the machine. KIN_ERROR_INVALID without a collection, from inside a run and
/// for a clock without a function, or KIN_ERROR_NO_MEMORY. Cost: for each system 8 bytes times `window` for each of its
/// roles and once more; from then on two reads of the clock for each call.
KIN_API kin_status kin_systems_profile(kin_systems *systems, const kin_clock *clock, uint32_t window);

/// What was measured of a role of the first system of that name, depth first. Cost: sorts the window.
/// KIN_ERROR_INVALID when there is none, when it is not measured, or when it has no such role: then `timing` is all 0;
/// and when `timing` is NULL.
KIN_API kin_status kin_systems_timing(const kin_systems *systems, const char *name, kin_role role, kin_timing *timing);

KIN_END_DECLARATIONS

#endif
