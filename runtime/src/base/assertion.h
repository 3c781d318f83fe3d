// KIN_ASSERT is for our own mistakes and cheap; KIN_VALIDATE walks a structure and is on in the checked build.
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
