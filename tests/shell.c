#include "shell.h"

#include "generator/base/base.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *read_all(arena *arena, FILE *file)
{
    text content = text_create(arena);
    char bytes[4096];
    for (size_t size = fread(bytes, 1, sizeof bytes, file); size > 0; size = fread(bytes, 1, sizeof bytes, file))
        text_append(&content, bytes, size);
    return content.bytes;
}

shell_result shell_run(arena *arena, const char *command)
{
    FILE *pipe = popen(arena_format(arena, "{ %s\n} 2>&1", command), "r");
    ck_assert_ptr_nonnull(pipe);
    shell_result result = {.output = read_all(arena, pipe)};
    int status = pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return result;
}

const char *shell_expect(arena *arena, const char *command)
{
    shell_result result = shell_run(arena, command);
    ck_assert_msg(result.status == 0, "%.1000s: %.2800s", command, result.output); // the limit of Check's messages
    return result.output;
}

bool shell_has(arena *arena, const char *program)
{
    bool has = shell_run(arena, arena_format(arena, "command -v %s", program)).status == 0;
    if (!has)
        printf("skipped: what needs %s, as there is none\n", program);
    return has;
}

static const char *environment(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value == NULL ? otherwise : value;
}

const char *shell_build(void)
{
    return environment("BUILD", "build");
}

const char *shell_compiler(void)
{
    return environment("COMPILER", "cc");
}

const char *shell_flags(void)
{
    return environment("FLAGS", "");
}

bool shell_runs_all(void)
{
    return getenv("KIN_CHECK_ALL") != NULL;
}

const char *shell_scratch(void)
{
    const char *wanted = getenv("TMPDIR");
    return wanted == NULL || wanted[0] == '\0' ? "/tmp" : wanted;
}

FILE *shell_file(void)
{
    char path[300];
    snprintf(path, sizeof path, "%s/kin-test-file-XXXXXX", shell_scratch());
    int number = mkstemp(path);
    ck_assert_msg(number >= 0, "%s: %s", path, strerror(errno));
    unlink(path);
    return fdopen(number, "w+b");
}

const char *shell_data(void)
{
    return environment("KIN_TEST_DATA", "tests/data");
}

const char *shell_read(arena *arena, const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be read", path);
    const char *content = read_all(arena, file);
    fclose(file);
    return content;
}
