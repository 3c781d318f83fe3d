/// Parallel systems: what their last turns did.
#ifndef KIN_PARALLEL_H
#define KIN_PARALLEL_H

#include <kin/systems.h>

KIN_BEGIN_DECLARATIONS

/// The last turn of a parallel system. Times are nanoseconds by the clock of the executor; 0 without an executor, and
/// for one without a clock.
typedef struct kin_parallel {
    uint32_t pieces;   ///< calls of its function
    uint32_t threads;  ///< threads that made them
    uint64_t busy;     ///< the sum of the times that the calls took
    uint64_t passed;   ///< the time from the first call to the end of the last one
    uint32_t recorded; ///< commands that were recorded
    uint32_t dropped;  ///< commands that were not run, because an earlier one had ended their entity, or not made it
    uint32_t refused;  ///< commands that were refused, with an error for each, or not recorded for want of memory
} kin_parallel;

/// Writes what the last turn of the system with this name did to `*last`; all 0 before its first turn. Commands count
/// once they have run, after the last system of the node.
///
/// Errors: KIN_ERROR_INVALID if `systems` or `last` is NULL, and if no parallel system has the name. Cost: a search of
/// the systems by name.
KIN_API kin_status kin_systems_parallel(const kin_systems *systems, const char *name, kin_parallel *last);

KIN_END_DECLARATIONS

#endif
