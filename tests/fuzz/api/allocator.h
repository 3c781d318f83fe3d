// Allocator: the allocator of all contexts of the harness. It checks the sizes of released blocks and fails on demand.
#ifndef KIN_TESTS_FUZZ_API_ALLOCATOR_H
#define KIN_TESTS_FUZZ_API_ALLOCATOR_H

#include <kin/kin.h>

kin_allocator memory_allocator(void);

// Takes two bytes of the input: they give a budget of bytes, or make every n-th request fail.
void memory_take_limits(void);
void memory_lift_limits(void);

#endif
