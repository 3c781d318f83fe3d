/// Profiling: the time that each system takes, separately for each role. Profiling is off by default. When it is on, a
/// clock is read before and after every call of a system, and the durations of the last calls of each role are kept.
#ifndef KIN_PROFILE_H
#define KIN_PROFILE_H

#include <kin/systems.h>

#include <stdio.h>

KIN_BEGIN_DECLARATIONS

/// A role of a system: a kind of function that it may have. A kin_system and a kin_reactive_system have up to four:
/// initialize, execute, cleanup and tear down. A run of a reactive system, filter included, counts as execute.
typedef enum kin_role {
    KIN_ROLE_INITIALIZE,
    KIN_ROLE_START,
    KIN_ROLE_EXECUTE,
    KIN_ROLE_LEAVE,
    KIN_ROLE_ENTER,
    KIN_ROLE_INBOX, ///< reads all messages that wait for the system
    KIN_ROLE_FIRST_UPDATE,
    KIN_ROLE_UPDATE,
    KIN_ROLE_DRAW,
    KIN_ROLE_CLEANUP,
    KIN_ROLE_TEAR_DOWN,
    KIN_ROLE_DISPOSE,
    KIN_ROLE_COMMANDS, ///< the commands of a parallel system run
    KIN_ROLE_COUNT
} kin_role;

/// Returns the name of a role as schemas write it, such as "first_update"; "unknown" for another value. It is valid
/// forever. Cost: constant.
KIN_API const char *kin_role_name(kin_role role);

/// A clock that never goes back.
typedef struct kin_clock {
    uint64_t (*now)(void *user); ///< returns nanoseconds since a fixed moment
    void *user;                  ///< passed to `now` and never read
} kin_clock;

/// Durations of the recorded calls, in nanoseconds. All zero when no call is recorded.
///
/// The time in which parallel systems run side by side is counted once: each of them has a part of it, by the time that
/// its jobs were busy (kin_systems_parallel), or equal parts if the executor has no clock.
typedef struct kin_timing {
    uint64_t last;    ///< of the most recent call
    uint64_t average; ///< mean of all recorded calls
    uint64_t minimum; ///< of the shortest call
    uint64_t maximum; ///< of the longest call
    uint64_t p99;     ///< 99th percentile: 99 % of the calls took at most this long
    uint32_t count;   ///< number of recorded calls
} kin_timing;

/// Starts profiling all systems that the collection contains now, nested ones included. Keeps the last `window` calls
/// of each role of each system and discards earlier measurements. A `window` of 0 stops profiling and frees its memory.
/// The clock is copied; NULL selects the monotonic clock of the operating system.
///
/// Errors: KIN_ERROR_INVALID without a collection, from inside a run of it, or for a clock without a function;
/// KIN_ERROR_NO_MEMORY. Cost: 8 * `window` * (roles + 1) bytes for each system; then two clock reads for each call.
KIN_API kin_status kin_systems_profile(kin_systems *systems, const kin_clock *clock, uint32_t window);

/// Writes the durations of a role of the first system with the name, in depth-first order, to `timing`.
///
/// Errors, with `timing` all zero unless it is NULL: KIN_ERROR_INVALID when `timing` is NULL, when there is no such
/// system, and when it is not profiled or does not have the role. Cost: sorts the recorded calls.
KIN_API kin_status kin_systems_timing(const kin_systems *systems, const char *name, kin_role role, kin_timing *timing);

/// Prints a table of all systems in the order in which they run, with the durations in milliseconds of each role that
/// was called, and the sums of what an update calls. `file` may be NULL for stdout. Systems that are not profiled have
/// no durations; `systems` may be NULL. Cost: sorts the recorded calls of each role.
KIN_API void kin_systems_print_profile(const kin_systems *systems, FILE *file);

KIN_END_DECLARATIONS

#endif
