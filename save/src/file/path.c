#define _XOPEN_SOURCE 700 // for fsync, open, readlink and fchmod
#ifdef __linux__
#define _DEFAULT_SOURCE // for attributes
#endif
#include "file/file.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/xattr.h>
#endif

enum { MOST_LINKS = 40, ATTRIBUTE_LIMIT = 1 << 16 };

static const char suffix[] = ".new";

// ---- what stands at a path

// Returns the descriptor of the process that the path names, such as that of /dev/stdout at the end of its link; or -1.
// Its position belongs to all who write to it, so that the file behind it is neither replaced nor opened again.
static int find_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) != 0)
            continue;
        size_t digits = strspn(path + length, "0123456789");
        if (digits > 0 && path[length + digits] == '\0')
            return (int)strtol(path + length, NULL, 10);
    }
    return -1;
}

// Replaces the last name of a path by what a link contains, or the whole path if that is absolute. Returns 0 or the
// errno.
static int follow(char path[KIN__TARGET_SIZE])
{
    char link[KIN__TARGET_SIZE];
    ssize_t size = readlink(path, link, sizeof link);
    if (size < 0)
        return errno;
    const char *slash = strrchr(path, '/');
    size_t begin = 0;
    if (slash != NULL && link[0] != '/')
        begin = (size_t)(slash - path) + 1;
    if (size == 0 || begin + (size_t)size >= KIN__TARGET_SIZE)
        return ENAMETOOLONG;
    memcpy(path + begin, link, (size_t)size);
    path[begin + (size_t)size] = '\0';
    return 0;
}

// Follows all links at the end of the path, and sets the status of the file there. Returns 0 or the errno; a missing
// file is no error.
static int resolve(kin__target *target, struct stat *status)
{
    for (int i = 0; i <= MOST_LINKS; i++) {
        target->descriptor = find_descriptor(target->path);
        if (target->descriptor >= 0) {
            target->kind = KIN__TARGET_STREAM;
            return 0;
        }
        if (lstat(target->path, status) != 0) {
            target->kind = KIN__TARGET_MISSING;
            if (errno == ENOENT)
                return 0;
            return errno;
        }
        if (!S_ISLNK(status->st_mode))
            return 0;
        int fault = follow(target->path);
        if (fault != 0)
            return fault;
    }
    return ELOOP;
}

static bool is_same_file(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

int kin__target_find(kin__target *target, const char *path)
{
    struct stat status;
    struct stat resolved;
    size_t size = strlen(path);
    if (size == 0)
        return ENOENT;
    if (size >= KIN__TARGET_SIZE)
        return ENAMETOOLONG;
    memcpy(target->path, path, size + 1);
    target->kind = KIN__TARGET_FILE;
    target->descriptor = -1;
    if (stat(path, &status) != 0) {
        if (errno == ENOENT)
            return resolve(target, &resolved);
        return errno;
    }
    if (S_ISDIR(status.st_mode))
        return EISDIR;
    int fault = resolve(target, &resolved);
    if (fault != 0)
        return fault;
    bool is_found = target->kind == KIN__TARGET_FILE && is_same_file(&status, &resolved);
    if (!S_ISREG(status.st_mode) || !is_found) {
        memcpy(target->path, path, size + 1);
        target->kind = KIN__TARGET_STREAM;
        if (S_ISBLK(status.st_mode))
            return ENOTSUP;
        return 0;
    }
    target->mode = (uint32_t)resolved.st_mode & 07777;
    target->owner = (uint32_t)resolved.st_uid;
    target->group = (uint32_t)resolved.st_gid;
    if (faccessat(AT_FDCWD, target->path, W_OK, AT_EACCESS) != 0)
        return errno;
    return 0;
}

int kin__target_open(const kin__target *target)
{
    KIN_ASSERT(target->kind == KIN__TARGET_STREAM);
    if (target->descriptor >= 0)
        return fcntl(target->descriptor, F_DUPFD_CLOEXEC, 0);
    return open(target->path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
}

#ifdef __linux__
// Access control lists are attributes, too. The new file may have one from its folder, which the former has not. What
// the file system, memory or the rights of the process do not allow is left out.
static void copy_attributes(const char *from, int to)
{
    char *names = malloc(ATTRIBUTE_LIMIT);
    char *value = malloc(ATTRIBUTE_LIMIT);
    ssize_t size = -1;
    if (names != NULL && value != NULL)
        size = listxattr(from, names, ATTRIBUTE_LIMIT);
    if (size >= 0)
        fremovexattr(to, "system.posix_acl_access");
    for (ssize_t at = 0; at < size; at += (ssize_t)strlen(names + at) + 1) {
        ssize_t length = getxattr(from, names + at, value, ATTRIBUTE_LIMIT);
        if (length >= 0)
            fsetxattr(to, names + at, value, (size_t)length, 0);
    }
    free(names);
    free(value);
}
#else
static void copy_attributes(const char *from, int to)
{
    (void)from;
    (void)to;
}
#endif

void kin__target_keep(const kin__target *target, int descriptor)
{
    struct stat made;
    mode_t mode = (mode_t)target->mode;
    if (target->kind != KIN__TARGET_FILE || fstat(descriptor, &made) != 0)
        return;
    copy_attributes(target->path, descriptor);
    bool is_owner = made.st_uid == target->owner || fchown(descriptor, (uid_t)target->owner, (gid_t)-1) == 0;
    bool is_group = made.st_gid == target->group || fchown(descriptor, (uid_t)-1, (gid_t)target->group) == 0;
    if (!is_owner)
        mode &= ~(mode_t)S_ISUID;
    if (!is_group) // another group gets what all others have
        mode = (mode & ~(mode_t)(S_ISGID | S_IRWXG)) | (mode & S_IRWXO) << 3;
    bool is_kept = fchmod(descriptor, mode) == 0;
    (void)is_kept; // else the rights of a new file remain
}

// ---- writing

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
    bool is_left = lstat(path, &status) == 0 && S_ISREG(status.st_mode);
    if (is_left && unlink(path) == 0)
        return open(path, flags, 0666);
    errno = EEXIST;
    return -1;
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
    if (file->is_beside) {
        file->number = create(file->beside);
    } else {
        file->beside[length] = '\0'; // the stream itself
        file->number = kin__target_open(&file->target);
    }
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
    KIN_ASSERT(file->number >= 0);
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
    KIN_ASSERT(file->is_beside && file->number < 0);
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

static bool close_file(kin__file *file)
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
    if (!close_file(file))
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
        close_file(file);
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
    if (count < 0) {
        kin__fault_note(file->fault, KIN_ERROR_STREAM, "cannot read '%s': %s", file->path, strerror(errno));
        return 0;
    }
    return (size_t)count;
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
