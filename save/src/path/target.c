#define _XOPEN_SOURCE 700 // for readlink and fchmod
#ifdef __linux__
#define _DEFAULT_SOURCE // for attributes
#endif
#include "path/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/xattr.h>
#endif

enum { MOST_LINKS = 40, ATTRIBUTE_LIMIT = 1 << 16 };

// Returns the descriptor of the process that the path names, such as that of /dev/stdout at the end of its link; or -1.
// Its position belongs to all who write to it, so that the file behind it is neither replaced nor opened again.
static int find_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t length = strlen(folders[i]);
        size_t digits = strncmp(path, folders[i], length) == 0 ? strspn(path + length, "0123456789") : 0;
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
    size_t begin = slash == NULL || link[0] == '/' ? 0 : (size_t)(slash - path) + 1;
    if (size == 0 || begin + (size_t)size >= KIN__TARGET_SIZE)
        return ENAMETOOLONG;
    memcpy(path + begin, link, (size_t)size);
    path[begin + (size_t)size] = '\0';
    return 0;
}

// Follows all links at the end of the path. Returns 0 or the errno; a missing file is none.
static int resolve(kin__target *target)
{
    for (int i = 0; i <= MOST_LINKS; i++) {
        target->descriptor = find_descriptor(target->path);
        if (target->descriptor >= 0) {
            target->kind = KIN__TARGET_STREAM;
            return 0;
        }
        if (lstat(target->path, &target->status) != 0) {
            target->kind = KIN__TARGET_MISSING;
            return errno == ENOENT ? 0 : errno;
        }
        if (!S_ISLNK(target->status.st_mode))
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
    size_t size = strlen(path);
    if (size == 0)
        return ENOENT;
    if (size >= KIN__TARGET_SIZE)
        return ENAMETOOLONG;
    memcpy(target->path, path, size + 1);
    target->kind = KIN__TARGET_FILE;
    target->descriptor = -1;
    if (stat(path, &status) != 0)
        return errno == ENOENT ? resolve(target) : errno;
    if (S_ISDIR(status.st_mode))
        return EISDIR;
    int fault = resolve(target);
    if (fault != 0)
        return fault;
    bool has_name = target->kind == KIN__TARGET_FILE;
    if (!S_ISREG(status.st_mode) || !has_name || !is_same_file(&status, &target->status)) {
        memcpy(target->path, path, size + 1);
        target->kind = KIN__TARGET_STREAM;
        return S_ISBLK(status.st_mode) ? ENOTSUP : 0;
    }
    return faccessat(AT_FDCWD, target->path, W_OK, AT_EACCESS) == 0 ? 0 : errno;
}

int kin__target_open(const kin__target *target)
{
    if (target->descriptor >= 0)
        return fcntl(target->descriptor, F_DUPFD_CLOEXEC, 0);
    return open(target->path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
}

#ifdef __linux__
// Access control lists are attributes, too. The new file may have one from its folder, which the former has not. What
// the file system, memory or the rights of the process do not allow is left out.
static void copy_attributes(const char *from, int to)
{
    char *names = malloc(ATTRIBUTE_LIMIT), *value = malloc(ATTRIBUTE_LIMIT);
    ssize_t size = names == NULL || value == NULL ? -1 : listxattr(from, names, ATTRIBUTE_LIMIT);
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
    mode_t mode = target->status.st_mode & 07777;
    if (target->kind != KIN__TARGET_FILE || fstat(descriptor, &made) != 0)
        return;
    copy_attributes(target->path, descriptor);
    bool is_owner = made.st_uid == target->status.st_uid || fchown(descriptor, target->status.st_uid, (gid_t)-1) == 0;
    bool is_group = made.st_gid == target->status.st_gid || fchown(descriptor, (uid_t)-1, target->status.st_gid) == 0;
    if (!is_owner)
        mode &= ~(mode_t)S_ISUID;
    if (!is_group) // another group gets what all others have
        mode = (mode & ~(mode_t)(S_ISGID | S_IRWXG)) | (mode & S_IRWXO) << 3;
    bool is_kept = fchmod(descriptor, mode) == 0;
    (void)is_kept; // else the rights of a new file remain
}
