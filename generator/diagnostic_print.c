// Printing of diagnostics: their order, their text form, and the source line with its carets.
//
// Caret lines count code points, as columns do; a tab is repeated as a tab, so that the carets stay below their text
// whatever a tab's width. A line longer than EXCERPT_LIMIT is cut around its carets.
#include "diagnostic.h"
#include "text.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

enum { EXCERPT_LIMIT = 200, EXCERPT_BEFORE = 100 }; // columns that are shown, and how many of them before the carets

// The part of a source line that an excerpt shows.
typedef struct excerpt {
    size_t line;
    span shown;       // bytes
    span marked;      // bytes above the carets
    bool begins_late; // something of the line is cut off before, behind
    bool ends_early;
} excerpt;

static void append_printable(text *text, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        utf8_step step = utf8_next(bytes + at, size - at);
        if (utf8_is_printable(step.code_point) || step.code_point == '\t')
            text_append(text, bytes + at, step.size);
        else
            text_append_string(text, "?");
        at += step.size;
    }
}

// Without what ends the line.
static void append_message(text *text, span place, const char *kind, const char *message)
{
    if (place.source == NULL) {
        text_append_string(text, "kin");
    } else {
        source_position position = source_position_of(place.source, place.start);
        append_printable(text, place.source->path, strlen(place.source->path));
        text_append_format(text, ":%zu:%zu", position.line, position.column);
    }
    text_append_format(text, ": %s: ", kind);
    append_printable(text, message, strlen(message));
}

// The offset `columns` code points behind `offset`, at most `end`.
static size_t advance(const source *source, size_t offset, size_t columns, size_t end)
{
    for (; columns > 0 && offset < end; columns--)
        offset += utf8_next(source->bytes + offset, end - offset).size;
    return offset;
}

static excerpt excerpt_of(span place)
{
    const source *source = place.source;
    source_position position = source_position_of(source, place.start);
    span line = source_line(source, position.line);
    size_t start = place.start < line.end ? place.start : line.end;
    if (start < line.start)
        start = line.start;
    size_t end = place.end < line.end ? place.end : line.end;
    excerpt excerpt = {.line = position.line, .shown = line, .marked = {source, start, end > start ? end : start}};
    if (utf8_count(source->bytes + line.start, line.end - line.start) <= EXCERPT_LIMIT)
        return excerpt;

    size_t skipped = position.column > EXCERPT_BEFORE ? position.column - EXCERPT_BEFORE : 0;
    excerpt.shown.start = advance(source, line.start, skipped, line.end);
    excerpt.shown.end = advance(source, excerpt.shown.start, EXCERPT_LIMIT, line.end);
    excerpt.begins_late = excerpt.shown.start > line.start;
    excerpt.ends_early = excerpt.shown.end < line.end;
    if (excerpt.marked.end > excerpt.shown.end)
        excerpt.marked.end = excerpt.shown.end;
    return excerpt;
}

static void append_carets(text *text, excerpt excerpt)
{
    const source *source = excerpt.shown.source;
    text_append_string(text, excerpt.begins_late ? "      |    " : "      | ");
    for (size_t at = excerpt.shown.start; at < excerpt.marked.start;) {
        text_append_string(text, source->bytes[at] == '\t' ? "\t" : " ");
        at += utf8_next(source->bytes + at, excerpt.marked.start - at).size;
    }
    size_t count = utf8_count(source->bytes + excerpt.marked.start, excerpt.marked.end - excerpt.marked.start);
    text_append_string(text, "^");
    for (size_t i = 1; i < count; i++)
        text_append_string(text, "^");
}

static void append_excerpt(text *text, span place, const char *hint)
{
    excerpt excerpt = excerpt_of(place);
    text_append_format(text, "%5zu | %s", excerpt.line, excerpt.begins_late ? "..." : "");
    append_printable(text, place.source->bytes + excerpt.shown.start, excerpt.shown.end - excerpt.shown.start);
    text_append_string(text, excerpt.ends_early ? "...\n" : "\n");
    append_carets(text, excerpt);
    if (hint != NULL) {
        text_append_string(text, " ");
        append_printable(text, hint, strlen(hint));
    }
    text_append_string(text, "\n");
}

static void append_diagnostic(text *text, const diagnostic *diagnostic)
{
    const char *kind = diagnostic->kind == DIAGNOSTIC_WARNING ? "warning" : "error";
    append_message(text, diagnostic->span, kind, diagnostic->message);
    text_append_format(text, " [K%04d]\n", diagnostic->code);
    if (diagnostic->span.source != NULL)
        append_excerpt(text, diagnostic->span, diagnostic->hint);
    for (const diagnostic_note_entry *note = diagnostic->first_note; note != NULL; note = note->next) {
        append_message(text, note->span, "note", note->message);
        text_append_string(text, "\n");
    }
}

static int compare_numbers(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int compare(const void *a, const void *b)
{
    const diagnostic *left = *(diagnostic *const *)a, *right = *(diagnostic *const *)b;
    int order = span_compare(left->span, right->span);
    return order != 0 ? order : compare_numbers(left->number, right->number);
}

static const diagnostic **sorted(const diagnostics *diagnostics)
{
    const diagnostic **list = arena_allocate(diagnostics->arena, (diagnostics->count + 1) * sizeof *list);
    size_t count = 0;
    for (const diagnostic *item = diagnostics->first; item != NULL; item = item->next)
        list[count++] = item;
    qsort(list, count, sizeof *list, compare);
    return list;
}

int diagnostics_print(const diagnostics *diagnostics, FILE *file)
{
    text text = text_create(diagnostics->arena);
    const diagnostic **list = sorted(diagnostics);
    size_t errors = 0;
    for (size_t i = 0; i < diagnostics->count; i++) {
        bool is_error = list[i]->kind != DIAGNOSTIC_WARNING;
        if (is_error && errors == DIAGNOSTIC_PRINT_LIMIT)
            break;
        errors += is_error;
        append_diagnostic(&text, list[i]);
    }
    size_t more = diagnostics->errors - errors;
    if (more > 0)
        text_append_format(&text, "kin: %zu more error%s not shown\n", more, more == 1 ? " is" : "s are");
    return fwrite(text.bytes, 1, text.size, file) == text.size ? 0 : EOF;
}
