#include "output_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPORARY_TRIES = 100 };

// Makes every directory that the path names before its last '/'.
static int make_directories(arena *arena, const char *path)
{
    char *prefix = arena_copy(arena, path, strlen(path));
    for (char *slash = strchr(prefix + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(prefix, 0777) != 0 && errno != EEXIST)
            return errno;
        *slash = '/';
    }
    return 0;
}

static const char *directory_of(arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return ".";
    return slash == path ? "/" : arena_copy(arena, path, (size_t)(slash - path));
}

// Opens a file that was not there, under a hidden name that a killed run may have taken before. The mode is what the
// umask leaves of 0644.
static int open_temporary(arena *arena, staged_file *staged)
{
    const char *slash = strrchr(staged->path, '/');
    int head = slash == NULL ? 0 : (int)(slash - staged->path) + 1;
    for (int i = 0; i < TEMPORARY_TRIES; i++) {
        const char *name =
            arena_format(arena, "%.*s.%s.%ld-%d.kin", head, staged->path, staged->path + head, (long)getpid(), i);
        int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (descriptor >= 0)
            staged->temporary = name;
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
    }
    return -1;
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

// Some file systems have nothing to sync and say so.
static int synchronise(int descriptor)
{
    if (fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
        return errno;
    return 0;
}

int output_stage(arena *arena, staged_file *staged, const char *bytes, size_t size)
{
    staged->temporary = NULL;
    staged->directory = directory_of(arena, staged->path);
    int fault = make_directories(arena, staged->path);
    if (fault != 0)
        return fault;
    int descriptor = open_temporary(arena, staged);
    if (descriptor < 0)
        return errno;
    fault = write_all(descriptor, bytes, size);
    if (fault == 0)
        fault = synchronise(descriptor);
    if (close(descriptor) != 0 && fault == 0)
        fault = errno;
    if (fault != 0)
        output_discard(staged);
    return fault;
}

int output_commit(staged_file *staged)
{
    if (rename(staged->temporary, staged->path) != 0) {
        int fault = errno;
        output_discard(staged);
        return fault;
    }
    staged->temporary = NULL;
    int descriptor = open(staged->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return 0; // a directory that may be written but not read
    int fault = synchronise(descriptor);
    close(descriptor);
    return fault;
}

void output_discard(staged_file *staged)
{
    if (staged->temporary != NULL)
        unlink(staged->temporary);
    staged->temporary = NULL;
}
