// Checks the bytes of a source before libyaml parses them, and finds the offsets of libyaml's marks.
#include "generator/source/internal.h"

#include "generator/base/base.h"

#include <assert.h>
#include <string.h>

enum { FAULT_LIMIT = 1000 }; // each costs memory, and a search for its line

static bool begins_with(const source *source, size_t offset, const char *text)
{
    assert(offset <= source->size);
    size_t size = strlen(text);
    return source->size - offset >= size && memcmp(source->bytes + offset, text, size) == 0;
}

// Returns whether the source looks like UTF-16 or UTF-32: a byte order mark, or a NUL among its first bytes.
static bool looks_wide(const source *source)
{
    if (source->size < 2)
        return false;
    return begins_with(source, 0, "\xFF\xFE") || begins_with(source, 0, "\xFE\xFF") || source->bytes[0] == '\0' ||
           source->bytes[1] == '\0';
}

// Returns whether the source begins as a save, or as anything that zstd has compressed.
static bool looks_like_save(const source *source)
{
    return begins_with(source, 0, "\x89KIN\r\n") || begins_with(source, 0, "\x28\xB5\x2F\xFD");
}

// Returns the end of a run of invalid bytes, which is one diagnostic.
static size_t broken_end(const source *source, size_t offset)
{
    assert(offset < source->size);
    while (offset < source->size) {
        utf8_step step = utf8_next(source->bytes + offset, source->size - offset);
        if (step.code_point != UTF8_BROKEN)
            break;
        offset += step.size;
    }
    return offset;
}

static void report_character(diagnostics *diagnostics, span place, uint32_t code_point)
{
    assert(place.start < place.end);
    if (code_point == UTF8_BROKEN) {
        diagnostic_error(diagnostics, CODE_ENCODING, place, "invalid UTF-8 byte 0x%02X",
                         (unsigned)(unsigned char)place.source->bytes[place.start]);
        diagnostic_hint(diagnostics, "save the file as UTF-8");
    } else if (code_point == '\r') {
        diagnostic_error(diagnostics, CODE_CHARACTER, place,
                         "carriage return without a line feed; end lines with a line feed");
    } else if (code_point == 0xFEFF) {
        diagnostic_error(diagnostics, CODE_CHARACTER, place,
                         "byte order mark is only allowed at the start of the file");
    } else if (utf8_is_directional(code_point)) {
        diagnostic_error(diagnostics, CODE_WRITING_DIRECTION, place,
                         "character U+%04X changes the writing direction, which is not allowed in a schema",
                         (unsigned)code_point);
        diagnostic_hint(diagnostics, "remove it; it changes the order in which the text is displayed");
    } else {
        diagnostic_error(diagnostics, CODE_CHARACTER, place, "invisible character U+%04X is not allowed in a schema",
                         (unsigned)code_point);
        diagnostic_hint(diagnostics, "remove it");
    }
}

static bool is_allowed(const source *source, size_t offset, uint32_t code_point)
{
    if (code_point == '\r')
        return source->bytes[offset + 1] == '\n';
    if (code_point == 0xFEFF)
        return offset == 0;
    return code_point == '\n' || code_point == '\t' || utf8_is_printable(code_point);
}

// Returns the maximum number of kept errors of a file: no more are printed.
static size_t limit_of(const diagnostics *diagnostics)
{
    size_t limit = diagnostics->options.limit;
    if (limit == 0)
        return FAULT_LIMIT;
    return size_min(limit, FAULT_LIMIT);
}

static bool scan_characters(diagnostics *diagnostics, const source *source)
{
    size_t faults = 0;
    size_t offset = utf8_plain_size(source->bytes, source->size);
    while (offset < source->size) {
        utf8_step step = utf8_next(source->bytes + offset, source->size - offset);
        size_t end = offset + step.size;
        if (!is_allowed(source, offset, step.code_point)) {
            if (step.code_point == UTF8_BROKEN)
                end = broken_end(source, offset);
            if (faults++ < limit_of(diagnostics))
                report_character(diagnostics, (span){source, offset, end}, step.code_point);
            else
                diagnostic_count_error(diagnostics);
        }
        offset = end + utf8_plain_size(source->bytes + end, source->size - end);
    }
    return faults == 0;
}

static bool is_blank(span line)
{
    size_t offset = line.start;
    while (offset < line.end && byte_is_blank(line.source->bytes[offset]))
        offset++;
    return offset == line.end || line.source->bytes[offset] == '#';
}

static bool is_version(span line)
{
    assert(line.start < line.end);
    const char *versions[] = {"%YAML 1.1", "%YAML 1.2"};
    size_t size = strlen(versions[0]);
    const char *comment = memchr(line.source->bytes + line.start, '#', line.end - line.start);
    if (comment != NULL && comment[-1] == ' ')
        line.end = (size_t)(comment - line.source->bytes);
    while (line.end > line.start && line.source->bytes[line.end - 1] == ' ')
        line.end--;
    return line.end - line.start == size &&
           (begins_with(line.source, line.start, versions[0]) || begins_with(line.source, line.start, versions[1]));
}

static void report_directive(diagnostics *diagnostics, span line, size_t faults)
{
    if (faults >= limit_of(diagnostics)) {
        diagnostic_count_error(diagnostics);
        return;
    }
    diagnostic_error(diagnostics, CODE_DIRECTIVE, line, "directives are not supported");
    diagnostic_hint(diagnostics, "remove it; only '%%YAML 1.2' is allowed before the schema");
}

static bool scan_directives(diagnostics *diagnostics, const source *source)
{
    bool version_allowed = true;
    size_t faults = 0;
    for (size_t line = 1; line <= source->line_count; line++) {
        span bytes = source_line(source, line);
        if (bytes.start == bytes.end || source->bytes[bytes.start] != '%') {
            version_allowed = version_allowed && is_blank(bytes);
            continue;
        }
        if (version_allowed && is_version(bytes)) {
            version_allowed = false;
            continue;
        }
        report_directive(diagnostics, bytes, faults++);
    }
    return faults == 0;
}

bool tree_scan(diagnostics *diagnostics, const source *source)
{
    if (looks_wide(source)) {
        diagnostic_error(diagnostics, CODE_ENCODING, (span){source, 0, 0},
                         "schema is not UTF-8; it looks like UTF-16 or UTF-32");
        diagnostic_hint(diagnostics, "save the file as UTF-8");
        return false;
    }
    if (looks_like_save(source)) {
        diagnostic_error(diagnostics, CODE_ENCODING, (span){source, 0, 0}, "expected a schema, found a save");
        diagnostic_hint(diagnostics, "'kin dump' prints saves");
        return false;
    }
    bool is_text = scan_characters(diagnostics, source);
    return scan_directives(diagnostics, source) && is_text;
}

tree_cursor tree_cursor_begin(const source *source)
{
    return (tree_cursor){.source = source, .offset = source->line_starts[0]};
}

size_t tree_cursor_move(tree_cursor *cursor, size_t index)
{
    assert(cursor->offset <= cursor->source->size);
    const source *source = cursor->source;
    while (cursor->index < index && cursor->offset < source->size) {
        cursor->offset += utf8_next(source->bytes + cursor->offset, source->size - cursor->offset).size;
        cursor->index++;
    }
    while (cursor->index > index) {
        do
            cursor->offset--;
        while (utf8_continues(source->bytes[cursor->offset]));
        cursor->index--;
    }
    return cursor->offset;
}
