// A diagnostic as text: its message, the source line with its carets, its notes.
//
// Caret lines count code points, as columns do; a tab is repeated as a tab, so that the carets stay below their text
// whatever a tab's width. A line longer than EXCERPT_LIMIT is cut around its carets.
#include "diagnostic/private/print.h"

#include "generator/base/base.h"

#include <string.h>

// ANSI escape sequences.
#define BOLD    "\033[1m"
#define RED     "\033[1;31m"
#define GREEN   "\033[1;32m"
#define MAGENTA "\033[1;35m"
#define CYAN    "\033[1;36m"
#define PLAIN   "\033[0m"

enum { EXCERPT_LIMIT = 200, EXCERPT_BEFORE = 100 }; // columns of an excerpt, and of its part before the carets

// The part of a source line that an excerpt shows.
typedef struct excerpt {
    size_t line;
    span shown;       // bytes
    span marked;      // bytes above the carets
    bool begins_late; // the beginning of the line is cut off; ends_early: its end
    bool ends_early;
} excerpt;

// The output.
typedef struct page {
    text *text;
    bool is_coloured;
} page;

static void paint(page page, const char *colour)
{
    if (page.is_coloured)
        text_append_string(page.text, colour);
}

// Appends a source line with one column for each character, so that the carets below it line up.
static void append_columns(text *text, const char *bytes, size_t size)
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

static void append_place(page page, span place)
{
    paint(page, BOLD);
    if (place.source == NULL) {
        text_append_string(page.text, "kin:");
    } else {
        source_position position = source_position_of(place.source, place.start);
        text_append_escaped(page.text, place.source->path, strlen(place.source->path));
        text_append_format(page.text, ":%zu:%zu:", position.line, position.column);
    }
    paint(page, PLAIN);
}

// Does not append a line break.
static void append_message(page page, span place, diagnostic_kind kind, const char *message)
{
    static const struct {
        const char *word, *colour;
    } kinds[] = {
        [DIAGNOSTIC_SYSTEM_ERROR] = {"error", RED},
        [DIAGNOSTIC_ERROR] = {"error", RED},
        [DIAGNOSTIC_WARNING] = {"warning", MAGENTA},
        [DIAGNOSTIC_REMARK] = {"note", CYAN},
    };
    append_place(page, place);
    text_append_string(page.text, " ");
    paint(page, kinds[kind].colour);
    text_append_format(page.text, "%s:", kinds[kind].word);
    paint(page, PLAIN);
    text_append_string(page.text, " ");
    text_append_escaped(page.text, message, strlen(message));
}

// Returns the offset `columns` code points after `offset`, at most `end`.
static size_t advance(const source *source, size_t offset, size_t columns, size_t end)
{
    for (; columns > 0 && offset < end; columns--)
        offset += utf8_next(source->bytes + offset, end - offset).size;
    return offset;
}

// Returns the offset `columns` code points before `offset`, at least `start`. An invalid byte counts as a code point.
static size_t retreat(const source *source, size_t offset, size_t columns, size_t start)
{
    for (; columns > 0 && offset > start; columns--) {
        size_t size = 1;
        while (size < 4 && size < offset - start && utf8_next(source->bytes + offset - size, size).size != size)
            size++;
        offset -= utf8_next(source->bytes + offset - size, size).size == size ? size : 1;
    }
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
    if (advance(source, line.start, EXCERPT_LIMIT, line.end) == line.end)
        return excerpt;

    if (position.column > EXCERPT_BEFORE)
        excerpt.shown.start = retreat(source, start, EXCERPT_BEFORE - 1, line.start);
    excerpt.shown.end = advance(source, excerpt.shown.start, EXCERPT_LIMIT, line.end);
    excerpt.begins_late = excerpt.shown.start > line.start;
    excerpt.ends_early = excerpt.shown.end < line.end;
    if (excerpt.marked.end > excerpt.shown.end)
        excerpt.marked.end = excerpt.shown.end;
    return excerpt;
}

// Appends the space before the carets.
static void append_margin(text *text, excerpt excerpt)
{
    const source *source = excerpt.shown.source;
    text_append_string(text, excerpt.begins_late ? "      |    " : "      | ");
    for (size_t at = excerpt.shown.start; at < excerpt.marked.start;) {
        text_append_string(text, source->bytes[at] == '\t' ? "\t" : " ");
        at += utf8_next(source->bytes + at, excerpt.marked.start - at).size;
    }
}

static void append_carets(text *text, excerpt excerpt)
{
    const char *marked = excerpt.marked.source->bytes + excerpt.marked.start;
    size_t count = utf8_count(marked, excerpt.marked.end - excerpt.marked.start);
    text_append_string(text, "^");
    for (size_t i = 1; i < count; i++)
        text_append_string(text, "^");
}

static void append_excerpt(page page, span place, const char *hint)
{
    text *text = page.text;
    excerpt excerpt = excerpt_of(place);
    text_append_format(text, "%5zu | %s", excerpt.line, excerpt.begins_late ? "..." : "");
    append_columns(text, place.source->bytes + excerpt.shown.start, excerpt.shown.end - excerpt.shown.start);
    text_append_string(text, excerpt.ends_early ? "...\n" : "\n");
    append_margin(text, excerpt);
    paint(page, GREEN);
    append_carets(text, excerpt);
    if (hint != NULL) {
        text_append_string(text, " ");
        text_append_escaped(text, hint, strlen(hint));
    }
    paint(page, PLAIN);
    text_append_string(text, "\n");
}

void diagnostic_append_text(text *text, const diagnostic *diagnostic, bool is_coloured)
{
    page page = {text, is_coloured};
    append_message(page, diagnostic->span, diagnostic->kind, diagnostic->message);
    text_append_format(text, " [%s]\n", diagnostic_code_text(text->arena, diagnostic->code));
    if (diagnostic->span.source != NULL)
        append_excerpt(page, diagnostic->span, diagnostic->hint);
    for (const diagnostic_note_entry *note = diagnostic->first_note; note != NULL; note = note->next) {
        append_message(page, note->span, DIAGNOSTIC_REMARK, note->message);
        text_append_string(text, "\n");
    }
}
