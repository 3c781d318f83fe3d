// A diagnostic as JSON: one object on one line, always with the same keys.
//
//   {"code": "K0401", "severity": "error", "message": "…", "file": "arena.yaml", "line": 14, "column": 10,
//    "end": {"line": 14, "column": 15}, "notes": [], "fix": "float"}
//
// `end` is the position after the last character. `fix` replaces the text from the position up to `end`. A hint without
// a fix is a note at the same position. Unknown values are null.
#include "diagnostic/private/print.h"
#include "generator/base/base.h"

static void set_number(json_writer *writer, const char *key, size_t number)
{
    writer_key(writer, key);
    if (number == 0)
        writer_null(writer);
    else
        writer_count(writer, number);
}

static void set_end(json_writer *writer, span place)
{
    writer_key(writer, "end");
    if (place.source == NULL) {
        writer_null(writer);
        return;
    }
    source_position end = source_position_of(place.source, place.end);
    writer_open(writer, '{');
    set_number(writer, "line", end.line);
    set_number(writer, "column", end.column);
    writer_close(writer, '}');
}

// `path` is the file of a diagnostic without a place.
static void set_place(json_writer *writer, span place, const char *path)
{
    source_position start = {0, 0};
    if (place.source != NULL)
        start = source_position_of(place.source, place.start);
    writer_set_text(writer, "file", place.source != NULL ? place.source->path : path);
    set_number(writer, "line", start.line);
    set_number(writer, "column", start.column);
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
    writer_key(writer, "notes");
    writer_open(writer, '[');
    if (diagnostic->hint != NULL && diagnostic->fix == NULL)
        append_note(writer, diagnostic->span, diagnostic->hint);
    for (const diagnostic_note_entry *note = diagnostic->first_note; note != NULL; note = note->next)
        append_note(writer, note->span, note->message);
    writer_close(writer, ']');
}

void diagnostic_append_json(text *text, const diagnostic *diagnostic)
{
    static const char *const severities[] = {
        [DIAGNOSTIC_SYSTEM_ERROR] = "error",
        [DIAGNOSTIC_ERROR] = "error",
        [DIAGNOSTIC_WARNING] = "warning",
        [DIAGNOSTIC_REMARK] = "note",
    };
    json_writer writer = writer_begin(text);
    writer_open_line(&writer, '{');
    writer_set_text(&writer, "code", diagnostic_code_text(text->arena, diagnostic->code));
    writer_set_text(&writer, "severity", severities[diagnostic->kind]);
    writer_set_text(&writer, "message", diagnostic->message);
    set_place(&writer, diagnostic->span, diagnostic->path);
    set_notes(&writer, diagnostic);
    writer_set_text(&writer, "fix", diagnostic->fix);
    writer_close(&writer, '}');
    writer_end(&writer);
}
