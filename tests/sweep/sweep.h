// Sweep: the runtime's suites once more, with every request for memory failing once.
//
// Tests and generated code are linked a second time, with their calls of Kin redirected here (calls.c). A function that
// may need memory is called with its first request failing, then with its second, … until it succeeds: each time it
// must report that once, and change nothing. A function that must never need memory fails the test if it requests any
// (DSP-12). The test continues, so that all its assertions still hold.
//
//   test → calls.c → attempt → Kin → listener → calls.c → attempt → Kin …        an attempt for each, innermost first
//
// Invariants:
//   1. a request belongs to the innermost attempt
//   2. an attempt with a refused request calls no callback
//   3. while a test's own allocator is set to fail, no request is refused here
#ifndef KIN_TESTS_SWEEP_H
#define KIN_TESTS_SWEEP_H

#include <kin/kin.h>

typedef struct sweep_attempt {
    struct sweep_attempt *outer;
    const char *name; // of the function
    bool may_fail;    // whether it may need memory, and is tried with its requests failing
    uint64_t number;  // the number of the request that fails, counted from 1; 0: none
    uint64_t requests;
    bool refused;
    size_t size; // of the refused request
    uint32_t error_count;
    char message[512];
    struct visible *before; // the state before; NULL: not read yet
} sweep_attempt;

// Begins an attempt of the function; sweep_again returns whether it has to be repeated. `failed`: the result means that
// it was refused.
void sweep_begin(sweep_attempt *attempt, const char *name, bool may_fail);
bool sweep_again(sweep_attempt *attempt, bool failed);

// The same for a function that succeeds without the memory that was refused, and reports no error.
bool sweep_again_unreported(sweep_attempt *attempt);

// Ends an attempt that needs no memory.
void sweep_end(sweep_attempt *attempt);

// The options with an allocator and a handler that know of attempts, and call the given ones.
kin_context_options sweep_options(const kin_context_options *options);

// The state that is compared before and after a refusal: contexts and collectors are added after they are created, and
// removed before they are destroyed.
void sweep_append_context(kin_context *context);
void sweep_forget_context(kin_context *context);
void sweep_append_collector(kin_collector *collector);
void sweep_forget_collector(kin_collector *collector);

// Counts, for all tests together, that the function was called or refused memory.
void sweep_count(const sweep_attempt *attempt);

#endif
