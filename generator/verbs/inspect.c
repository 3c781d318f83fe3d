#include "verbs/inspect.h"

#include "generator/base/base.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static const char program[] = "kin-inspect";

bool inspect_is_asked(int count, char **arguments)
{
    return count > 1 && strcmp(arguments[1], "inspect") == 0;
}

// Writes the path of the program beside this one. Returns false when it is not known.
static bool find_beside(const char *self, char *path)
{
    ssize_t size = readlink("/proc/self/exe", path, PATH_SIZE - sizeof program);
    if (size < 0 && strchr(self, '/') == NULL)
        return false;
    if (size < 0)
        size = snprintf(path, PATH_SIZE - sizeof program, "%s", self);
    if (size >= (ssize_t)(PATH_SIZE - sizeof program))
        return false;
    path[size] = '\0';
    char *name = strrchr(path, '/') + 1;
    memcpy(name, program, sizeof program);
    return true;
}

int inspect_run(char **arguments)
{
    char path[PATH_SIZE], name[sizeof program];
    bool is_known = find_beside(arguments[0], path);
    memcpy(name, program, sizeof program);
    arguments[1] = name;
    if (is_known)
        execv(path, arguments + 1);
    execvp(program, arguments + 1);
    fprintf(stderr, "kin: cannot run kin-inspect: %s\nInstall it with 'make install-inspect'.\n", strerror(errno));
    return STATUS_SYSTEM;
}
