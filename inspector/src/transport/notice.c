#include "transport/notice.h"

#include "text/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_FILES = 16 };

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

// Writes the file in a folder, which the notice keeps. Closes the folder if that fails.
static bool write_in(kin__notice *notice, int folder, const kin__json *json)
{
    for (unsigned n = 0; n < MOST_FILES; n++) {
        snprintf(notice->name, sizeof notice->name, "inspect-%ld-%u.json", (long)getpid(), n);
        if (!write_file(folder, notice->name, json))
            continue;
        notice->folder = folder;
        return true;
    }
    close(folder);
    return false;
}

kin__notice kin__notice_write(const kin__json *json)
{
    kin__notice notice = {.folder = -1};
    for (unsigned number = 0; number < KIN__FOLDERS && !json->is_full; number++) {
        int folder = kin__folder_open(number, true);
        if (folder >= 0 && write_in(&notice, folder, json))
            return notice;
    }
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
