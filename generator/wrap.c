#include "wrap.h"

#include <stdbool.h>
#include <string.h>

enum { BRACKET_LIMIT = 32, CONTINUED_INDENT = 4 };

// The columns behind the brackets that are open.
typedef struct brackets {
    size_t columns[BRACKET_LIMIT];
    size_t count;
} brackets;

// Where a line can be broken, and what is open there.
typedef struct line_break {
    size_t at; // where the rest begins; 0: nowhere
    brackets open;
} line_break;

static size_t indent_of(const char *line, size_t size)
{
    size_t indent = 0;
    while (indent < size && line[indent] == ' ')
        indent++;
    return indent;
}

// The end of a literal that begins at `start`.
static size_t skip_literal(const char *line, size_t size, size_t start)
{
    size_t end = start + 1;
    while (end < size && line[end] != line[start])
        end += line[end] == '\\' ? 2 : 1;
    return end < size ? end : size - 1;
}

// False when there are too many brackets to follow.
static bool follow(brackets *open, char letter, size_t column)
{
    if (strchr("([{", letter) != NULL) {
        if (open->count == BRACKET_LIMIT)
            return false;
        open->columns[open->count++] = column + 1;
    } else if (strchr(")]}", letter) != NULL && open->count > 0) {
        open->count--;
    }
    return true;
}

// Behind the last comma within the limit of those in the fewest brackets, else behind the outermost bracket.
static line_break find_break(const char *line, size_t size, brackets open)
{
    size_t indent = indent_of(line, size);
    line_break found = {.at = 0}, bracket = {.at = 0};
    for (size_t i = indent; i < size && i < WRAP_COLUMNS; i++) {
        if (line[i] == '"' || line[i] == '\'') {
            i = skip_literal(line, size, i);
            continue;
        }
        if (line[i] == '/' && i + 1 < size && line[i + 1] == '/')
            break;
        if (!follow(&open, line[i], i))
            break;
        if (line[i] == '(' && bracket.at == 0) {
            bracket = (line_break){i + 1, open};
            bracket.open.columns[open.count - 1] = indent + CONTINUED_INDENT;
        }
        bool is_place = line[i] == ',' && i + 2 < size && line[i + 1] == ' ';
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

static void wrap_code(text *output, const char *line, size_t size)
{
    line_break found = {.at = 0};
    text rest = text_create(output->arena);
    text_append(&rest, line, size);
    size_t first_indent = indent_of(line, size);
    while (rest.size > WRAP_COLUMNS) {
        found = find_break(rest.bytes, rest.size, found.open);
        size_t depth = found.open.count;
        size_t indent = depth > 0 ? found.open.columns[depth - 1] : first_indent + CONTINUED_INDENT;
        if (found.at <= indent + 1)
            break; // nothing would be gained
        text_append(output, rest.bytes, rest.bytes[found.at - 1] == ' ' ? found.at - 1 : found.at);
        text_append(output, "\n", 1);
        text next = text_create(output->arena);
        append_indent(&next, indent);
        text_append(&next, rest.bytes + found.at, rest.size - found.at);
        rest = next;
    }
    text_append(output, rest.bytes, rest.size);
}

// The slashes and what is before and behind them, which each line of a comment begins with.
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
    const char *rest = line + head, *end = line + size;
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

// `is_continued` says whether the line before ended in a backslash, and comes to say it of this one.
static void wrap_line(text *output, const char *line, size_t size, bool *is_continued)
{
    size_t indent = indent_of(line, size);
    bool was_continued = *is_continued;
    *is_continued = size > 0 && line[size - 1] == '\\';
    bool is_directive = was_continued || *is_continued || (indent < size && line[indent] == '#');
    if (size <= WRAP_COLUMNS || is_directive)
        text_append(output, line, size);
    else if (indent + 1 < size && line[indent] == '/' && line[indent + 1] == '/')
        wrap_comment(output, line, size);
    else
        wrap_code(output, line, size);
}

text wrap_lines(arena *arena, const char *bytes, size_t size)
{
    text output = text_create(arena);
    bool is_continued = false;
    for (const char *line = bytes, *end = bytes + size; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = stop == NULL ? (size_t)(end - line) : (size_t)(stop - line);
        wrap_line(&output, line, length, &is_continued);
        if (stop != NULL)
            text_append(&output, "\n", 1);
        line += length + 1;
    }
    return output;
}
