#define _XOPEN_SOURCE 700 // for fsync and open
#include "path/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".new";

static bool note(kin__file *file, const char *what, const char *path)
{
    return kin__fault_note(file->fault, KIN_ERROR_STREAM, "cannot %s '%s': %s", what, path, strerror(errno));
}

// Creates the file beside the target, which replaces one that a killed process left. Anything else stays.
static int create(const char *path)
{
    static const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    struct stat status;
    int number = open(path, flags, 0666);
    if (number >= 0 || errno != EEXIST)
        return number;
    bool is_left = lstat(path, &status) == 0 && S_ISREG(status.st_mode) && unlink(path) == 0;
    errno = EEXIST;
    return is_left ? open(path, flags, 0666) : -1;
}

bool kin__file_begin(kin__file *file, const char *path, kin__fault *fault)
{
    *file = (kin__file){.path = path, .number = -1, .fault = fault};
    int error = kin__target_find(&file->target, path);
    if (error != 0) {
        errno = error;
        return note(file, "write", path);
    }
    size_t length = strlen(file->target.path);
    file->beside = malloc(length + sizeof suffix);
    if (file->beside == NULL)
        return kin__fault_note(fault, KIN_ERROR_NO_MEMORY, "no memory for its path; free some and try again");
    memcpy(file->beside, file->target.path, length);
    memcpy(file->beside + length, suffix, sizeof suffix);
    file->is_beside = file->target.kind != KIN__TARGET_STREAM;
    if (!file->is_beside)
        file->beside[length] = '\0'; // the stream itself
    file->number = file->is_beside ? create(file->beside) : kin__target_open(&file->target);
    if (file->number < 0)
        return note(file, "open", file->beside);
    if (file->is_beside)
        kin__target_keep(&file->target, file->number);
    return true;
}

static bool write_all(const void *bytes, size_t size, void *user)
{
    kin__file *file = user;
    const unsigned char *at = bytes;
    while (size > 0) {
        ssize_t count = write(file->number, at, size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return note(file, "write", file->beside);
        at += count;
        size -= (size_t)count;
    }
    return true;
}

kin_sink kin__file_sink(kin__file *file)
{
    return (kin_sink){write_all, file};
}

// Flushes the folder, which contains the new name. Some file systems cannot, and return EINVAL.
static bool flush_folder(kin__file *file)
{
    char *folder = file->beside; // no longer needed, so reused
    char *slash = strrchr(folder, '/');
    if (slash == NULL)
        memcpy(folder, ".", 2);
    else
        slash[slash == folder] = '\0';
    int number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (number < 0)
        return note(file, "open", folder);
    bool is_flushed = fsync(number) == 0 || errno == EINVAL || note(file, "flush", folder);
    close(number);
    return is_flushed;
}

static bool close_it(kin__file *file)
{
    int number = file->number;
    file->number = -1;
    return number < 0 || close(number) == 0 || note(file, "close", file->beside);
}

static bool put_in_place(kin__file *file)
{
    if (file->fault->status != KIN_OK)
        return false;
    if (fsync(file->number) != 0 && errno != EINVAL && file->is_beside)
        return note(file, "flush", file->beside);
    if (!close_it(file))
        return false;
    return !file->is_beside || rename(file->beside, file->target.path) == 0 || note(file, "rename to", file->path);
}

bool kin__file_end(kin__file *file)
{
    bool was_open = file->number >= 0;
    if (put_in_place(file)) {
        if (file->is_beside)
            flush_folder(file);
    } else {
        close_it(file);
        if (was_open && file->is_beside)
            unlink(file->beside);
    }
    free(file->beside);
    return file->fault->status == KIN_OK;
}

// ---- reading

bool kin__read_file_begin(kin__read_file *file, const char *path, kin__fault *fault)
{
    *file = (kin__read_file){path, open(path, O_RDONLY | O_CLOEXEC), fault};
    return file->number >= 0 || kin__fault_note(fault, KIN_ERROR_STREAM, "cannot open '%s': %s", path, strerror(errno));
}

static size_t read_some(void *bytes, size_t size, void *user)
{
    kin__read_file *file = user;
    ssize_t count;
    do
        count = read(file->number, bytes, size);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        kin__fault_note(file->fault, KIN_ERROR_STREAM, "cannot read '%s': %s", file->path, strerror(errno));
    return count < 0 ? 0 : (size_t)count;
}

static bool begin_again(void *user)
{
    return lseek(((kin__read_file *)user)->number, 0, SEEK_SET) == 0;
}

kin_source kin__read_file_source(kin__read_file *file)
{
    return (kin_source){read_some, begin_again, file};
}

void kin__read_file_end(kin__read_file *file)
{
    close(file->number);
}
