// Guard: an allocator that checks its caller.
//
//   [ header | guard ... ] block [ guard ]      a block is filled when it is allocated, and again when it is released
//
// It aborts the test if a size or alignment is invalid, if a block is released with another size or was never
// allocated, and if a guard or a released block was written to. It counts allocated blocks, and can fail the n-th
// request.
#ifndef KIN_TESTS_RUNTIME_GUARD_H
#define KIN_TESTS_RUNTIME_GUARD_H

#include <kin/error.h>

typedef struct guard {
    struct guard_block *blocks; // allocated
    struct guard_block *released[64];
    uint32_t block_count, release_count;
    size_t size, peak; // bytes of allocated blocks, now and at most
    uint64_t request_count;
    uint64_t fail_at; // the number of the request to refuse, counted from 1; 0: none
    bool fail_on;     // and all requests after it
    size_t refused;   // bytes of the last request that was refused since guard_fail
} guard;

// Starts without blocks and without failures.
kin_allocator guard_begin(guard *guard);

// Makes the `number`-th request from now on fail, and with `on` all requests after it; 0: none.
void guard_fail(guard *guard, uint64_t number, bool on);

// Whether a request has failed since guard_fail.
bool guard_has_failed(const guard *guard);

// Whether the allocator is a guard with requests set to fail.
bool guard_is_failing(const kin_allocator *allocator);

// Aborts the test if a guard or a released block was written to.
void guard_check(const guard *guard);

// Does the same as guard_check, and also aborts the test if a block is still allocated.
void guard_end(guard *guard);

#endif
