#include "text/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 1024 };

// Writes the path of a folder. Returns false if its variable is not set to an absolute path that fits.
static bool write_path(unsigned number, char path[PATH])
{
    static const char *const variables[KIN__FOLDERS] = {"XDG_RUNTIME_DIR", "TMPDIR"};
    KIN_ASSERT(number < KIN__FOLDERS);
    const char *parent = getenv(variables[number]);
    int size = 0;
    if (parent == NULL && number == 1)
        parent = "/tmp";
    if (parent == NULL || parent[0] != '/')
        return false;
    if (number == 0)
        size = snprintf(path, PATH, "%s/kin", parent);
    else
        size = snprintf(path, PATH, "%s/kin-%lu", parent, (unsigned long)geteuid());
    return size > 0 && size < PATH;
}

int kin__folder_open(unsigned number, bool makes)
{
    char path[PATH];
    struct stat status;
    if (!write_path(number, path))
        return -1;
    if (makes)
        mkdir(path, 0700);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return -1;
    bool is_own = fstat(folder, &status) == 0 && status.st_uid == geteuid();
    if (is_own && (status.st_mode & 07777) == 0700)
        return folder;
    close(folder);
    return -1;
}
