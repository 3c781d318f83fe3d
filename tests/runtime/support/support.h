// Support: what the runtime's suites share. Everything is in static storage: one test at a time.
//
//   error_log      an error handler that records errors
//   call_log       listeners that record their calls, each under a label, in one list
#ifndef KIN_TESTS_RUNTIME_SUPPORT_H
#define KIN_TESTS_RUNTIME_SUPPORT_H

#include "guard.h"

#include <kin/kin.h>

enum { ERROR_LIMIT = 32, CALL_LIMIT = 256, VALUE_SIZE = 16 };

// Returns the bytes of a column of small values in the checked build: bits, values and a canary.
static inline size_t column_size(size_t value_size)
{
    return 64 + 512 * value_size + 64;
}

typedef struct error_entry {
    kin_status status;
    kin_entity entity;
    char message[512], context[64], component[64]; // empty if the error has none
} error_entry;

typedef struct error_log {
    uint32_t count; // of all errors; the first ERROR_LIMIT are recorded
    error_entry entries[ERROR_LIMIT];
} error_log;

// For kin_context_options.on_error; `log` is an error_log.
void error_log_append(const kin_error *error, void *log);
void error_log_clear(error_log *log);

// Fails the test unless exactly this one error was reported since the last check, and clears the log.
#define ck_assert_reported(log, expected)                                                                              \
    do {                                                                                                               \
        ck_assert_uint_eq((log)->count, 1);                                                                            \
        ck_assert_str_eq(kin_status_name((log)->entries[0].status), kin_status_name(expected));                        \
        error_log_clear(log);                                                                                          \
    } while (0)

// Fails the test unless a call returns this status, and reports that and nothing else.
#define ck_assert_refused(log, call, expected)                                                                         \
    do {                                                                                                               \
        ck_assert_str_eq(kin_status_name(call), kin_status_name(expected));                                            \
        ck_assert_reported(log, expected);                                                                             \
    } while (0)

// One call of a listener. Values are copied, up to VALUE_SIZE bytes, as they are valid during the call only.
typedef struct call {
    const char *label;
    kin_change change;
    unsigned char previous[VALUE_SIZE], value[VALUE_SIZE];
} call;

typedef struct call_log {
    uint32_t count;
    call calls[CALL_LIMIT];
} call_log;

extern call_log calls;

// Subscribes a listener that appends to `calls` under a label, which is not copied.
kin_subscription call_log_subscribe(kin_group *group, kin_group_event event, const char *label);
void call_log_clear(void);

// The labels of all calls, each followed by a space: "A+ AB+ ".
const char *call_log_labels(void);

#endif
