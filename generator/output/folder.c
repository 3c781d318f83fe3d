#include "output/private/folder.h"

#include "output/path.h"
#include "output/write.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// Locks the folder; a file system without locks is used unlocked.
static int lock(int descriptor)
{
    while (flock(descriptor, LOCK_EX) != 0)
        if (errno != EINTR)
            return errno == ENOLCK || errno == ENOTSUP || errno == ENOSYS || errno == EINVAL ? 0 : errno;
    return 0;
}

// Creates the folder and its parents. Checks first whether it exists: its parents may be read-only.
static int make_folder(arena *arena, const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0)
        return S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
    if (errno != ENOENT)
        return errno;
    return output_make_parents(arena, arena_format(arena, "%s/", path));
}

int output_folder_open(arena *arena, output_folder *folder, const char *path)
{
    *folder = (output_folder){path, -1};
    int fault = make_folder(arena, path);
    if (fault != 0)
        return fault;
    folder->descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->descriptor < 0)
        return errno;
    fault = lock(folder->descriptor);
    if (fault != 0)
        output_folder_close(folder);
    return fault;
}

void output_folder_close(output_folder *folder)
{
    if (folder->descriptor >= 0)
        close(folder->descriptor);
    folder->descriptor = -1;
}

// Removes a staged file; other kinds of files with such a name stay.
static int remove_staged(const char *path)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return errno == ENOENT ? 0 : errno;
    return S_ISREG(status.st_mode) && unlink(path) != 0 ? errno : 0;
}

int output_folder_clean(arena *arena, const output_folder *folder, const char **path)
{
    *path = folder->path;
    DIR *opened = opendir(folder->path);
    if (opened == NULL)
        return errno;
    int fault = 0;
    errno = 0;
    for (const struct dirent *entry = readdir(opened); entry != NULL && fault == 0; entry = readdir(opened)) {
        if (staged_file_is(entry->d_name)) {
            *path = output_path(arena, folder->path, entry->d_name);
            fault = remove_staged(*path);
        }
        errno = 0;
    }
    fault = fault != 0 ? fault : errno;
    closedir(opened);
    return fault;
}
