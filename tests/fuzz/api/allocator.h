// Allocator: that of all contexts of the harness. It checks the sizes that it gets back and fails on demand.
#ifndef KIN_TESTS_FUZZ_API_ALLOCATOR_H
#define KIN_TESTS_FUZZ_API_ALLOCATOR_H

#include <kin/kin.h>

kin_allocator memory_allocator(void);

// From two bytes of the input: a budget of bytes, or every n-th request fails.
void memory_take_limits(void);
void memory_lift_limits(void);

#endif
