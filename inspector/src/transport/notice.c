#include "transport/notice.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 16 };

// Opens the folder `kin`, and makes it if it is not there. -1 unless it is a folder of this user alone.
static int open_folder(void)
{
    char path[1024];
    struct stat status;
    const char *parent = getenv("XDG_RUNTIME_DIR");
    if (parent == NULL || parent[0] != '/' || strlen(parent) > 1000)
        return -1;
    snprintf(path, sizeof path, "%s/kin", parent);
    mkdir(path, 0700);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return -1;
    if (fstat(folder, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & 0777) == 0700)
        return folder;
    close(folder);
    return -1;
}

static bool write_file(int folder, const char *name, const kin__json *json)
{
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    bool is_written = write(file, json->at, json->size) == (ssize_t)json->size;
    close(file);
    if (!is_written)
        unlinkat(folder, name, 0);
    return is_written;
}

kin__notice kin__notice_write(const kin__json *json)
{
    kin__notice notice = {.folder = json->is_full ? -1 : open_folder()};
    for (unsigned n = 0; notice.folder >= 0 && n < MOST_FILES; n++) {
        snprintf(notice.name, sizeof notice.name, "inspect-%ld-%u.json", (long)getpid(), n);
        if (write_file(notice.folder, notice.name, json))
            return notice;
    }
    if (notice.folder >= 0)
        close(notice.folder);
    notice.folder = -1;
    return notice;
}

void kin__notice_remove(kin__notice *notice)
{
    if (notice->folder < 0)
        return;
    unlinkat(notice->folder, notice->name, 0);
    close(notice->folder);
    notice->folder = -1;
}
