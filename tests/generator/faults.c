#include "faults.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

static int remaining = -1; // calls before the one that should_fail; negative: none will
static int chosen;
static bool has_failed;

void faults_arm(int at, int fault)
{
    remaining = at;
    chosen = fault;
    has_failed = false;
}

bool faults_disarm(void)
{
    remaining = -1;
    return has_failed;
}

static bool is_next(void)
{
    if (remaining < 0 || remaining-- > 0)
        return false;
    has_failed = true;
    return true;
}

// Returns whether this call fails, with errno set. Under FAULT_KILL it does not return.
static bool should_fail(void)
{
    if (!is_next() || chosen == FAULT_SHORT)
        return false;
    if (chosen == FAULT_KILL)
        raise(SIGKILL);
    errno = chosen;
    return true;
}

// With `--wrap=NAME` the linker resolves calls of NAME to __wrap_NAME, and __real_NAME to NAME itself.
#define WRAP(result, name, parameters)                                                                                 \
    result __wrap_##name parameters;                                                                                   \
    result __real_##name parameters;                                                                                   \
    result __wrap_##name parameters

WRAP(int, mkdir, (const char *path, mode_t mode))
{
    return should_fail() ? -1 : __real_mkdir(path, mode);
}

WRAP(DIR *, opendir, (const char *path))
{
    return should_fail() ? NULL : __real_opendir(path);
}

WRAP(int, flock, (int descriptor, int operation))
{
    return should_fail() ? -1 : __real_flock(descriptor, operation);
}

WRAP(int, lstat, (const char *path, struct stat *status))
{
    return should_fail() ? -1 : __real_lstat(path, status);
}

WRAP(ssize_t, read, (int descriptor, void *bytes, size_t size))
{
    return should_fail() ? -1 : __real_read(descriptor, bytes, size);
}

WRAP(int, rename, (const char *from, const char *to))
{
    return should_fail() ? -1 : __real_rename(from, to);
}

WRAP(int, unlink, (const char *path))
{
    return should_fail() ? -1 : __real_unlink(path);
}

WRAP(int, open, (const char *path, int flags, ...))
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? (mode_t)va_arg(arguments, int) : 0;
    va_end(arguments);
    return should_fail() ? -1 : __real_open(path, flags, mode);
}

WRAP(ssize_t, write, (int descriptor, const void *bytes, size_t size))
{
    if (remaining == 0 && chosen == FAULT_KILL)
        __real_write(descriptor, bytes, size / 2);
    if (remaining == 0 && chosen == FAULT_SHORT && size > 1)
        size /= 2;
    return should_fail() ? -1 : __real_write(descriptor, bytes, size);
}

int __wrap_fsync(int descriptor);

int __wrap_fsync(int descriptor)
{
    (void)descriptor;
    return should_fail() ? -1 : 0;
}

WRAP(int, close, (int descriptor))
{
    bool is_failure = should_fail();
    int status = __real_close(descriptor);
    if (is_failure)
        errno = chosen;
    return is_failure ? -1 : status;
}
