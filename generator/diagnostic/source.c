#include "diagnostic/source.h"

#include "base/text.h"
#include "diagnostic/diagnostic.h"
#include "diagnostic/private/source_marks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t count_lines(const char *bytes, size_t size)
{
    size_t count = 1;
    for (size_t i = 0; i < size; i++)
        count += bytes[i] == '\n';
    return count;
}

// Takes the bytes over.
static source *create(arena *arena, const char *path, const char *bytes, size_t size)
{
    size_t line_count = count_lines(bytes, size);
    size_t *starts = arena_allocate(arena, line_count * sizeof *starts);
    starts[0] = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    size_t line = 1;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] == '\n')
            starts[line++] = i + 1;

    source *source = arena_allocate(arena, sizeof *source);
    source->path = arena_copy(arena, path, strlen(path));
    source->bytes = bytes;
    source->size = size;
    source->line_starts = starts;
    source->line_count = line_count;
    source->marks = source_make_marks(arena, source);
    return source;
}

const source *source_from_bytes(arena *arena, const char *path, const char *bytes, size_t size)
{
    return create(arena, path, arena_copy(arena, bytes, size), size);
}

// Reads to the end, but not further than one byte over the limit. 0, or the error number.
static int read_all(int file, text *bytes)
{
    char buffer[16384];
    while (bytes->size <= SOURCE_SIZE_LIMIT) {
        ssize_t size = read(file, buffer, sizeof buffer);
        if (size == 0)
            return 0;
        if (size > 0)
            text_append(bytes, buffer, (size_t)size);
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

// What keeps the open file from being a schema; NULL when it may be read.
static const char *refusal_of(int file)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return strerror(errno);
    if (S_ISDIR(status.st_mode))
        return "it is a directory";
    if (!S_ISREG(status.st_mode))
        return "it is not a regular file";
    return NULL;
}

static const char *identity_of(arena *arena, const struct stat *status)
{
    return arena_format(arena, "%ju:%ju", (uintmax_t)status->st_dev, (uintmax_t)status->st_ino);
}

const char *source_identity_of(arena *arena, const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? identity_of(arena, &status) : NULL;
}

// A file that is being loaded.
typedef struct loading {
    arena *arena;
    diagnostics *diagnostics;
    const char *path;
    const char *fault; // why it cannot be read; NULL as long as it can
} loading;

static source *read_open(loading *loading, int file)
{
    text bytes = text_create(loading->arena);
    struct stat status;
    int error = fstat(file, &status) != 0 ? errno : read_all(file, &bytes);
    if (error != 0)
        loading->fault = strerror(error);
    else if (bytes.size > SOURCE_SIZE_LIMIT)
        loading->fault = arena_format(loading->arena, "a file may have at most %d bytes", SOURCE_SIZE_LIMIT);
    if (loading->fault != NULL)
        return NULL;
    source *source = create(loading->arena, loading->path, bytes.bytes, bytes.size);
    source->order = ++loading->diagnostics->sources;
    source->identity = identity_of(loading->arena, &status);
    return source;
}

static source *read_path(loading *loading)
{
    // Without O_NONBLOCK, opening a pipe that nobody writes to would never return.
    int file = open(loading->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    loading->fault = file < 0 ? strerror(errno) : refusal_of(file);
    source *source = loading->fault == NULL ? read_open(loading, file) : NULL;
    if (file >= 0)
        close(file);
    return source;
}

const source *source_load(arena *arena, diagnostics *diagnostics, const char *path)
{
    bool is_input = strcmp(path, "-") == 0;
    loading loading = {arena, diagnostics, is_input ? "<stdin>" : path, NULL};
    source *source = is_input ? read_open(&loading, STDIN_FILENO) : read_path(&loading);
    if (source == NULL) {
        diagnostic_system_error(diagnostics, CODE_FILE_UNREADABLE, "cannot read '%s': %s", loading.path, loading.fault);
        diagnostic_about(diagnostics, loading.path);
    } else {
        source->is_input = is_input;
    }
    return source;
}

static void report_unreadable(const loading *loading, span place)
{
    diagnostic_error(loading->diagnostics, CODE_INCLUDE_UNREADABLE, place, "cannot read '%s': %s", loading->path,
                     loading->fault);
    if (loading->path[0] != '/' && strcmp(loading->fault, strerror(ENOENT)) == 0)
        diagnostic_hint(loading->diagnostics, "a path begins in the folder of the file that includes it");
}

const source *source_load_included(arena *arena, diagnostics *diagnostics, const char *path, span place)
{
    loading loading = {arena, diagnostics, path, NULL};
    const source *source = read_path(&loading);
    if (source == NULL)
        report_unreadable(&loading, place);
    return source;
}
