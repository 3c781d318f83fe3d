// Compares files with those on the disk, and shows the differences.
#include "generator/render/internal.h"

#include "generator/base/base.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- differences

typedef struct line {
    const char *bytes;
    size_t size; // including its line break
} line;

typedef struct line_list {
    line *lines;
    size_t count;
} line_list;

// The edit script, one letter per line: ' ' keeps, '-' removes, '+' adds.
typedef struct script {
    arena *arena;
    line_list before, after;
    char *edits;
    size_t count;
} script;

static line_list split(arena *arena, diff_side side)
{
    size_t count = 0;
    for (size_t i = 0; i < side.size; i++)
        count += side.bytes[i] == '\n' || i + 1 == side.size;
    line_list list = {arena_allocate(arena, (count + 1) * sizeof *list.lines), 0};
    for (size_t at = 0; at < side.size;) {
        const char *feed = memchr(side.bytes + at, '\n', side.size - at);
        size_t size = side.size - at;
        if (feed != NULL)
            size = (size_t)(feed - side.bytes) - at + 1;
        list.lines[list.count++] = (line){side.bytes + at, size};
        at += size;
    }
    return list;
}

static bool is_same(const line *a, const line *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static void append_edits(script *script, char edit, size_t count)
{
    memset(script->edits + script->count, edit, count);
    script->count += count;
}

// ---- shortest script for a part that begins and ends with a difference

// `reached` holds, for each diagonal from -limit to limit, the furthest position in `before` after so many edits. Each
// step keeps a copy, for tracing back.
typedef struct search {
    line_list before, after;
    int *reached;                    // points at diagonal 0
    int *steps[DIFF_EDIT_LIMIT + 1]; // point at diagonal 0
} search;

// Returns whether the furthest path to a diagonal comes from the diagonal above, by adding a line of `after`.
static bool comes_from_above(const int *reached, int diagonal, int edits)
{
    return diagonal == -edits || (diagonal != edits && reached[diagonal - 1] < reached[diagonal + 1]);
}

// Returns the position in `before` after the edit that leads to a diagonal.
static int position_after_edit(const int *reached, int diagonal, int edits)
{
    assert(diagonal >= -edits && diagonal <= edits);
    if (comes_from_above(reached, diagonal, edits))
        return reached[diagonal + 1];
    return reached[diagonal - 1] + 1;
}

// Returns whether the path reaches the end.
static bool extend(search *search, int diagonal, int edits)
{
    size_t at = (size_t)position_after_edit(search->reached, diagonal, edits);
    size_t to = (size_t)((long)at - diagonal);
    while (at < search->before.count && to < search->after.count &&
           is_same(&search->before.lines[at], &search->after.lines[to])) {
        at++;
        to++;
    }
    search->reached[diagonal] = (int)at;
    return at >= search->before.count && to >= search->after.count;
}

static int *keep_step(arena *arena, const search *search, int edits)
{
    size_t size = (size_t)(2 * edits + 3) * sizeof(int);
    int *copy = arena_allocate(arena, size);
    memcpy(copy, search->reached - edits - 1, size);
    return copy + edits + 1;
}

// Returns the number of edits, or a negative number if they exceed the limit.
static int find_edits(arena *arena, search *search)
{
    search->reached = (int *)arena_allocate(arena, (2 * DIFF_EDIT_LIMIT + 5) * sizeof(int)) + DIFF_EDIT_LIMIT + 2;
    for (int edits = 0; edits <= DIFF_EDIT_LIMIT; edits++) {
        search->steps[edits] = keep_step(arena, search, edits);
        for (int diagonal = -edits; diagonal <= edits; diagonal += 2)
            if (extend(search, diagonal, edits))
                return edits;
    }
    return -1;
}

// Writes the edits from last to first, then reverses them.
static void trace_back(script *script, const search *search, int edits)
{
    char *start = script->edits + script->count;
    size_t count = 0;
    long at = (long)search->before.count;
    long to = (long)search->after.count;
    for (; edits > 0; edits--) {
        const int *reached = search->steps[edits];
        int diagonal = (int)(at - to);
        for (long from = position_after_edit(reached, diagonal, edits); at > from; at--, to--)
            start[count++] = ' ';
        if (comes_from_above(reached, diagonal, edits)) {
            start[count++] = '+';
            to--;
        } else {
            start[count++] = '-';
            at--;
        }
    }
    memset(start + count, ' ', (size_t)at);
    count += (size_t)at;
    for (size_t i = 0; i < count / 2; i++) {
        char edit = start[i];
        start[i] = start[count - 1 - i];
        start[count - 1 - i] = edit;
    }
    script->count += count;
}

static line_list part_of(line_list list, size_t head, size_t tail)
{
    return (line_list){list.lines + head, list.count - head - tail};
}

static void compare(script *script)
{
    line_list before = script->before;
    line_list after = script->after;
    size_t least = size_min(before.count, after.count);
    size_t head = 0;
    size_t tail = 0;
    while (head < least && is_same(&before.lines[head], &after.lines[head]))
        head++;
    while (tail < least - head && is_same(&before.lines[before.count - 1 - tail], &after.lines[after.count - 1 - tail]))
        tail++;
    append_edits(script, ' ', head);
    search search = {.before = part_of(before, head, tail), .after = part_of(after, head, tail)};
    int edits = find_edits(script->arena, &search);
    if (edits >= 0)
        trace_back(script, &search, edits);
    else {
        append_edits(script, '-', search.before.count);
        append_edits(script, '+', search.after.count);
    }
    append_edits(script, ' ', tail);
}

// ---- printing

static void append_line(text *output, char edit, const line *line)
{
    assert(line->size > 0);
    text_append(output, &edit, 1);
    text_append(output, line->bytes, line->size);
    if (line->bytes[line->size - 1] != '\n')
        text_append_string(output, "\n\\ No newline at end of file\n");
}

// A run of edits, and the number of lines before it on each side.
typedef struct hunk {
    size_t first, end, before, after;
} hunk;

static void append_hunk(text *output, const script *script, hunk hunk)
{
    assert(hunk.first < hunk.end && hunk.end <= script->count);
    size_t removed = 0;
    size_t added = 0;
    for (size_t i = hunk.first; i < hunk.end; i++) {
        removed += script->edits[i] != '+';
        added += script->edits[i] != '-';
    }
    text_append_format(output, "@@ -%zu,%zu +%zu,%zu @@\n", hunk.before + (removed > 0), removed,
                       hunk.after + (added > 0), added);
    for (size_t i = hunk.first; i < hunk.end; i++) {
        char edit = script->edits[i];
        if (edit == '+')
            append_line(output, edit, &script->after.lines[hunk.after]);
        else
            append_line(output, edit, &script->before.lines[hunk.before]);
        hunk.before += edit != '+';
        hunk.after += edit != '-';
    }
}

// Returns the end of the hunk of the change at `first`: after the context of the last change that is near enough.
static size_t hunk_end(const script *script, size_t first)
{
    assert(script->edits[first] != ' ');
    size_t end = first;
    for (size_t i = first; i < script->count && i <= end + 2 * DIFF_CONTEXT; i++)
        if (script->edits[i] != ' ')
            end = i + 1;
    return size_min(end + DIFF_CONTEXT, script->count);
}

static void append_hunks(text *output, const script *script)
{
    size_t before = 0;
    size_t after = 0;
    for (size_t i = 0; i < script->count; i++) {
        if (script->edits[i] != ' ') {
            size_t context = size_min(i, DIFF_CONTEXT);
            hunk hunk = {i - context, hunk_end(script, i), before - context, after - context};
            append_hunk(output, script, hunk);
            for (; i < hunk.end; i++) {
                before += script->edits[i] != '+';
                after += script->edits[i] != '-';
            }
            i--;
            continue;
        }
        before++;
        after++;
    }
}

// Appends the name of a side that does not exist as /dev/null. patch requires a tab after a name that contains a space.
static void append_name(text *output, const char *sign, const char *path, diff_side side)
{
    if (side.bytes == NULL)
        path = "/dev/null";
    text_append_format(output, "%s %s%s\n", sign, text_escaped(output->arena, path),
                       text_if(strchr(path, ' ') != NULL, "\t"));
}

void diff_append(text *output, const char *path, diff_side before, diff_side after)
{
    if (before.size == after.size && (before.size == 0 || memcmp(before.bytes, after.bytes, before.size) == 0))
        return;
    arena memory = arena_beside(output->arena);
    script script = {.arena = &memory, .before = split(&memory, before), .after = split(&memory, after)};
    script.edits = arena_allocate(&memory, script.before.count + script.after.count + 1);
    compare(&script);
    assert(script.count <= script.before.count + script.after.count);
    append_name(output, "---", path, before);
    append_name(output, "+++", path, after);
    append_hunks(output, &script);
    arena_release(&memory);
}

// ---- comparing

// Reads until the buffer is full or the file ends. Returns 0 or the errno.
static int read_full(int descriptor, char *buffer, size_t capacity, size_t *size)
{
    *size = 0;
    while (*size < capacity) {
        ssize_t count = read(descriptor, buffer + *size, capacity - *size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return errno;
        if (count == 0)
            break;
        *size += (size_t)count;
    }
    return 0;
}

static found_file find_open(arena *arena, int descriptor, size_t limit)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return (found_file){.kind = FOUND_FAULT, .fault = errno};
    if (!S_ISREG(status.st_mode))
        return (found_file){.kind = FOUND_OTHER};
    size_t size = 0;
    if (status.st_size > 0)
        size = (size_t)status.st_size;
    size_t capacity = size_min(size, 2 * limit) + 1; // git made lines longer; one more byte detects the end of the file
    char *bytes = arena_allocate(arena, capacity + 1);
    found_file found = {.kind = FOUND_FILE, .bytes = bytes};
    found.fault = read_full(descriptor, bytes, capacity, &found.size);
    if (found.fault != 0)
        found.kind = FOUND_FAULT;
    found.size = text_without_returns(bytes, found.size);
    bytes[found.size] = '\0';
    return found;
}

found_file output_find(arena *arena, const char *path, size_t limit)
{
    struct stat status;
    bool exists = lstat(path, &status) == 0;
    if (!exists && errno == ENOENT)
        return (found_file){.kind = FOUND_NOTHING};
    if (!exists)
        return (found_file){.kind = FOUND_FAULT, .fault = errno};
    if (!S_ISREG(status.st_mode))
        return (found_file){.kind = FOUND_OTHER};
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return (found_file){.kind = FOUND_FAULT, .fault = errno};
    found_file found = find_open(arena, descriptor, limit);
    close(descriptor);
    return found;
}

size_t output_limit(const manifest *recorded, const wanted_file *wanted)
{
    size_t limit = size_max(wanted->size, GENERATED_MARK_SIZE);
    const manifest_entry *entry = manifest_find(recorded, wanted->name);
    if (entry == NULL) // there may be no entries at all
        return limit;
    const manifest_entry *end = recorded->entries + recorded->count;
    for (; entry < end && strcmp(entry->name, wanted->name) == 0; entry++)
        limit = size_max(limit, entry->size);
    return limit;
}

output_state output_compare(const found_file *found, const wanted_file *wanted, const manifest *recorded)
{
    if (found->kind == FOUND_NOTHING)
        return OUTPUT_MISSING;
    if (found->kind == FOUND_FAULT)
        return OUTPUT_UNREADABLE;
    if (found->kind == FOUND_OTHER)
        return OUTPUT_FOREIGN;
    if (wanted->bytes != NULL && found->size == wanted->size && memcmp(found->bytes, wanted->bytes, found->size) == 0)
        return OUTPUT_EQUAL;
    manifest_entry entry = {wanted->name, hash_of(found->bytes, found->size), found->size};
    if (manifest_has(recorded, &entry))
        return OUTPUT_DIFFERENT;
    if (manifest_find(recorded, wanted->name) != NULL)
        return OUTPUT_EDITED;
    if (generated_file_has_mark(found->bytes, found->size))
        return OUTPUT_UNKNOWN;
    return OUTPUT_FOREIGN;
}
