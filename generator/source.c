#include "source.h"

#include "diagnostic.h"
#include "text.h"
#include "utf8.h"

#include <errno.h>
#include <fcntl.h>
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

static const source *read_source(arena *arena, diagnostics *diagnostics, const char *path, int file)
{
    text bytes = text_create(arena);
    int error = read_all(file, &bytes);
    if (error != 0) {
        diagnostic_system_error(diagnostics, "cannot read '%s': %s", path, strerror(error));
        return NULL;
    }
    if (bytes.size > SOURCE_SIZE_LIMIT) {
        diagnostic_system_error(diagnostics, "cannot read '%s': a schema may have at most %d bytes", path,
                                SOURCE_SIZE_LIMIT);
        return NULL;
    }
    source *source = create(arena, path, bytes.bytes, bytes.size);
    source->order = ++diagnostics->sources;
    return source;
}

const source *source_load(arena *arena, diagnostics *diagnostics, const char *path)
{
    if (strcmp(path, "-") == 0)
        return read_source(arena, diagnostics, "<stdin>", STDIN_FILENO);

    // Without O_NONBLOCK, opening a pipe that nobody writes to would never return.
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const char *refusal = file < 0 ? strerror(errno) : refusal_of(file);
    const source *source = NULL;
    if (refusal != NULL)
        diagnostic_system_error(diagnostics, "cannot read '%s': %s", path, refusal);
    else
        source = read_source(arena, diagnostics, path, file);
    if (file >= 0)
        close(file);
    return source;
}

// The last line that starts at or before the offset.
static size_t line_index(const source *source, size_t offset)
{
    size_t low = 0, high = source->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

source_position source_position_of(const source *source, size_t offset)
{
    size_t index = line_index(source, offset);
    size_t start = source->line_starts[index];
    size_t before = offset > start ? offset - start : 0;
    return (source_position){.line = index + 1, .column = 1 + utf8_count(source->bytes + start, before)};
}

span source_line(const source *source, size_t line)
{
    size_t start = source->line_starts[line - 1];
    size_t end = line < source->line_count ? source->line_starts[line] - 1 : source->size;
    if (end > start && source->bytes[end - 1] == '\r')
        end--;
    return (span){.source = source, .start = start, .end = end};
}
