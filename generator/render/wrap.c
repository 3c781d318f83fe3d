// The layout of generated C: breaks long lines, fills comments again whose lines are too long, and puts the body of a
// function that is one statement beside its head, or below it.
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
    assert(line[start] == '"' || line[start] == '\'');
    size_t end = start + 1;
    while (end < size && line[end] != line[start]) {
        if (line[end] == '\\')
            end++;
        end++;
    }
    return size_min(end, size - 1);
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
    if (found.at == 0)
        return bracket;
    return found;
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
        size_t indent = first_indent + CONTINUED_INDENT;
        if (depth > 0)
            indent = found.open.columns[depth - 1];
        if (found.at == 0 || line.indent + found.at <= indent + 1)
            break; // the continuation would be no shorter
        append_indent(output, line.indent);
        text_append(output, line.bytes, found.at - (line.bytes[found.at - 1] == ' '));
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

// Returns the length of the last line of the output.
static size_t last_column(const text *output)
{
    size_t start = output->size;
    while (start > 0 && output->bytes[start - 1] != '\n')
        start--;
    return output->size - start;
}

static size_t length_of_line(const char *line, const char *end)
{
    assert(line <= end);
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (stop == NULL)
        stop = end;
    return (size_t)(stop - line);
}

// How the lines of a paragraph begin, but for the first. The item of a list, which is indented, hangs: they begin where
// its text does, after its name and at least two spaces.
typedef struct hanging {
    char bytes[WRAP_COLUMNS / 2 + 1];
    size_t size;
} hanging;

static hanging hanging_of(const char *line, size_t size, size_t head)
{
    hanging hanging = {.size = head};
    size_t slashes = indent_of(line, size);
    while (line[slashes] == '/')
        slashes++;
    size_t text = head;
    while (head >= slashes + 3 && text + 1 < size && memcmp(line + text, "  ", 2) != 0)
        text++;
    text += strspn(line + text, " ");
    if (head >= slashes + 3 && text < WRAP_COLUMNS / 2)
        hanging.size = text;
    memset(hanging.bytes, ' ', hanging.size);
    memcpy(hanging.bytes, line, slashes);
    return hanging;
}

// Appends words to the last line, and begins a new line before each that does not fit.
static void fill(text *output, const hanging *head, const char *words, size_t size)
{
    const char *end = words + size;
    for (const char *word = words; word < end;) {
        size_t spaces = strspn(word, " ");
        const char *stop = word + spaces;
        while (stop < end && (*stop != ' ' || stop[-1] == '\\'))
            stop++;
        size_t column = last_column(output);
        bool is_first = column <= head->size;
        if (!is_first && column + (size_t)(stop - word) > WRAP_COLUMNS) {
            while (output->bytes[output->size - 1] == ' ')
                output->size--;
            text_append(output, "\n", 1);
            text_append(output, head->bytes, head->size);
            word += spaces;
        }
        text_append(output, word, (size_t)(stop - word));
        word = stop;
    }
}

// Returns whether the line goes on with a paragraph: as text, not as an item of a list in a doc.
static bool continues(const hanging *head, const char *line, size_t size)
{
    if (size <= head->size || memcmp(line, head->bytes, head->size) != 0 || head->bytes[head->size - 1] != ' ')
        return false;
    const char *text = line + head->size;
    return *text != ' ' && strchr("-*+#|\\>", *text) == NULL && text[1] != '.';
}

// Wraps a comment line that is too long, and fills its paragraph. Returns the end of the last line that it took.
static const char *wrap_comment(text *output, const char *line, size_t size, const char *end)
{
    size_t head = comment_head(line, size);
    if (head >= WRAP_COLUMNS / 2) {
        text_append(output, line, size);
        return line + size;
    }
    hanging hanging = hanging_of(line, size, head);
    text_append(output, line, head);
    fill(output, &hanging, line + head, size - head);
    const char *stop = line + size;
    while (stop < end && continues(&hanging, stop + 1, length_of_line(stop + 1, end))) {
        const char *next = stop + 1;
        size_t length = length_of_line(next, end);
        text_append(output, " ", 1);
        fill(output, &hanging, next + hanging.size, length - hanging.size);
        stop = next + length;
    }
    return stop;
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

static bool is_comment(const char *line, size_t size)
{
    size_t indent = indent_of(line, size);
    return indent + 1 < size && line[indent] == '/' && line[indent + 1] == '/';
}

// The body of a function in its own lines, and in one line: `{ return x; }`, or a macro that is a body.
typedef struct body {
    const char *statement;
    size_t size;
    bool is_macro;
    const char *end; // of its last line; NULL if it is no such body
} body;

// Returns the body that begins with the line after the head of a function.
static body find_body(const char *line, const char *end)
{
    static const char macro[] = "    KIN__";
    const body none = {.end = NULL};
    size_t size = length_of_line(line, end);
    if (size > sizeof macro && memcmp(line, macro, sizeof macro - 1) == 0)
        return (body){line + CONTINUED_INDENT, size - CONTINUED_INDENT, true, line + size};
    const char *statement = line + size + 1;
    if (size != 1 || *line != '{' || statement >= end)
        return none;
    size_t length = length_of_line(statement, end);
    const char *last = statement + length + 1;
    bool is_statement = indent_of(statement, length) == CONTINUED_INDENT && length > 0 && statement[length - 1] == ';';
    bool is_end = last < end && length_of_line(last, end) == 1 && *last == '}';
    if (!is_statement || !is_end)
        return none;
    return (body){statement + CONTINUED_INDENT, length - CONTINUED_INDENT, false, last + 1};
}

// Appends the body beside the head of the function, or below it if there is no room. Returns false if it is too long.
static bool append_body(text *output, const body *body, bool is_below)
{
    assert(body->size > 0);
    const char *open = text_if(!body->is_macro, "{ ");
    const char *close = text_if(!body->is_macro, " }");
    size_t width = body->size + strlen(open) + strlen(close);
    if (CONTINUED_INDENT + width > WRAP_COLUMNS)
        return false;
    if (is_below || last_column(output) + 1 + width > WRAP_COLUMNS)
        text_append_string(output, "\n   ");
    text_append_string(output, " ");
    text_append_string(output, open);
    text_append(output, body->statement, body->size);
    text_append_string(output, close);
    return true;
}

// Unchanged lines are appended in one piece, which begins at `kept`.
void wrap_lines(text *output, const char *bytes, size_t size)
{
    bool is_continued = false;
    const char *kept = bytes;
    const char *end = bytes + size;
    for (const char *line = bytes; line < end;) {
        size_t length = length_of_line(line, end);
        const char *stop = line + length;
        bool is_free = !is_directive(line, length, &is_continued);
        bool is_code = is_free && !is_comment(line, length);
        bool is_long = is_free && length > WRAP_COLUMNS;
        bool is_head = length > 1 && *line != ' ' && line[length - 1] == ')';
        body body = {.end = NULL};
        if (is_code && is_head && stop < end)
            body = find_body(stop + 1, end);
        if (is_long || body.end != NULL) {
            text_append(output, kept, (size_t)(line - kept));
            kept = line;
        }
        if (is_long && !is_code) {
            kept = stop = wrap_comment(output, line, length, end);
        } else if (is_long) {
            wrap_code(output, line, length);
            kept = stop;
        }
        if (body.end != NULL) {
            text_append(output, kept, (size_t)(stop - kept));
            if (append_body(output, &body, is_long))
                stop = body.end;
            kept = stop;
        }
        line = stop + 1;
    }
    if (kept < end)
        text_append(output, kept, (size_t)(end - kept));
}
