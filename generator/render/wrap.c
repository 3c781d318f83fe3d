// Breaks long lines of generated C.
#include "generator/render/internal.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BRACKET_LIMIT = 32, CONTINUED_INDENT = 4 };

// The columns after each open bracket.
typedef struct brackets {
    uint16_t columns[BRACKET_LIMIT];
    uint16_t count;
} brackets;

// A place where a line can be broken, and the brackets open there.
typedef struct line_break {
    size_t at; // start of the rest; 0 if there is no place
    brackets open;
} line_break;

// The unwritten rest of a line and its indentation.
typedef struct code_line {
    const char *bytes;
    size_t size, indent;
} code_line;

static size_t indent_of(const char *line, size_t size)
{
    size_t indent = 0;
    while (indent < size && line[indent] == ' ')
        indent++;
    return indent;
}

// Returns the end of the literal that begins at `start`.
static size_t skip_literal(const char *line, size_t size, size_t start)
{
    size_t end = start + 1;
    while (end < size && line[end] != line[start])
        end += line[end] == '\\' ? 2 : 1;
    return end < size ? end : size - 1;
}

// Updates the open brackets. Returns false if there are more than BRACKET_LIMIT.
static bool follow(brackets *open, char letter, size_t column)
{
    switch (letter) {
    case '(':
    case '[':
    case '{':
        if (open->count == BRACKET_LIMIT)
            return false;
        assert(column < WRAP_COLUMNS);
        open->columns[open->count++] = (uint16_t)(column + 1);
        return true;
    case ')':
    case ']':
    case '}':
        if (open->count > 0)
            open->count--;
        return true;
    default:
        return true;
    }
}

// Returns the break after the last comma within the limit that is in the fewest brackets; without a comma, the break
// after the outermost bracket.
static line_break find_break(code_line line, brackets open)
{
    line_break found = {.at = 0};
    line_break bracket = {.at = 0};
    for (size_t i = 0; i < line.size && line.indent + i < WRAP_COLUMNS; i++) {
        char letter = line.bytes[i];
        if (letter == '"' || letter == '\'') {
            i = skip_literal(line.bytes, line.size, i);
            continue;
        }
        if (letter == '/' && i + 1 < line.size && line.bytes[i + 1] == '/')
            break;
        if (!follow(&open, letter, line.indent + i))
            break;
        if (letter == '(' && bracket.at == 0) {
            bracket = (line_break){i + 1, open};
            bracket.open.columns[open.count - 1] = (uint16_t)(line.indent + CONTINUED_INDENT);
        }
        bool is_place = letter == ',' && i + 2 < line.size && line.bytes[i + 1] == ' ';
        if (is_place && (found.at == 0 || open.count <= found.open.count))
            found = (line_break){i + 2, open};
    }
    return found.at > 0 ? found : bracket;
}

static void append_indent(text *output, size_t indent)
{
    for (size_t i = 0; i < indent; i++)
        text_append(output, " ", 1);
}

static void wrap_code(text *output, const char *bytes, size_t size)
{
    line_break found = {.at = 0};
    size_t first_indent = indent_of(bytes, size);
    code_line line = {bytes + first_indent, size - first_indent, first_indent};
    while (line.indent + line.size > WRAP_COLUMNS) {
        assert(found.open.count <= BRACKET_LIMIT);
        found = find_break(line, found.open);
        size_t depth = found.open.count;
        size_t indent = depth > 0 ? found.open.columns[depth - 1] : first_indent + CONTINUED_INDENT;
        if (found.at == 0 || line.indent + found.at <= indent + 1)
            break; // the continuation would be no shorter
        append_indent(output, line.indent);
        text_append(output, line.bytes, line.bytes[found.at - 1] == ' ' ? found.at - 1 : found.at);
        text_append(output, "\n", 1);
        line = (code_line){line.bytes + found.at, line.size - found.at, indent};
    }
    append_indent(output, line.indent);
    text_append(output, line.bytes, line.size);
}

// Returns the size of a comment's head: indentation, slashes and spaces, which each line of it begins with.
static size_t comment_head(const char *line, size_t size)
{
    size_t head = indent_of(line, size);
    while (head < size && line[head] == '/')
        head++;
    while (head < size && line[head] == ' ')
        head++;
    return head;
}

static void wrap_comment(text *output, const char *line, size_t size)
{
    size_t head = comment_head(line, size);
    const char *rest = line + head;
    const char *end = line + size;
    while ((size_t)(end - rest) + head > WRAP_COLUMNS && head < WRAP_COLUMNS / 2) {
        const char *space = rest + WRAP_COLUMNS - head;
        while (space > rest && (*space != ' ' || space[-1] == '\\' || space[-1] == ' '))
            space--;
        if (space == rest)
            break;
        text_append(output, line, head);
        text_append(output, rest, (size_t)(space - rest));
        text_append(output, "\n", 1);
        rest = space + strspn(space, " ");
    }
    text_append(output, line, head);
    text_append(output, rest, (size_t)(end - rest));
}

// `is_continued` is in and out: whether the previous line, and then this line, ends in a backslash.
static bool is_directive(const char *line, size_t size, bool *is_continued)
{
    bool was_continued = *is_continued;
    *is_continued = size > 0 && line[size - 1] == '\\';
    if (was_continued || *is_continued)
        return true;
    size_t indent = indent_of(line, size);
    return indent < size && line[indent] == '#';
}

static void wrap_line(text *output, const char *line, size_t size)
{
    size_t indent = indent_of(line, size);
    if (indent + 1 < size && line[indent] == '/' && line[indent + 1] == '/')
        wrap_comment(output, line, size);
    else
        wrap_code(output, line, size);
}

// Unchanged lines are appended in one piece, which begins at `kept`.
void wrap_lines(text *output, const char *bytes, size_t size)
{
    bool is_continued = false;
    const char *kept = bytes;
    const char *end = bytes + size;
    for (const char *line = bytes; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((stop == NULL ? end : stop) - line);
        if (!is_directive(line, length, &is_continued) && length > WRAP_COLUMNS) {
            text_append(output, kept, (size_t)(line - kept));
            wrap_line(output, line, length);
            kept = line + length;
        }
        line += length + 1;
    }
    text_append(output, kept, (size_t)(end - kept));
}
