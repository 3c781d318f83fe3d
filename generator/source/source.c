// Files in memory: loading, lines and columns, folders.
#include "generator/source/source.h"

#include "generator/base/base.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- lines and columns

enum { MARK_DISTANCE = 1024, LONG_LINE = 4 * MARK_DISTANCE }; // bytes

// A mark at every multiple of the distance in a source with long lines, so that columns are not counted from the
// beginning of a line each time: the first character at or after the multiple, and the number of characters before it.
struct source_mark {
    size_t offset, count;
};

static bool has_long_line(const source *source)
{
    for (size_t line = 1; line <= source->line_count; line++) {
        span bytes = source_line(source, source->lines_before + line);
        if (bytes.end - bytes.start > LONG_LINE)
            return true;
    }
    return false;
}

// Returns NULL if all lines are short.
static const source_mark *make_marks(arena *arena, const source *source)
{
    if (!has_long_line(source))
        return NULL;
    source_mark *marks = arena_allocate(arena, (source->size / MARK_DISTANCE + 1) * sizeof *marks);
    source_mark at = {0, 0};
    for (size_t i = 0; i <= source->size / MARK_DISTANCE; i++) {
        while (at.offset < i * MARK_DISTANCE) {
            at.offset += utf8_next(source->bytes + at.offset, source->size - at.offset).size;
            at.count++;
        }
        marks[i] = at;
    }
    return marks;
}

// Returns the last line that starts at or before the offset.
static size_t line_index(const source *source, size_t offset)
{
    size_t low = 0;
    size_t high = source->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// A span that ends before it begins is empty.
static size_t count_characters(span span)
{
    const source *source = span.source;
    size_t first = span.start / MARK_DISTANCE + 1;
    size_t last = span.end / MARK_DISTANCE;
    if (span.end <= span.start)
        return 0;
    if (source->marks == NULL || first > last || source->marks[last].offset > span.end)
        return utf8_count(source->bytes + span.start, span.end - span.start);
    const source_mark *begin = &source->marks[first];
    const source_mark *end = &source->marks[last];
    return utf8_count(source->bytes + span.start, begin->offset - span.start) + end->count - begin->count +
           utf8_count(source->bytes + end->offset, span.end - end->offset);
}

source_position source_position_of(const source *source, size_t offset)
{
    assert(offset <= source->size); // 3
    size_t index = line_index(source, offset);
    span before = {source, source->line_starts[index], offset};
    return (source_position){.line = source->lines_before + index + 1, .column = 1 + count_characters(before)};
}

static size_t order_of(const source *source)
{
    if (source == NULL)
        return 0;
    return source->order + 1;
}

int span_compare(span a, span b)
{
    int order = size_compare(order_of(a.source), order_of(b.source));
    if (order == 0)
        order = size_compare(a.start, b.start);
    return order;
}

span source_line(const source *source, size_t line)
{
    line -= source->lines_before;
    assert(line > 0 && line <= source->line_count);
    size_t start = source->line_starts[line - 1];
    size_t end = source->size;
    if (line < source->line_count)
        end = source->line_starts[line] - 1;
    if (end > start && source->bytes[end - 1] == '\r')
        end--;
    return (span){.source = source, .start = start, .end = end};
}

// ---- sources

// Takes ownership of the bytes.
static source *create(arena *arena, const char *path, const char *bytes, size_t size)
{
    assert(bytes[size] == '\0'); // 1
    size_t line_count = 1;
    for (size_t i = 0; i < size; i++)
        line_count += bytes[i] == '\n';
    size_t *starts = arena_allocate(arena, line_count * sizeof *starts);
    bool has_mark = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0;
    if (has_mark)
        starts[0] = 3;
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
    source->marks = make_marks(arena, source);
    return source;
}

const source *source_from_bytes(arena *arena, const char *path, const char *bytes, size_t size)
{
    return create(arena, path, arena_copy(arena, bytes, size), size);
}

const source *source_from_line(arena *arena, const char *path, const char *bytes, size_t size, size_t lines_before)
{
    assert(memchr(bytes, '\n', size) == NULL);
    source *source = create(arena, path, arena_copy(arena, bytes, size), size);
    source->lines_before = source->order = lines_before;
    return source;
}

// Reads to the end, at most one byte over the limit. Returns 0 or the error number.
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

// Returns why the open file cannot be a schema; NULL if it can.
static const char *refusal_reason(int file)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return strerror(errno);
    if (S_ISDIR(status.st_mode))
        return "Is a directory";
    if (!S_ISREG(status.st_mode))
        return "Not a regular file";
    return NULL;
}

static const char *identity_of(arena *arena, const struct stat *status)
{
    return arena_format(arena, "%ju:%ju", (uintmax_t)status->st_dev, (uintmax_t)status->st_ino);
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat left;
    struct stat right;
    if (strcmp(a, b) == 0)
        return true;
    if (stat(a, &left) != 0 || stat(b, &right) != 0)
        return false;
    return left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

static const source_overlay *find_overlay(const diagnostics *diagnostics, const char *path)
{
    const source_overlay *overlay = diagnostics->overlays;
    while (overlay != NULL && !is_same_file(overlay->path, path))
        overlay = overlay->next;
    return overlay;
}

const char *source_identity_of(arena *arena, const diagnostics *diagnostics, const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0)
        return identity_of(arena, &status);
    const source_overlay *overlay = find_overlay(diagnostics, path);
    if (overlay == NULL)
        return NULL;
    return arena_format(arena, "open:%s", overlay->path);
}

