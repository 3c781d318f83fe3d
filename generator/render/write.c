// Paths and their folders, and one file that is staged, then renamed or created.
#include "generator/render/render.h"

#include "generator/base/base.h"
#include "generator/source/source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- paths

const char *output_path(arena *arena, const char *directory, const char *path)
{
    assert(directory[0] != '\0');
    int size = (int)strlen(directory);
    while (size > 1 && directory[size - 1] == '/')
        size--;
    bool is_root = size == 1 && directory[0] == '/';
    return arena_format(arena, "%.*s%s%s", size, directory, text_if(!is_root, "/"), path);
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
    char *current = NULL;
    if (path[0] != '/')
        current = getcwd(NULL, 0);
    append_names(&names, text_or_empty(current));
    free(current);
    append_names(&names, path);
    return names;
}

// Returns the size of the folders that two absolute paths have in common.
static size_t common_size(const char *a, const char *b)
{
    assert((a[0] == '/' || a[0] == '\0') && (b[0] == '/' || b[0] == '\0'));
    size_t common = 0;
    size_t i = 0;
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
    text from = absolute(arena, folder);
    text to = absolute(arena, path);
    text relative = text_create(arena);
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
    assert(path[0] != '\0');
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
    return arena_copy(arena, path, size_max(1, (size_t)(slash - path)));
}

bool output_is_same_file(const char *a, const char *b)
{
    struct stat first;
    struct stat second;
    if (stat(a, &first) != 0 || stat(b, &second) != 0)
        return false;
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
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
    if (descriptor < 0 && errno == EACCES) // writable but not readable
        return 0;
    if (descriptor < 0)
        return errno;
    int fault = output_sync(descriptor);
    close(descriptor);
    return fault;
}

// ---- files

static const char suffix[] = ".kin-new";

staged_file staged_file_create(arena *arena, const char *path)
{
    assert(path[0] != '\0');
    kin__target *target = arena_allocate(arena, sizeof *target);
    int fault = kin__target_find(target, path);
    if (fault == 0 && target->kind != KIN__TARGET_STREAM)
        path = target->path;
    int head = source_folder_size(path);
    const char *temporary = arena_format(arena, "%.*s.%s%s", head, path, path + head, suffix);
    return (staged_file){.path = path, .temporary = temporary, .target = target, .fault = fault};
}

bool staged_file_is(const char *name)
{
    return name[0] == '.' && text_ends_in(name + 1, suffix);
}

// Creates a file, replacing one left by a killed run. Its mode is 0644 restricted by the umask.
static int open_temporary(const char *path)
{
    static const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int descriptor = open(path, flags, 0644);
    if (descriptor < 0 && errno == EEXIST && unlink(path) == 0)
        descriptor = open(path, flags, 0644);
    return descriptor;
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

static bool is_stream(const staged_file *staged)
{
    return staged->target->kind == KIN__TARGET_STREAM;
}

int output_stage(staged_file *staged, const char *bytes, size_t size)
{
    assert(!staged->is_staged);
    if (staged->fault != 0)
        return staged->fault;
    int descriptor = -1;
    if (is_stream(staged))
        descriptor = kin__target_open(staged->target);
    else
        descriptor = open_temporary(staged->temporary);
    if (descriptor < 0)
        return errno;
    staged->is_staged = true;
    if (!is_stream(staged))
        kin__target_keep(staged->target, descriptor);
    int fault = write_all(descriptor, bytes, size);
    if (fault == 0 && !is_stream(staged))
        fault = output_sync(descriptor);
    if (close(descriptor) != 0 && fault == 0)
        fault = errno;
    if (fault != 0)
        output_discard(staged);
    return fault;
}

int output_commit(staged_file *staged)
{
    assert(staged->is_staged);
    if (!is_stream(staged) && rename(staged->temporary, staged->path) != 0) {
        int fault = errno;
        output_discard(staged);
        return fault;
    }
    staged->is_staged = false;
    return 0;
}

void output_discard(staged_file *staged)
{
    if (staged->is_staged && !is_stream(staged))
        unlink(staged->temporary);
    staged->is_staged = false;
}

int output_replace(arena *arena, const char *path, const text *content)
{
    staged_file staged = staged_file_create(arena, path);
    int fault = output_stage(&staged, content->bytes, content->size);
    if (fault == 0)
        fault = output_commit(&staged);
    return fault;
}

int output_report_fault(diagnostics *diagnostics, const char *what, const char *path, int fault)
{
    assert(fault != 0);
    diagnostic_system_error(diagnostics, CODE_UNWRITABLE, "cannot %s '%s': %s", what, path, strerror(fault));
    diagnostic_about(diagnostics, path);
    return STATUS_SYSTEM;
}

bool output_exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

int output_write_new(const char *path, const char *bytes, size_t size)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return errno;
    int error = write_all(descriptor, bytes, size);
    if (close(descriptor) != 0 && error == 0)
        error = errno;
    if (error != 0)
        unlink(path);
    return error;
}
