// Prints messages in order and up to a limit, as text or as JSON.
#include "generator/source/internal.h"

#include "generator/base/base.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---- text

// A diagnostic as text: its message, the source line with its carets, its notes.
//
// Caret lines count code points, as columns do; a tab is repeated as a tab, so that the carets stay below their text
// whatever a tab's width. A line longer than EXCERPT_LIMIT is cut around its carets.

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
        const char *word;
        const char *colour;
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
    assert(offset <= source->size && end <= source->size);
    for (; columns > 0 && offset < end; columns--)
        offset += utf8_next(source->bytes + offset, end - offset).size;
    return offset;
}

// Returns the offset `columns` code points before `offset`, at least `start`. An invalid byte counts as a code point.
static size_t retreat(const source *source, size_t offset, size_t columns, size_t start)
{
    assert(start <= offset && offset <= source->size);
    for (; columns > 0 && offset > start; columns--) {
        size_t size = 1;
        while (size < 4 && size < offset - start && utf8_next(source->bytes + offset - size, size).size != size)
            size++;
        if (utf8_next(source->bytes + offset - size, size).size != size)
            size = 1;
        offset -= size;
    }
    return offset;
}

static excerpt excerpt_of(span place)
{
    assert(place.source != NULL && place.start <= place.end);
    const source *source = place.source;
    source_position position = source_position_of(source, place.start);
    span line = source_line(source, position.line);
    size_t start = size_max(line.start, size_min(place.start, line.end));
    size_t end = size_max(start, size_min(place.end, line.end));
    excerpt excerpt = {.line = position.line, .shown = line, .marked = {source, start, end}};
    if (advance(source, line.start, EXCERPT_LIMIT, line.end) == line.end)
        return excerpt;

    if (position.column > EXCERPT_BEFORE)
        excerpt.shown.start = retreat(source, start, EXCERPT_BEFORE - 1, line.start);
    excerpt.shown.end = advance(source, excerpt.shown.start, EXCERPT_LIMIT, line.end);
    excerpt.begins_late = excerpt.shown.start > line.start;
    excerpt.ends_early = excerpt.shown.end < line.end;
    excerpt.marked.end = size_min(excerpt.marked.end, excerpt.shown.end);
    return excerpt;
}

// Appends the space before the carets.
static void append_margin(text *text, excerpt excerpt)
{
    assert(excerpt.shown.start <= excerpt.marked.start);
    const source *source = excerpt.shown.source;
    text_append_string(text, "      | ");
    text_append_string(text, text_if(excerpt.begins_late, "   "));
    for (size_t at = excerpt.shown.start; at < excerpt.marked.start;) {
        if (source->bytes[at] == '\t')
            text_append_string(text, "\t");
        else
            text_append_string(text, " ");
        at += utf8_next(source->bytes + at, excerpt.marked.start - at).size;
    }
}

