// C literals and comments from schema strings, escaped so that a string cannot end the literal or comment.
#include "generator/render/internal.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { ESCAPE_SIZE = 4 }; // maximum bytes that spell one byte of a literal

static dictionary *create_dictionary(arena *arena)
{
    dictionary *made = arena_allocate(arena, sizeof *made);
    *made = dictionary_create(arena);
    return made;
}

view_scope view_scope_create(arena *arena, const package *package)
{
    return (view_scope){arena, package, name_to_upper_case(arena, package->prefix), create_dictionary(arena),
                        create_dictionary(arena)};
}

void view_set_text(const view_scope *scope, value *map, const char *key, const char *text)
{
    value *item = value_null(scope->arena);
    if (text != NULL)
        item = value_text(scope->arena, text);
    value_set(map, key, item);
}

void view_set_literal(const view_scope *scope, value *map, const char *key, const char *string)
{
    const char *literal = NULL;
    if (string != NULL)
        literal = view_literal(scope->arena, string, strlen(string));
    view_set_text(scope, map, key, literal);
}

void view_set_list(const view_scope *scope, value *map, const char *key, const char *has_key, const char *count_key,
                   value *list)
{
    assert(list->kind == VALUE_LIST);
    size_t count = 0;
    for (const value *item = list->first; item != NULL; item = item->next)
        count++;
    value_set(map, key, list);
    view_set_bool(scope, map, has_key, count > 0);
    view_set_count(scope, map, count_key, count);
}

void view_set_count(const view_scope *scope, value *map, const char *key, size_t count)
{
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    if (count < sizeof digits / sizeof *digits)
        view_set_text(scope, map, key, digits[count]);
    else
        view_set_text(scope, map, key, arena_format(scope->arena, "%zu", count));
}

void view_set_bool(const view_scope *scope, value *map, const char *key, bool boolean)
{
    value_set(map, key, value_bool(scope->arena, boolean));
}

// Writes the byte as it stands in a literal to `spelled` and returns the length. Bytes other than printable ASCII
// become octal escapes, always of three digits so that a following digit is not part of them. Question marks are
// escaped because of trigraphs.
static size_t escape(unsigned char byte, char spelled[ESCAPE_SIZE])
{
    const char digits[] = {(char)('0' + (byte >> 6)), (char)('0' + (byte >> 3 & 7)), (char)('0' + (byte & 7))};
    bool is_printable = byte >= ' ' && byte <= '~';
    bool is_special = byte == '"' || byte == '\\' || byte == '?';
    spelled[0] = (char)byte;
    if (is_printable && !is_special)
        return 1;
    spelled[0] = '\\';
    spelled[1] = (char)byte;
    if (byte == '\n')
        spelled[1] = 'n';
    if (is_printable || byte == '\n')
        return 2;
    memcpy(spelled + 1, digits, sizeof digits);
    return ESCAPE_SIZE;
}

static const char *quoted(arena *arena, const char *bytes, size_t size)
{
    assert(size <= VIEW_LITERAL_LIMIT);
    char spelled[ESCAPE_SIZE];
    size_t length = 2;
    for (size_t i = 0; i < size; i++)
        length += escape((unsigned char)bytes[i], spelled);
    char *literal = arena_allocate(arena, length + 1);
    char *at = literal;
    *at++ = '"';
    for (size_t i = 0, count; i < size; i++, at += count) {
        count = escape((unsigned char)bytes[i], spelled);
        memcpy(at, spelled, count);
    }
    *at = '"';
    assert(at == literal + length - 1);
    return literal;
}

const char *view_literal(arena *arena, const char *bytes, size_t size)
{
    if (bytes == NULL)
        return "NULL";
    if (size <= VIEW_LITERAL_LIMIT)
        return quoted(arena, bytes, size);
    text literal = text_create(arena);
    text_append_string(&literal, "(const char[]){");
    for (size_t i = 0; i < size; i++)
        text_append_format(&literal, "'\\%03o', ", (unsigned char)bytes[i]); // whatever the sign of a char
    text_append_string(&literal, "0}");
    return literal.bytes;
}

void view_set_name(const view_scope *scope, value *map, const char *name)
{
    assert(name[0] != '\0');
    view_set_text(scope, map, "name", name);
    view_set_literal(scope, map, "name_text", name);
}

void view_set_identity(const view_scope *scope, value *map, const char *name, const saved_name *saved)
{
    assert(saved->identity != NULL);
    const char *identity = saved->identity;
    if (strcmp(identity, name) == 0)
        identity = NULL;
    view_set_literal(scope, map, "identity", identity);
}

void view_set_package(const view_scope *scope, value *map)
{
    const package *package = scope->package;
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < package->removal_count; i++) {
        const char *identity = package->removals[i].identity;
        value *item = value_append_map(scope->arena, list);
        view_set_literal(scope, item, "identity", identity);
        view_set_text(scope, item, "comma", text_if(i + 1 < package->removal_count, ", "));
    }
    view_set_list(scope, map, "removals", "has_removals", "removal_count", list);
    view_set_bool(scope, map, "has_version", package->version > 0);
    view_set_text(scope, map, "version", arena_format(scope->arena, "%" PRIu32, package->version));
    view_set_literal(scope, map, "package_text", package->name);
}

// Returns one line of a comment. A final backslash, or the trigraph for one, would continue the comment on the next
// line.
static const char *safe_line(arena *arena, const char *start, size_t size)
{
    text line = text_create(arena);
    for (size_t i = 0; i < size; i++) {
        text_append(&line, start + i, 1);
        if (start[i] == '?' && i + 1 < size && start[i + 1] == '?')
            text_append_string(&line, " ");
    }
    if (size > 0 && start[size - 1] == '\\')
        text_append_string(&line, " .");
    return line.bytes;
}

static void append_line(const view_scope *scope, value *lines, const char *start, size_t size)
{
    assert(memchr(start, '\n', size) == NULL);
    while (size > 0 && byte_is_space(start[size - 1]))
        size--;
    const char *line = NULL;
    if (size > 0)
        line = safe_line(scope->arena, start, size);
    view_set_text(scope, value_append_map(scope->arena, lines), "line", line);
}

static void append_lines(const view_scope *scope, value *lines, const char *doc)
{
    size_t size = strlen(doc);
    while (size > 0 && byte_is_space(doc[size - 1]))
        size--;
    for (const char *start = doc, *end = doc + size; start < end;) {
        size_t length = strcspn(start, "\n");
        if (length > (size_t)(end - start))
            length = (size_t)(end - start);
        append_line(scope, lines, start, length);
        start += length + 1;
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
    view_set_literal(scope, map, "doc_text", doc);
    view_set_literal(scope, map, "unit_text", unit);
}
