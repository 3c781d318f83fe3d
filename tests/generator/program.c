#include "program.h"

#include "scratch.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char tiny[] = "kin: 1\n"
                    "package: tiny\n"
                    "contexts: { game: {} }\n"
                    "components: { Frozen: {}, Cell: { fields: { x: int32 } } }\n";

const char *program(void)
{
    const char *path = getenv("KIN");
    return path == NULL ? "build/bin/kin" : path;
}

static void redirect(int descriptor, int target)
{
    if (descriptor < 0)
        close(target);
    else if (dup2(descriptor, target) < 0)
        _exit(126);
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
    pid_t child = fork();
    if (child == 0) {
        redirect(input_file, STDIN_FILENO);
        redirect(output, STDOUT_FILENO);
        redirect(messages, STDERR_FILENO);
        execv(program(), list);
        _exit(127);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    close(input_file);
    close(messages);
    ck_assert_msg(WIFEXITED(status), "%s ended by signal %d", program(), WTERMSIG(status));
    ck_assert_msg(WEXITSTATUS(status) != 127, "cannot run '%s'; $KIN says where it is", program());
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
