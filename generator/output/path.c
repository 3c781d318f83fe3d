#include "output/path.h"

#include "generator/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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

// Appends the names of a path to those of a folder; removes one for each "..".
static void append_names(text *names, const char *path)
{
    while (*path != '\0') {
        size_t size = strcspn(path, "/");
        bool is_up = size == 2 && memcmp(path, "..", 2) == 0;
        bool is_name = size > 0 && !(size == 1 && *path == '.') && !is_up;
        if (is_name)
            text_append_format(names, "/%.*s", (int)size, path);
        while (is_up && names->size > 0 && names->bytes[--names->size] != '/')
            continue;
        names->bytes[names->size] = '\0';
        path += size + (path[size] == '/');
    }
}

// Returns the path from the root, without a '/' at its end.
static text absolute(arena *arena, const char *path)
{
    text names = text_create(arena);
    char *current = path[0] == '/' ? NULL : getcwd(NULL, 0);
    append_names(&names, current == NULL ? "" : current);
    free(current);
    append_names(&names, path);
    return names;
}

// Returns the size of the folders that two absolute paths have in common.
static size_t common_size(const char *a, const char *b)
{
    size_t common = 0, i = 0;
    for (;; i++) {
        bool ends_both = (a[i] == '/' || a[i] == '\0') && (b[i] == '/' || b[i] == '\0');
        if (ends_both)
            common = i;
        if (a[i] != b[i] || a[i] == '\0')
            return common;
    }
}

const char *output_relative(arena *arena, const char *folder, const char *path)
{
    text from = absolute(arena, folder), to = absolute(arena, path), relative = text_create(arena);
    size_t common = common_size(from.bytes, to.bytes);
    for (const char *at = strchr(from.bytes + common, '/'); at != NULL; at = strchr(at + 1, '/'))
        text_append_string(&relative, "../");
    text_append_string(&relative, to.bytes + common + (to.bytes[common] == '/'));
    return relative.bytes;
}

const char *output_resolved(arena *arena, const char *folder, const char *relative)
{
    text path = absolute(arena, folder);
    append_names(&path, relative);
    return output_relative(arena, ".", path.bytes);
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