// A file during loading.
typedef struct loading {
    arena *arena;
    diagnostics *diagnostics;
    const char *path;
    const char *fault; // why the file cannot be read; NULL without an error
} loading;

static text read_bytes(loading *loading, int file)
{
    text bytes = text_create(loading->arena);
    int error = read_all(file, &bytes);
    if (error != 0)
        loading->fault = strerror(error);
    else if (bytes.size > SOURCE_SIZE_LIMIT)
        loading->fault = arena_format(loading->arena, "File larger than %d bytes", SOURCE_SIZE_LIMIT);
    return bytes;
}

static source *read_open(loading *loading, int file)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        loading->fault = strerror(errno);
        return NULL;
    }
    text bytes = read_bytes(loading, file);
    if (loading->fault != NULL)
        return NULL;
    source *source = create(loading->arena, loading->path, bytes.bytes, bytes.size);
    source->order = ++loading->diagnostics->sources;
    source->identity = identity_of(loading->arena, &status);
    return source;
}

static source *read_overlay(loading *loading, const source_overlay *overlay)
{
    if (overlay->size > SOURCE_SIZE_LIMIT) {
        loading->fault = arena_format(loading->arena, "File larger than %d bytes", SOURCE_SIZE_LIMIT);
        return NULL;
    }
    const char *bytes = arena_copy(loading->arena, overlay->bytes, overlay->size);
    source *source = create(loading->arena, loading->path, bytes, overlay->size);
    source->order = ++loading->diagnostics->sources;
    source->identity = source_identity_of(loading->arena, loading->diagnostics, loading->path);
    return source;
}

static void close_file(void *file)
{
    close(*(int *)file);
}

static source *read_path(loading *loading)
{
    const source_overlay *overlay = find_overlay(loading->diagnostics, loading->path);
    if (overlay != NULL)
        return read_overlay(loading, overlay);
    // Without O_NONBLOCK, opening a pipe without a writer would never return.
    int file = open(loading->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    source *source = NULL;
    if (file < 0) {
        loading->fault = strerror(errno);
        return NULL;
    }
    arena_guard guard;
    arena_open(loading->arena, &guard, close_file, &file);
    loading->fault = refusal_reason(file);
    if (loading->fault == NULL)
        source = read_open(loading, file);
    arena_close(loading->arena, &guard);
    close(file);
    return source;
}

const source *source_load(arena *arena, diagnostics *diagnostics, const char *path)
{
    loading loading = {arena, diagnostics, path, NULL};
    source *source = NULL;
    bool is_input = strcmp(path, "-") == 0;
    if (is_input) {
        loading.path = "<stdin>";
        source = read_open(&loading, STDIN_FILENO);
    } else {
        source = read_path(&loading);
    }
    if (source != NULL) {
        source->is_input = is_input;
        return source;
    }
    diagnostic_system_error(diagnostics, CODE_FILE_UNREADABLE, "cannot read '%s': %s", loading.path, loading.fault);
    diagnostic_about(diagnostics, loading.path);
    return NULL;
}

const source_overlay *source_read_input(arena *arena, diagnostics *diagnostics, const char *path)
{
    loading loading = {arena, diagnostics, "<stdin>", NULL};
    text bytes = read_bytes(&loading, STDIN_FILENO);
    if (loading.fault != NULL) {
        diagnostic_system_error(diagnostics, CODE_FILE_UNREADABLE, "cannot read '%s': %s", loading.path, loading.fault);
        diagnostic_about(diagnostics, loading.path);
        return NULL;
    }
    source_overlay *overlay = arena_allocate(arena, sizeof *overlay);
    *overlay = (source_overlay){.path = path, .bytes = bytes.bytes, .size = bytes.size};
    return overlay;
}

const source *source_load_included(arena *arena, diagnostics *diagnostics, const char *path, span place)
{
    loading loading = {arena, diagnostics, path, NULL};
    const source *source = read_path(&loading);
    if (source != NULL)
        return source;
    diagnostic_error(diagnostics, CODE_INCLUDE_UNREADABLE, place, "cannot read '%s': %s", path, loading.fault);
    if (path[0] != '/' && strcmp(loading.fault, strerror(ENOENT)) == 0)
        diagnostic_hint(diagnostics, "a path is relative to the file that includes it");
    return NULL;
}

// ---- folders

int source_folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return 0;
    return (int)(slash - path) + 1;
}

bool source_leaves_folder(const source *root, const char *path)
{
    int size = source_folder_size(root->path);
    int depth = 0;
    if (strncmp(path, root->path, (size_t)size) != 0 || path[size] == '/' || (size == 0 && path[0] == '/'))
        return true;
    for (const char *name = path + size; *name != '\0' && depth >= 0;) {
        size_t length = strcspn(name, "/");
        if (length == 2 && strncmp(name, "..", length) == 0)
            depth--;
        else if (length > 0 && !(length == 1 && name[0] == '.'))
            depth++;
        name += length + strspn(name + length, "/");
    }
    return depth < 0;
}
