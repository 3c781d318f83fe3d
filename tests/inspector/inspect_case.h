// Inspect case: an inspector over the contexts of package everything, asked without sockets.
//
// Requests and expected answers are JSON with ' in place of ".
#ifndef KIN_TESTS_INSPECTOR_INSPECT_CASE_H
#define KIN_TESTS_INSPECTOR_INSPECT_CASE_H

#include "runtime/support/guard.h"

#include <everything/everything.h>
#include <kin/inspect.h>

#include <check.h>

extern kin_inspector *inspector;
extern my_game_context *game;
extern my_input_context *input;
extern guard inspect_memory;    // of the inspector
extern kin_error inspect_error; // the last one that the inspector reported

// An inspector with the game and the input of everything; the game has no entities.
void inspect_begin(void);
void inspect_end(void);
kin_inspector_options inspect_options(void);
kin_inspector_options inspect_live_options(void); // of an inspector with a port, beside the clock of the machine

// The same with the world of town_case.h instead, whose end ends the inspector. The options are those of
// inspect_options, or others of an inspector on `inspect_memory`.
void inspect_town_begin(void);
void inspect_town_begin_with(const kin_inspector_options *options);
void inspect_town_end(void);

// From inspect_options on, the clock goes on by what is slept, and by so many nanoseconds each time it is read: nothing
// depends on the speed of the machine.
extern uint64_t inspect_reading;

// Returns the answer to a whole request. The text is valid until the third request after it.
const char *inspect_send(const char *request);

// Asks a method with parameters. Returns the result, or "error CODE: MESSAGE DATA".
const char *inspect_ask(const char *method, const char *parameters);

// Replaces ' by ", in a buffer like that of inspect_send.
const char *inspect_quoted(const char *text);

#define expect_answer(method, parameters, expected)                                                                    \
    ck_assert_str_eq(inspect_quoted(inspect_ask(method, parameters)), inspect_quoted(expected))

// The same, of which the answer must contain a text.
#define expect_in_answer(method, parameters, expected)                                                                 \
    do {                                                                                                               \
        const char *given = inspect_quoted(inspect_ask(method, parameters));                                           \
        ck_assert_msg(strstr(given, inspect_quoted(expected)) != NULL, "%s\nis not in\n%s", expected, given);          \
    } while (0)

#endif
