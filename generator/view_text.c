// Texts in C: literals and comments that nothing of a schema can break out of.
#include "view_parts.h"

#include "names.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

view_scope view_scope_create(arena *arena, const package *package)
{
    return (view_scope){arena, package, name_to_upper_case(arena, package->prefix)};
}

void view_set_text(const view_scope *scope, value *map, const char *key, const char *text)
{
    value_set(map, key, text == NULL ? value_null(scope->arena) : value_text(scope->arena, text));
}

void view_set_count(const view_scope *scope, value *map, const char *key, size_t count)
{
    view_set_text(scope, map, key, arena_format(scope->arena, "%zu", count));
}

void view_set_bool(const view_scope *scope, value *map, const char *key, bool boolean)
{
    value_set(map, key, value_bool(scope->arena, boolean));
}

// Everything but plain printable characters is spelled as octal digits, always three so that what follows is no part
// of it; a question mark is escaped because of trigraphs.
static void append_escaped(text *literal, unsigned char byte)
{
    if (byte == '"' || byte == '\\' || byte == '?')
        text_append_format(literal, "\\%c", byte);
    else if (byte == '\n')
        text_append_string(literal, "\\n");
    else if (byte < ' ' || byte > '~')
        text_append_format(literal, "\\%03o", byte);
    else
        text_append(literal, (const char *)&byte, 1);
}

const char *view_literal(arena *arena, const char *bytes, size_t size)
{
    if (bytes == NULL)
        return "NULL";
    bool is_long = size > VIEW_LITERAL_LIMIT;
    text literal = text_create(arena);
    text_append_string(&literal, is_long ? "(const char[]){" : "\"");
    for (size_t i = 0; i < size; i++)
        if (is_long)
            text_append_format(&literal, "'\\%03o', ", (unsigned char)bytes[i]); // whatever the sign of a char
        else
            append_escaped(&literal, (unsigned char)bytes[i]);
    text_append_string(&literal, is_long ? "0}" : "\"");
    return literal.bytes;
}

// One line of a comment. It must not go on behind its end, which a backslash there or the trigraph for one would do.
static value *comment_line(const view_scope *scope, const char *start, size_t size)
{
    while (size > 0 && (start[size - 1] == ' ' || start[size - 1] == '\t' || start[size - 1] == '\r'))
        size--;
    value *map = value_map(scope->arena);
    text line = text_create(scope->arena);
    for (size_t i = 0; i < size; i++) {
        text_append(&line, start + i, 1);
        if (start[i] == '?' && i + 1 < size && start[i + 1] == '?')
            text_append_string(&line, " ");
    }
    if (size > 0 && start[size - 1] == '\\')
        text_append_string(&line, " .");
    view_set_text(scope, map, "line", size == 0 ? NULL : line.bytes);
    return map;
}

static void append_lines(const view_scope *scope, value *lines, const char *doc)
{
    size_t size = strlen(doc);
    while (size > 0 && strchr(" \t\r\n", doc[size - 1]) != NULL)
        size--;
    for (const char *start = doc, *end = doc + size; start < end;) {
        const char *line_break = memchr(start, '\n', (size_t)(end - start));
        const char *stop = line_break != NULL ? line_break : end;
        value_append(lines, comment_line(scope, start, (size_t)(stop - start)));
        start = stop + 1;
    }
}

void view_set_doc(const view_scope *scope, value *map, const char *doc, const char *unit)
{
    value *lines = value_list(scope->arena);
    if (doc != NULL)
        append_lines(scope, lines, doc);
    if (unit != NULL)
        append_lines(scope, lines, arena_format(scope->arena, "Unit: %s.", unit));
    view_set_bool(scope, map, "has_doc", lines->first != NULL);
    value_set(map, "doc", lines);
    view_set_text(scope, map, "doc_text", view_literal(scope->arena, doc, doc == NULL ? 0 : strlen(doc)));
    view_set_text(scope, map, "unit_text", view_literal(scope->arena, unit, unit == NULL ? 0 : strlen(unit)));
}
