// Shell: runs a command as a user would type it, for the tests of what is built.
#ifndef KIN_TESTS_SHELL_H
#define KIN_TESTS_SHELL_H

#include "generator/base/base.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct shell_result {
    int status;
    const char *output; // of both streams
} shell_result;

shell_result shell_run(arena *arena, const char *command);

// The same; fails the test with the command's output unless its status is 0.
const char *shell_expect(arena *arena, const char *command);

// Whether the machine has a program. If not, it prints that the test is skipped.
bool shell_has(arena *arena, const char *program);

// A make without the flags and variables of the make that runs the tests.
#define MAKE "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u KIN make --no-print-directory "

// The environment's description of the build: its folder, the C compiler and its flags.
const char *shell_build(void);
const char *shell_compiler(void);
const char *shell_flags(void);

// Whether all of a suite runs, as in `make check-all`: `make check` leaves out what takes long.
bool shell_runs_all(void);

// The folder below which tests write: TMPDIR, or /tmp without it.
const char *shell_scratch(void);

// A new file below that folder, without a name. Fails the test if it cannot be made.
FILE *shell_file(void);

// The folder of test data that is not part of Kin: KIN_TEST_DATA, or tests/data. CONTRIBUTING.md lists its contents.
const char *shell_data(void);

// The whole content of a file. Fails the test if it is missing.
const char *shell_read(arena *arena, const char *path);

#endif
