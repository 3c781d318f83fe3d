// Sweep: the runtime's suites once more, with every request for memory failing once.
//
// Tests and generated code are linked a second time, with their calls of Kin led here (calls.c). What may need memory is
// done first with its first request failing, then with its second, … until it gets by: each time it has to say so,
// once, and to leave everything as it was. What must never need memory is watched not to ask for any (DSP-12). Then the
// test goes on, so that all it asserts still holds.
//
//   test → calls.c → attempt → Kin → listener → calls.c → attempt → Kin …        an attempt for each, innermost first
//
// Invariants:
//   1. a request belongs to the innermost attempt
//   2. while an attempt has a request refused, no callback is called
//   3. a test whose own allocator is to fail now is left alone
#ifndef KIN_TESTS_SWEEP_H
#define KIN_TESTS_SWEEP_H

#include <kin/kin.h>

typedef struct sweep_attempt {
    struct sweep_attempt *outer;
    const char *name; // of the function
    bool may_fail;    // it may need memory, and is tried with its requests failing
    uint64_t number;  // of the request that fails, counted from 1; 0: none
    uint64_t requests;
    bool refused;
    size_t size; // that was refused
    uint32_t told;
    char message[512];
    struct visible *before; // NULL: not looked at yet
} sweep_attempt;

// Begins an attempt at a function of that name, and says whether it has to be repeated; `failed` is whether its answer
// says that it could not be done.
void sweep_begin(sweep_attempt *attempt, const char *name, bool may_fail);
bool sweep_again(sweep_attempt *attempt, bool failed);

// The same of a function that does without the memory that it does not get, and tells nobody.
bool sweep_again_untold(sweep_attempt *attempt);

// Ends an attempt that needs no memory.
void sweep_end(sweep_attempt *attempt);

// The options with an allocator and a handler that know of attempts, and hand on to the given ones.
kin_context_options sweep_options(const kin_context_options *options);

// What is looked at before and behind a refusal: contexts and collectors between these.
void sweep_append_context(kin_context *context);
void sweep_forget_context(kin_context *context);
void sweep_append_collector(kin_collector *collector);
void sweep_forget_collector(kin_collector *collector);

// Counts, for all tests together, that the function was done or refused memory.
void sweep_count(const sweep_attempt *attempt);

#endif
