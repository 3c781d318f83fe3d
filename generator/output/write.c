#include "output/write.h"

#include "output/path.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".kin-new";

staged_file staged_file_create(arena *arena, const char *path)
{
    kin__target *target = arena_allocate(arena, sizeof *target);
    int fault = kin__target_find(target, path);
    if (fault == 0 && target->kind != KIN__TARGET_STREAM)
        path = target->path;
    const char *slash = strrchr(path, '/');
    int head = slash == NULL ? 0 : (int)(slash - path) + 1;
    const char *temporary = arena_format(arena, "%.*s.%s%s", head, path, path + head, suffix);
    return (staged_file){.path = path, .temporary = temporary, .target = target, .fault = fault};
}

bool staged_file_is(const char *name)
{
    size_t size = strlen(name), end = sizeof suffix - 1;
    return name[0] == '.' && size > end + 1 && strcmp(name + size - end, suffix) == 0;
}

// Creates a file, replacing one left by a killed run. Its mode is 0644 restricted by the umask.
static int open_temporary(const char *path)
{
    static const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int descriptor = open(path, flags, 0644);
    if (descriptor < 0 && errno == EEXIST && unlink(path) == 0)
        descriptor = open(path, flags, 0644);
    return descriptor;
}

static int write_all(int descriptor, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        bytes += written;
        size -= (size_t)written;
    }
    return 0;
}

static bool is_stream(const staged_file *staged)
{
    return staged->target->kind == KIN__TARGET_STREAM;
}

int output_stage(staged_file *staged, const char *bytes, size_t size)
{
    assert(!staged->is_staged);
    if (staged->fault != 0)
        return staged->fault;
    int descriptor = is_stream(staged) ? kin__target_open(staged->target) : open_temporary(staged->temporary);
    if (descriptor < 0)
        return errno;
    staged->is_staged = true;
    if (!is_stream(staged))
        kin__target_keep(staged->target, descriptor);
    int fault = write_all(descriptor, bytes, size);
    if (fault == 0 && !is_stream(staged))
        fault = output_sync(descriptor);
    if (close(descriptor) != 0 && fault == 0)
        fault = errno;
    if (fault != 0)
        output_discard(staged);
    return fault;
}

int output_commit(staged_file *staged)
{
    assert(staged->is_staged);
    if (!is_stream(staged) && rename(staged->temporary, staged->path) != 0) {
        int fault = errno;
        output_discard(staged);
        return fault;
    }
    staged->is_staged = false;
    return 0;
}

void output_discard(staged_file *staged)
{
    if (staged->is_staged && !is_stream(staged))
        unlink(staged->temporary);
    staged->is_staged = false;
}

bool output_exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

int output_write_new(const char *path, const char *bytes, size_t size)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return errno;
    int error = write_all(descriptor, bytes, size);
    if (close(descriptor) != 0 && error == 0)
        error = errno;
    if (error != 0)
        unlink(path);
    return error;
}
