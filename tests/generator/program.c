#include "program.h"

#include "scratch.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

const char tiny[] = "kin: 1\n"
                    "package: tiny\n"
                    "contexts: { game: {} }\n"
                    "components: { Frozen: {}, Cell: { fields: { x: int32 } } }\n";

const char *program(void)
{
    const char *path = getenv("KIN");
    return path == NULL ? "build/bin/kin" : path;
}

// A descriptor below zero closes the target.
static void redirect(posix_spawn_file_actions_t *actions, int descriptor, int target)
{
    if (descriptor < 0)
        posix_spawn_file_actions_addclose(actions, target);
    else
        posix_spawn_file_actions_adddup2(actions, descriptor, target);
}

static int open_scratch(const char *name, int flags)
{
    int descriptor = open(scratch_path(name), flags | O_CLOEXEC, 0666);
    ck_assert_msg(descriptor >= 0, "%s: %s", name, strerror(errno));
    return descriptor;
}

static outcome run_between(arguments arguments, int input_file, int output)
{
    char *list[ARGUMENT_LIMIT + 2] = {(char *)"kin"};
    for (int i = 0; i < ARGUMENT_LIMIT; i++)
        list[i + 1] = (char *)arguments.items[i];
    int messages = open_scratch("stderr", O_WRONLY | O_CREAT | O_TRUNC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    redirect(&actions, input_file, STDIN_FILENO);
    redirect(&actions, output, STDOUT_FILENO);
    redirect(&actions, messages, STDERR_FILENO);
    pid_t child;
    int error = posix_spawn(&child, program(), &actions, NULL, list, environ);
    ck_assert_msg(error == 0, "cannot run '%s': %s; $KIN says where it is", program(), strerror(error));
    posix_spawn_file_actions_destroy(&actions);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    close(input_file);
    close(messages);
    ck_assert_msg(WIFEXITED(status), "%s ended by signal %d", program(), WTERMSIG(status));
    return (outcome){WEXITSTATUS(status), NULL, scratch_read("stderr")};
}

outcome run_into(arguments arguments, const char *input, int output)
{
    scratch_write("stdin", input);
    return run_between(arguments, open_scratch("stdin", O_RDONLY), output);
}

static outcome run_from(arguments arguments, int input)
{
    int output = open_scratch("stdout", O_WRONLY | O_CREAT | O_TRUNC);
    outcome outcome = run_between(arguments, input, output);
    close(output);
    outcome.output = scratch_read("stdout");
    return outcome;
}

outcome run_with_input(arguments arguments, const char *input)
{
    scratch_write("stdin", input);
    return run_from(arguments, open_scratch("stdin", O_RDONLY));
}

outcome run_with_file(arguments arguments, const char *path)
{
    int input = open(path, O_RDONLY | O_CLOEXEC);
    ck_assert_msg(input >= 0, "%s: %s", path, strerror(errno));
    return run_from(arguments, input);
}

outcome run(arguments arguments)
{
    return run_with_input(arguments, "");
}

void check_outcome(outcome outcome, int status, const char *output, const char *messages)
{
    ck_assert_str_eq(outcome.messages, messages);
    ck_assert_str_eq(outcome.output, output);
    ck_assert_int_eq(outcome.status, status);
}
