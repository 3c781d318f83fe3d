// Runs in a child process, so that the stderr of this one does not change.
#include "stderr_of.h"

#include <check.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Returns what the child wrote, and its status from waitpid.
static const char *run(void (*attempt)(void), int *status)
{
    static char text[2048];
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        dup2(ends[1], STDERR_FILENO);
        attempt();
        _exit(0);
    }
    close(ends[1]);
    size_t size = 0;
    for (ssize_t got = 1; got > 0 && size < sizeof text - 1; size += (size_t)got) {
        got = read(ends[0], text + size, sizeof text - 1 - size);
        ck_assert_int_ge(got, 0);
    }
    text[size] = '\0';
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, status, 0), child);
    return text;
}

const char *stderr_of(void (*attempt)(void))
{
    int status = 0;
    const char *text = run(attempt, &status);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return text;
}

const char *stderr_of_abort(void (*attempt)(void))
{
    int status = 0;
    const char *text = run(attempt, &status);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "no abort, but status %d: %s", status, text);
    return text;
}
