// Shell: runs a command as a user would type it, for the tests of what is built.
#ifndef KIN_TESTS_SHELL_H
#define KIN_TESTS_SHELL_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct shell_result {
    int status;
    const char *output; // of both streams
} shell_result;

shell_result shell_run(arena *arena, const char *command);

// The same, failing the test with the command's output when its status is not 0.
const char *shell_expect(arena *arena, const char *command);

// Whether the machine has a program. Where not, the test that asks is told to have been skipped.
bool shell_has(arena *arena, const char *program);

// Not the make that runs the tests, whose flags it would take over.
#define MAKE "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u KIN make --no-print-directory "

// What the environment says of the build: its folder, the C compiler and its flags.
const char *shell_build(void);
const char *shell_compiler(void);
const char *shell_flags(void);

// The folder of test data that is not part of Kin: KIN_TEST_DATA, or tests/data. CONTRIBUTING.md lists its contents.
const char *shell_data(void);

// The whole of a file. Fails the test when there is none.
const char *shell_read(arena *arena, const char *path);

#endif
