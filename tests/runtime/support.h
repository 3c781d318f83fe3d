// Support: what the runtime's suites share. Everything is in static storage: one test at a time.
//
//   memory_meter   an allocator that counts what is in use, checks sizes and alignment, and can be told to fail
//   error_log      an error handler that keeps what it was told
//   call_log       listeners that keep what they were told, each under a label, in one list
//   board_begin    a context of package board on the meter and the error log, ended and checked by board_end
#ifndef KIN_TESTS_RUNTIME_SUPPORT_H
#define KIN_TESTS_RUNTIME_SUPPORT_H

#include <board/board.h>

enum { ERROR_LIMIT = 32, CALL_LIMIT = 256, VALUE_SIZE = 16, NEVER_FAIL = -1 };

typedef struct memory_meter {
    size_t used, peak;  // bytes
    uint32_t blocks;    // that have not been released
    size_t refused;     // bytes of the last request that was not met
    int64_t fail_after; // that many more requests are met; NEVER_FAIL: all of them
} memory_meter;

// `meter` starts empty.
kin_allocator memory_meter_allocator(memory_meter *meter);

// Whether the allocator is a meter's that is told to have requests fail.
bool memory_meter_is_failing(const kin_allocator *allocator);

typedef struct error_entry {
    kin_status status;
    kin_entity entity;
    char message[512], context[64], component[64]; // empty where there was none
} error_entry;

typedef struct error_log {
    uint32_t count; // of all that were told; the first ERROR_LIMIT are kept
    error_entry entries[ERROR_LIMIT];
} error_log;

// For kin_context_options.on_error; `log` is an error_log.
void error_log_append(const kin_error *error, void *log);
void error_log_clear(error_log *log);

// Fails the test unless exactly this one error was told since the last time, and forgets it.
#define ck_assert_told(log, expected)                                                                                  \
    do {                                                                                                               \
        ck_assert_uint_eq((log)->count, 1);                                                                            \
        ck_assert_str_eq(kin_status_name((log)->entries[0].status), kin_status_name(expected));                        \
        error_log_clear(log);                                                                                          \
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

// The labels of all calls, each followed by a blank: "A+ AB+ ".
const char *call_log_labels(void);

extern memory_meter board_memory;
extern error_log board_errors;

// A context with the given options but the meter's allocator and the log's handler. NULL: the defaults.
board_context *board_begin_with(const kin_context_options *options);
board_context *board_begin(void);

// Checks the context that was begun, ends it, and checks that all memory came back and no error was left unseen.
void board_end(void);

// `count` entities; the ones made last are the ones with the greatest slots. Returns the first one's slot.
uint32_t board_fill(board_context *board, uint32_t count, board_entity *entities);

#endif
