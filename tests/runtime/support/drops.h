// Drops: the opaque values of packages attic, closet and others, and which of them have been dropped.
#ifndef KIN_TESTS_RUNTIME_DROPS_H
#define KIN_TESTS_RUNTIME_DROPS_H

#include <stddef.h>

extern size_t dropped_count, released_count; // tokens since the last call of `drops`, and sprites

// The numbers of the tokens dropped since the last call, in order: "1 2 ".
const char *drops(void);

#endif