static void append_excerpt(page page, span place, const char *hint)
{
    text *text = page.text;
    excerpt excerpt = excerpt_of(place);
    text_append_format(text, "%5zu | %s", excerpt.line, text_if(excerpt.begins_late, "..."));
    append_columns(text, place.source->bytes + excerpt.shown.start, excerpt.shown.end - excerpt.shown.start);
    text_append_string(text, text_if(excerpt.ends_early, "..."));
    text_append_string(text, "\n");
    append_margin(text, excerpt);
    paint(page, GREEN);
    text_append_string(text, "^");
    const char *marked = place.source->bytes + excerpt.marked.start;
    size_t count = utf8_count(marked, excerpt.marked.end - excerpt.marked.start);
    for (size_t i = 1; i < count; i++)
        text_append_string(text, "^");
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

// ---- JSON

// A diagnostic as JSON: one object on one line, always with the same keys.
//
//   {"code": "K0401", "severity": "error", "message": "…", "file": "arena.yaml", "line": 14, "column": 10,
//    "end": {"line": 14, "column": 15}, "notes": [], "fix": "float"}
//
// `end` is the position after the last character. `fix` replaces the text from the position up to `end`. A hint without
// a fix is a note at the same position. Unknown values are null.

static void set_end(json_writer *writer, span place)
{
    writer_key(writer, "end");
    if (place.source == NULL) {
        writer_null(writer);
        return;
    }
    source_position end = source_position_of(place.source, place.end);
    writer_open(writer, '{');
    writer_set_positive(writer, "line", end.line);
    writer_set_positive(writer, "column", end.column);
    writer_close(writer, '}');
}

// `path` is the file of a diagnostic without a place.
static void set_place(json_writer *writer, span place, const char *path)
{
    source_position start = {0, 0};
    if (place.source != NULL) {
        start = source_position_of(place.source, place.start);
        path = place.source->path;
    }
    writer_set_text(writer, "file", path);
    writer_set_positive(writer, "line", start.line);
    writer_set_positive(writer, "column", start.column);
    set_end(writer, place);
}

static void append_note(json_writer *writer, span place, const char *message)
{
    writer_open(writer, '{');
    writer_set_text(writer, "message", message);
    set_place(writer, place, NULL);
    writer_close(writer, '}');
}

static void set_notes(json_writer *writer, const diagnostic *diagnostic)
{
    writer_set_open(writer, "notes", '[');
    if (diagnostic->hint != NULL && diagnostic->fix == NULL)
        append_note(writer, diagnostic->span, diagnostic->hint);
    for (const diagnostic_note_entry *note = diagnostic->first_note; note != NULL; note = note->next)
        append_note(writer, note->span, note->message);
    writer_close(writer, ']');
}

static void append_object(json_writer *writer, const diagnostic *diagnostic)
{
    static const char *const severities[] = {
        [DIAGNOSTIC_SYSTEM_ERROR] = "error",
        [DIAGNOSTIC_ERROR] = "error",
        [DIAGNOSTIC_WARNING] = "warning",
        [DIAGNOSTIC_REMARK] = "note",
    };
    writer_open_line(writer, '{');
    writer_set_text(writer, "code", diagnostic_code_text(writer->out->arena, diagnostic->code));
    writer_set_text(writer, "severity", severities[diagnostic->kind]);
    writer_set_text(writer, "message", diagnostic->message);
    set_place(writer, diagnostic->span, diagnostic->path);
    set_notes(writer, diagnostic);
    writer_set_text(writer, "fix", diagnostic->fix);
    writer_close(writer, '}');
}

void diagnostic_append_json(text *text, const diagnostic *diagnostic)
{
    json_writer writer = writer_begin(text);
    append_object(&writer, diagnostic);
    writer_end(&writer);
}

// ---- both

// Printing of diagnostics: order and limit.

typedef struct diagnostic_counts {
    size_t errors, warnings;
} diagnostic_counts;

static int compare(const void *a, const void *b)
{
    const diagnostic *left = *(diagnostic *const *)a;
    const diagnostic *right = *(diagnostic *const *)b;
    int order = span_compare(left->span, right->span);
    if (order == 0)
        order = size_compare(left->number, right->number);
    return order;
}

// The list has room for one more.
const diagnostic **diagnostics_sorted(const diagnostics *diagnostics)
{
    const diagnostic **list = arena_allocate(diagnostics->arena, (diagnostics->count + 1) * sizeof *list);
    size_t count = 0;
    for (const diagnostic *item = diagnostics->first; item != NULL; item = item->next)
        list[count++] = item;
    qsort(list, count, sizeof *list, compare);
    return list;
}

// Returns how many of each kind are printed. Errors take precedence over warnings.
static diagnostic_counts count_shown(const diagnostics *diagnostics)
{
    size_t limit = diagnostics->options.limit;
    if (limit == 0)
        limit = SIZE_MAX;
    assert(diagnostics->warnings <= diagnostics->count);
    diagnostic_counts counts = {.errors = size_min(diagnostics->count - diagnostics->warnings, limit)};
    counts.warnings = size_min(diagnostics->warnings, limit - counts.errors);
    return counts;
}

// Returns a remark that says how many diagnostics are not shown, and the flag that shows them; NULL if all are.
static const diagnostic *remark_on_rest(const diagnostics *diagnostics, diagnostic_counts rest)
{
    size_t count = rest.errors + rest.warnings;
    if (count == 0)
        return NULL;
    text message = text_create(diagnostics->arena);
    if (rest.errors > 0)
        text_append_count(&message, rest.errors, "more error", "more errors");
    text_append_string(&message, text_if(rest.errors > 0 && rest.warnings > 0, " and "));
    if (rest.warnings > 0)
        text_append_count(&message, rest.warnings, "more warning", "more warnings");
    text_append_string(&message, text_if(count == 1, " is not shown"));
    text_append_string(&message, text_if(count > 1, " are not shown"));
    text_append_string(&message, text_if(diagnostics->options.limit > 0, "; --max-errors 0 shows all"));
    diagnostic *remark = arena_allocate(diagnostics->arena, sizeof *remark);
    *remark = (diagnostic){.kind = DIAGNOSTIC_REMARK, .code = CODE_MORE, .message = message.bytes};
    return remark;
}

// The diagnostics that are shown, in the order of output.
typedef struct shown_diagnostics {
    const diagnostic **list;
    size_t count;
} shown_diagnostics;

static shown_diagnostics select_shown(const diagnostics *diagnostics)
{
    shown_diagnostics shown = {.list = diagnostics_sorted(diagnostics)};
    diagnostic_counts room = count_shown(diagnostics);
    diagnostic_counts rest = {diagnostics->errors - room.errors, diagnostics->warnings - room.warnings};
    for (size_t i = 0; i < diagnostics->count; i++) {
        size_t *left = &room.errors;
        if (shown.list[i]->kind == DIAGNOSTIC_WARNING)
            left = &room.warnings;
        if (*left == 0)
            continue;
        shown.list[shown.count++] = shown.list[i];
        --*left;
    }
    const diagnostic *remark = remark_on_rest(diagnostics, rest);
    if (remark != NULL)
        shown.list[shown.count++] = remark;
    assert(shown.count <= diagnostics->count + 1);
    return shown;
}

void diagnostics_append(text *out, const diagnostics *diagnostics)
{
    shown_diagnostics shown = select_shown(diagnostics);
    for (size_t i = 0; i < shown.count; i++)
        if (diagnostics->options.is_json)
            diagnostic_append_json(out, shown.list[i]);
        else
            diagnostic_append_text(out, shown.list[i], diagnostics->options.is_coloured);
}

int diagnostics_print(const diagnostics *diagnostics, FILE *file)
{
    text text = text_create(diagnostics->arena);
    diagnostics_append(&text, diagnostics);
    if (fwrite(text.bytes, 1, text.size, file) != text.size)
        return EOF;
    return 0;
}

void diagnostics_append_list(json_writer *writer, const diagnostics *diagnostics)
{
    shown_diagnostics shown = select_shown(diagnostics);
    writer_open(writer, '[');
    for (size_t i = 0; i < shown.count; i++)
        append_object(writer, shown.list[i]);
    writer_close(writer, ']');
}
