// The messages of a run, collected until they are printed.
#include "generator/source/source.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

enum { MESSAGE_SIZE_LIMIT = 1000 }; // bytes; only a message that quotes a very long name exceeds it

diagnostics diagnostics_create(arena *arena)
{
    return (diagnostics){.arena = arena, .options = {.limit = DIAGNOSTIC_LIMIT}};
}

void diagnostics_forget_warnings(diagnostics *diagnostics)
{
    if (diagnostics->errors > 0)
        return;
    diagnostics->first = diagnostics->last = NULL;
    diagnostics->count = diagnostics->warnings = 0;
}

static const char *format_message(arena *arena, const char *format, va_list arguments)
{
    char buffer[MESSAGE_SIZE_LIMIT + 4];
    int length = vsnprintf(buffer, MESSAGE_SIZE_LIMIT, format, arguments);
    if (length < MESSAGE_SIZE_LIMIT)
        return arena_copy(arena, buffer, (size_t)length);

    size_t end = MESSAGE_SIZE_LIMIT - 1;
    while (end > 0 && utf8_continues(buffer[end - 1]))
        end--; // does not cut a character in two
    memcpy(buffer + end, "...", 4);
    return arena_copy(arena, buffer, end + 3);
}

// The kind, code and place of a diagnostic; append() formats its message.
typedef struct heading {
    diagnostic_kind kind;
    diagnostic_code code;
    span span;
} heading;

static void append(diagnostics *diagnostics, heading heading, const char *format, va_list arguments)
{
    assert(heading.span.start <= heading.span.end);
    assert(heading.span.source == NULL || heading.span.end <= heading.span.source->size);
    diagnostic *added = arena_allocate(diagnostics->arena, sizeof *added);
    *added = (diagnostic){.kind = heading.kind,
                          .code = heading.code,
                          .number = diagnostics->count++,
                          .span = heading.span,
                          .message = format_message(diagnostics->arena, format, arguments)};
    diagnostics->errors += heading.kind != DIAGNOSTIC_WARNING;
    diagnostics->system_errors += heading.kind == DIAGNOSTIC_SYSTEM_ERROR;
    diagnostics->warnings += heading.kind == DIAGNOSTIC_WARNING;
    if (diagnostics->last != NULL)
        diagnostics->last->next = added;
    else
        diagnostics->first = added;
    diagnostics->last = added;
}

void diagnostic_error(diagnostics *diagnostics, diagnostic_code code, span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(diagnostics, (heading){DIAGNOSTIC_ERROR, code, span}, format, arguments);
    va_end(arguments);
}

void diagnostic_warning(diagnostics *diagnostics, diagnostic_code code, span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(diagnostics, (heading){DIAGNOSTIC_WARNING, code, span}, format, arguments);
    va_end(arguments);
}

void diagnostic_system_error(diagnostics *diagnostics, diagnostic_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(diagnostics, (heading){.kind = DIAGNOSTIC_SYSTEM_ERROR, .code = code}, format, arguments);
    va_end(arguments);
}

void diagnostic_count_error(diagnostics *diagnostics)
{
    diagnostics->errors++;
}

void diagnostic_note(diagnostics *diagnostics, span span, const char *format, ...)
{
    assert(diagnostics->last != NULL);
    va_list arguments;
    va_start(arguments, format);
    diagnostic_note_entry *note = arena_allocate(diagnostics->arena, sizeof *note);
    note->span = span;
    note->message = format_message(diagnostics->arena, format, arguments);
    va_end(arguments);

    diagnostic *owner = diagnostics->last;
    if (owner->last_note != NULL)
        owner->last_note->next = note;
    else
        owner->first_note = note;
    owner->last_note = note;
}

void diagnostic_hint(diagnostics *diagnostics, const char *format, ...)
{
    assert(diagnostics->last != NULL);
    va_list arguments;
    va_start(arguments, format);
    diagnostics->last->hint = format_message(diagnostics->arena, format, arguments);
    va_end(arguments);
}

void diagnostic_meant(diagnostics *diagnostics, const char *replacement)
{
    assert(replacement[0] != '\0');
    diagnostic_hint(diagnostics, "did you mean '%s'?", replacement);
    diagnostics->last->fix = arena_copy(diagnostics->arena, replacement, strlen(replacement));
}

void diagnostic_replace(diagnostics *diagnostics, const char *replacement)
{
    diagnostic_hint(diagnostics, "write '%s'", replacement);
    diagnostics->last->fix = arena_copy(diagnostics->arena, replacement, strlen(replacement));
}

void diagnostic_about(diagnostics *diagnostics, const char *path)
{
    assert(diagnostics->last != NULL && diagnostics->last->span.source == NULL);
    diagnostics->last->path = path;
}

const char *diagnostic_code_text(arena *arena, diagnostic_code code)
{
    assert(code > 0 && code <= 9999);
    return arena_format(arena, "K%04d", code);
}

size_t diagnostics_error_count(const diagnostics *diagnostics)
{
    return diagnostics->errors;
}

size_t diagnostics_warning_count(const diagnostics *diagnostics)
{
    return diagnostics->warnings;
}

int diagnostics_exit_status(const diagnostics *diagnostics)
{
    assert(diagnostics->system_errors <= diagnostics->errors);
    if (diagnostics->system_errors > 0)
        return STATUS_SYSTEM;
    if (diagnostics->errors > 0)
        return STATUS_SCHEMA;
    return STATUS_DONE;
}
