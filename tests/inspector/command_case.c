#include "command_case.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 8, PATIENCE = 120000 }; // milliseconds

char command_folder[256];

static pid_t started[MOST];
static char token[33];

void command_begin(void)
{
    snprintf(command_folder, sizeof command_folder, "%s/kin-test-inspect-XXXXXX", shell_scratch());
    ck_assert_ptr_nonnull(mkdtemp(command_folder));
    setenv("XDG_RUNTIME_DIR", command_folder, 1);
    setenv("TMPDIR", command_folder, 1);
    // A game of another process that gets the port of one that has ended must refuse what was meant for that one.
    snprintf(token, sizeof token, "%032d", (int)getpid());
    http_token = token;
    http_begin();
}

void command_end(void)
{
    http_end();
    char path[300];
    snprintf(path, sizeof path, "%s/kin", command_folder);
    ck_assert_int_eq(rmdir(path), 0); // INS-31: the file was removed
    ck_assert_int_eq(rmdir(command_folder), 0);
}

bool command_is_built(void)
{
    return access(arena_format(&http_memory, "%s/bin/kin-inspect", shell_build()), X_OK) == 0;
}

const char *command_run(const char *words, int status)
{
    const char *command = arena_format(&http_memory, "%s/bin/kin-inspect %s", shell_build(), words);
    shell_result result = shell_run(&http_memory, command);
    ck_assert_msg(result.status == status, "%s: %d and not %d: %s", command, result.status, status, result.output);
    return result.output;
}

// ---- in the background

static const char *path_of(int number)
{
    return arena_format(&http_memory, "%s/output%d", command_folder, number);
}

void command_start(int number, const char *words)
{
    command_start_shell(number, arena_format(&http_memory, "exec %s/bin/kin-inspect %s", shell_build(), words));
}

void command_start_shell(int number, const char *command)
{
    const char *path = path_of(number);
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    started[number] = pid;
}

const char *command_wait(int number, const char *text)
{
    const char *written = "";
    for (int waited = 0; waited < PATIENCE && strstr(written, text) == NULL; waited += 20) {
        wait_for(20);
        written = access(path_of(number), F_OK) == 0 ? shell_read(&http_memory, path_of(number)) : "";
    }
    ck_assert_msg(strstr(written, text) != NULL, "%s is not in %s", text, written);
    return written;
}

const char *command_finish(int number, int signal, int *status)
{
    int ended = 0;
    if (signal != 0)
        kill(started[number], signal);
    for (int waited = 0; waited < PATIENCE && waitpid(started[number], &ended, WNOHANG) == 0; waited += 20)
        wait_for(20);
    ck_assert_msg(waitpid(started[number], NULL, WNOHANG) < 0, "%s", shell_read(&http_memory, path_of(number)));
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    const char *written = shell_read(&http_memory, path_of(number));
    unlink(path_of(number));
    return written;
}
