// Case: the context that a suite is about, on a guard and an error log. One test at a time.
//
//     CASE(shop)
//
// defines for a suite the context `shop`, `shop_begin` and `shop_begin_with`, which create it, and `shop_end`, which
// checks and destroys it. Suites use these as their fixture, or call them in a fixture that makes more.
#ifndef KIN_TESTS_RUNTIME_CASE_H
#define KIN_TESTS_RUNTIME_CASE_H

#include "entity/entity.h"
#include "support.h"

#include <check.h>

extern guard memory;     // of the context
extern error_log errors; // that the context has reported and the test has not checked

// Begins the guard and clears the logs. Returns the options of a context on them; other options are those given, and
// those of NULL are the defaults. A handler of errors that is given replaces the error log.
kin_context_options case_options(const kin_context_options *given);

// Checks the structure of a context, and that no error is left unchecked.
void case_check(const kin_context *context);

// A handler of errors for tests that compare statuses only.
void ignore_error(const kin_error *error, void *user);

// Listeners: one that only watches, and one that counts its calls in `call_count`, which begins at 0 with each case.
extern uint32_t call_count;
void ignore_change(const kin_change *change, void *user);
void count_call(const kin_change *change, void *user);

#define ck_assert_entity(actual, expected) ck_assert_uint_eq((actual).id, (expected).id)

// Suites need only one of the two functions that begin.
#define CASE(name)                                                                                                     \
    static name##_context *name;                                                                                       \
                                                                                                                       \
    static void name##_begin_with(const kin_context_options *given)                                                    \
    {                                                                                                                  \
        kin_context_options options = case_options(given);                                                             \
        name = name##_context_create(&options);                                                                        \
        ck_assert_ptr_nonnull(name);                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    __attribute__((unused)) static void name##_begin(void)                                                             \
    {                                                                                                                  \
        name##_begin_with(NULL);                                                                                       \
    }                                                                                                                  \
                                                                                                                       \
    static void name##_end(void)                                                                                       \
    {                                                                                                                  \
        case_check(&name->base);                                                                                       \
        name##_context_destroy(name);                                                                                  \
        guard_end(&memory);                                                                                            \
    }

#endif
