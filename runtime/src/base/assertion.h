// Assertions: checks for faults of the library itself. Mistakes of callers are reported as errors instead.
//
//   KIN_ASSERT      cheap preconditions and postconditions; on unless NDEBUG is defined
//   KIN_VALIDATE    walks a structure and checks its numbered invariants; on with KIN_CHECKED, in the tests
//
// The release build defines NDEBUG: neither macro evaluates its condition or makes an instruction there.
#ifndef KIN_SRC_ASSERTION_H
#define KIN_SRC_ASSERTION_H

#ifdef KIN_CHECKED
#undef NDEBUG
#endif

#include <assert.h>

#define KIN_ASSERT(condition) assert(condition)

#ifdef KIN_CHECKED
#define KIN_VALIDATE(condition) assert(condition)
#else
#define KIN_VALIDATE(condition) ((void)0)
#endif

#endif
