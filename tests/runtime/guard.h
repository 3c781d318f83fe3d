// Guard: an allocator that trusts nobody.
//
//   [ header | guard ... ] block [ guard ]      a block is filled when it is given, and again when it comes back
//
// It aborts the test when a size or alignment makes no sense, when a block comes back with another size or that never
// was given, and when a guard or a released block was written to. It counts what is out, and can fail the n-th request.
#ifndef KIN_TESTS_RUNTIME_GUARD_H
#define KIN_TESTS_RUNTIME_GUARD_H

#include <kin/error.h>

typedef struct guard {
    struct guard_block *blocks; // that are out
    struct guard_block *released[64];
    uint32_t block_count, release_count;
    size_t size; // bytes that are out
    uint64_t request_count;
    uint64_t fail_at; // the number of the request that gets none, counted from 1; 0: none
    bool fail_on;     // and all behind it
    size_t refused;   // bytes of the last request that failed since guard_fail
} guard;

// Begins with nothing out and nothing failing.
kin_allocator guard_begin(guard *guard);

// Has the `number`-th request from now on fail, and with `on` all behind it; 0: none.
void guard_fail(guard *guard, uint64_t number, bool on);

// Whether a request has failed since guard_fail.
bool guard_has_failed(const guard *guard);

// Whether the allocator is a guard's that is told to have requests fail.
bool guard_is_failing(const kin_allocator *allocator);

// Aborts the test unless all guards and released blocks are untouched.
void guard_check(const guard *guard);

// The same, and unless everything came back.
void guard_end(guard *guard);

#endif
