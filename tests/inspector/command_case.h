// Command case: kin-inspect, run for a game of this process that is found in a folder of its own.
#ifndef KIN_TESTS_INSPECTOR_COMMAND_CASE_H
#define KIN_TESTS_INSPECTOR_COMMAND_CASE_H

#include "http_case.h"

extern char command_folder[256]; // the XDG_RUNTIME_DIR

// A game as of http_begin, which is found. The end checks that it has removed its file.
void command_begin(void);
void command_end(void);

// Returns whether there is a kin-inspect.
bool command_is_built(void);

// Runs kin-inspect, whose status must be this one. Returns what it writes, errors too.
const char *command_run(const char *words, int status);

// Starts kin-inspect without waiting for its end. Its number is below 8.
void command_start(int number, const char *words);

// Starts a command of the shell instead.
void command_start_shell(int number, const char *command);

// Waits until it has written this text, for two minutes at most. Returns all that it has written.
const char *command_wait(int number, const char *text);

// Ends it by a signal, unless this is 0, and waits for its end. Returns all that it has written, and its status.
const char *command_finish(int number, int signal, int *status);

#endif
