#include "output/path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *output_path(arena *arena, const char *directory, const char *path)
{
    int size = (int)strlen(directory);
    while (size > 1 && directory[size - 1] == '/')
        size--;
    bool is_root = size == 1 && directory[0] == '/';
    return arena_format(arena, "%.*s%s%s", size, directory, is_root ? "" : "/", path);
}

int output_make_parents(arena *arena, const char *path)
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

const char *output_parent(arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return ".";
    return slash == path ? "/" : arena_copy(arena, path, (size_t)(slash - path));
}

bool output_is_same_folder(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

// Some file systems have nothing to sync and return an error.
int output_sync(int descriptor)
{
    if (fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
        return errno;
    return 0;
}

int output_sync_parent(arena *arena, const char *path)
{
    int descriptor = open(output_parent(arena, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return errno == EACCES ? 0 : errno; // writable but not readable
    int fault = output_sync(descriptor);
    close(descriptor);
    return fault;
}
