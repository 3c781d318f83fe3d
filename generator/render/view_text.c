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
    value_set(map, key, text == NULL ? value_null(scope->arena) : value_text(scope->arena, text));
}

void view_set_count(const view_scope *scope, value *map, const char *key, size_t count)
{
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    bool is_small = count < sizeof digits / sizeof *digits;
    view_set_text(scope, map, key, is_small ? digits[count] : arena_format(scope->arena, "%zu", count));
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
    bool is_plain = byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\' && byte != '?';
    spelled[0] = is_plain ? (char)byte : '\\';
    if (is_plain)
        return 1;
    if (byte == '\n' || (byte >= ' ' && byte <= '~')) {
        spelled[1] = byte == '\n' ? 'n' : (char)byte;
        return 2;
    }
    memcpy(spelled + 1, digits, sizeof digits);
    return ESCAPE_SIZE;
}

static const char *quoted(arena *arena, const char *bytes, size_t size)
{
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
    view_set_text(scope, map, "name_text", view_literal(scope->arena, name, strlen(name)));
}

void view_set_identity(const view_scope *scope, value *map, const char *name, const saved_name *saved)
{
    bool is_renamed = strcmp(saved->identity, name) != 0;
    const char *identity = saved->identity;
    view_set_text(scope, map, "identity", is_renamed ? view_literal(scope->arena, identity, strlen(identity)) : NULL);
}

void view_set_package(const view_scope *scope, value *map)
{
    const package *package = scope->package;
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < package->removal_count; i++) {
        const char *identity = package->removals[i].identity;
        value *item = value_map(scope->arena);
        view_set_text(scope, item, "identity", view_literal(scope->arena, identity, strlen(identity)));
        view_set_text(scope, item, "comma", i + 1 < package->removal_count ? ", " : "");
        value_append(list, item);
    }
    value_set(map, "removals", list);
    view_set_bool(scope, map, "has_removals", package->removal_count > 0);
    view_set_count(scope, map, "removal_count", package->removal_count);
    view_set_bool(scope, map, "has_version", package->version > 0);
    view_set_text(scope, map, "version", arena_format(scope->arena, "%" PRIu32, package->version));
    view_set_text(scope, map, "package_text", view_literal(scope->arena, package->name, strlen(package->name)));
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

static value *comment_line(const view_scope *scope, const char *start, size_t size)
{
    while (size > 0 && (start[size - 1] == ' ' || start[size - 1] == '\t' || start[size - 1] == '\r'))
        size--;
    value *map = value_map(scope->arena);
    bool is_safe = size > 0 && start[size - 1] != '\\' && memchr(start, '?', size) == NULL;
    const char *line = is_safe ? arena_copy(scope->arena, start, size) : safe_line(scope->arena, start, size);
    view_set_text(scope, map, "line", size == 0 ? NULL : line);
    return map;
}

static void append_lines(const view_scope *scope, value *lines, const char *doc)
{
    size_t size = strlen(doc);
    while (size > 0 && byte_is_space(doc[size - 1]))
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
    view_set_text(scope, map, "doc_text", doc == NULL ? NULL : view_literal(scope->arena, doc, strlen(doc)));
    view_set_text(scope, map, "unit_text", unit == NULL ? NULL : view_literal(scope->arena, unit, strlen(unit)));
}
