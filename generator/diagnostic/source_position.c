// Places in a source: its lines, and the positions that people read.
#include "base/utf8.h"
#include "diagnostic/private/source_marks.h"
#include "diagnostic/source.h"

enum { MARK_DISTANCE = 1024, LONG_LINE = 4 * MARK_DISTANCE }; // bytes

static bool has_long_line(const source *source)
{
    for (size_t line = 1; line <= source->line_count; line++) {
        span bytes = source_line(source, line);
        if (bytes.end - bytes.start > LONG_LINE)
            return true;
    }
    return false;
}

const source_mark *source_make_marks(arena *arena, const source *source)
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

// The span may end before it begins: nothing is in it then.
static size_t count_characters(span span)
{
    const source *source = span.source;
    size_t first = span.start / MARK_DISTANCE + 1, last = span.end / MARK_DISTANCE;
    if (span.end <= span.start)
        return 0;
    if (source->marks == NULL || first > last || source->marks[last].offset > span.end)
        return utf8_count(source->bytes + span.start, span.end - span.start);
    const source_mark *begin = &source->marks[first], *end = &source->marks[last];
    return utf8_count(source->bytes + span.start, begin->offset - span.start) + end->count - begin->count +
           utf8_count(source->bytes + end->offset, span.end - end->offset);
}

source_position source_position_of(const source *source, size_t offset)
{
    size_t index = line_index(source, offset);
    span before = {source, source->line_starts[index], offset};
    return (source_position){.line = index + 1, .column = 1 + count_characters(before)};
}

static int compare_numbers(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

int span_compare(span a, span b)
{
    int order = compare_numbers(a.source == NULL ? 0 : a.source->order + 1, b.source == NULL ? 0 : b.source->order + 1);
    return order != 0 ? order : compare_numbers(a.start, b.start);
}

span source_line(const source *source, size_t line)
{
    size_t start = source->line_starts[line - 1];
    size_t end = line < source->line_count ? source->line_starts[line] - 1 : source->size;
    if (end > start && source->bytes[end - 1] == '\r')
        end--;
    return (span){.source = source, .start = start, .end = end};
}
