// Makes the outline of a file that may be half written.
#include "generator/lsp/internal.h"

#include <assert.h>
#include <string.h>

// The state of reading: `at` is the next byte.
typedef struct scanner {
    arena *arena;
    const source *source;
    const char *bytes;
    size_t at, size;
    size_t line; // start of the line that was asked for last
    outline_node *root;
    outline_node *top;       // the innermost open block
    outline_node *open_item; // the sequence whose newest dash has nothing after it; NULL: none has
    size_t depth;            // of open blocks and brackets
    size_t block_column;     // of the key or item that holds the open brackets
    bool is_cut;             // a line of its own has ended the open brackets
} scanner;

// ---- bytes

static char peek(const scanner *scanner, size_t ahead)
{
    if (scanner->at + ahead >= scanner->size)
        return '\n';
    return scanner->bytes[scanner->at + ahead];
}

static bool ends_line(char byte)
{
    return byte == '\n' || byte == '\r';
}

static bool is_over(const scanner *scanner)
{
    return scanner->at >= scanner->size;
}

// Returns whether the next byte is this one.
static bool is_next(const scanner *scanner, char byte)
{
    return !is_over(scanner) && peek(scanner, 0) == byte;
}

static bool is_quote(char byte)
{
    return byte == '"' || byte == '\'';
}

static bool is_line_end(const scanner *scanner)
{
    return is_over(scanner) || ends_line(peek(scanner, 0));
}

// Returns where the line begins. Costs the distance from the last line that was asked for.
static size_t line_start(scanner *scanner, size_t offset)
{
    while (scanner->line > offset) {
        scanner->line--;
        while (scanner->line > 0 && scanner->bytes[scanner->line - 1] != '\n')
            scanner->line--;
    }
    assert(scanner->line <= offset && offset <= scanner->size);
    for (;;) {
        const char *end = memchr(scanner->bytes + scanner->line, '\n', offset - scanner->line);
        if (end == NULL)
            return scanner->line;
        scanner->line = (size_t)(end - scanner->bytes) + 1;
    }
}

static void skip_line(scanner *scanner)
{
    while (!is_over(scanner) && scanner->bytes[scanner->at] != '\n')
        scanner->at++;
    scanner->at += !is_over(scanner);
}

// Skips spaces, and a comment after them.
static void skip_spaces(scanner *scanner)
{
    size_t start = scanner->at;
    while (!is_over(scanner) && byte_is_blank(peek(scanner, 0)))
        scanner->at++;
    bool begins_comment = scanner->at > start || start == line_start(scanner, start);
    if (!begins_comment || !is_next(scanner, '#'))
        return;
    while (!is_line_end(scanner))
        scanner->at++;
}

// Returns the offset of the first byte in the line at `offset` that is no space.
static size_t first_in_line(const scanner *scanner, size_t offset)
{
    while (offset < scanner->size && byte_is_blank(scanner->bytes[offset]))
        offset++;
    return offset;
}

// Returns whether the text at the offset is a word and a colon.
static bool is_key_at(const scanner *scanner, size_t offset)
{
    size_t end = offset;
    while (end < scanner->size && byte_is_word(scanner->bytes[end]))
        end++;
    if (end == offset || end >= scanner->size)
        return false;
    if (scanner->bytes[end] != ':')
        return false;
    return end + 1 == scanner->size || byte_is_space(scanner->bytes[end + 1]);
}

// ---- nodes

static outline_node *create(scanner *scanner, outline_kind kind, size_t start)
{
    outline_node *node = arena_allocate(scanner->arena, sizeof *node);
    node->kind = kind;
    node->place = (span){scanner->source, start, start};
    node->column = start - line_start(scanner, start);
    return node;
}

static outline_node *create_scalar(scanner *scanner, size_t start, size_t end, size_t quote)
{
    outline_node *node = create(scanner, OUTLINE_SCALAR, start);
    size_t from = size_min(start + quote, end);
    size_t to = end;
    assert(start <= end && end <= scanner->size); // 1
    bool has_quotes = quote > 0 && end > from;
    if (has_quotes && scanner->bytes[end - 1] == scanner->bytes[start])
        to--;
    node->place.end = end;
    node->text = arena_copy(scanner->arena, scanner->bytes + from, to - from);
    return node;
}

static void append(outline_node *parent, outline_node *child)
{
    assert(child->parent == NULL && child->next == NULL);
    assert(child->is_key == (parent->kind == OUTLINE_MAPPING)); // 2
    child->parent = parent;
    if (parent->last != NULL)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}

static void append_key(outline_node *mapping, outline_node *key)
{
    key->is_key = true;
    append(mapping, key);
}

static void set_value(outline_node *key, outline_node *value)
{
    assert(key->is_key && key->value == NULL && value->parent == NULL);
    value->parent = key;
    key->value = value;
}

// ---- scalars

// Returns whether the line at the offset ends what is open: it has a key, and is not indented more than the key before.
static bool is_cut_at(scanner *scanner, size_t line)
{
    size_t first = first_in_line(scanner, line);
    return first - line <= scanner->block_column && is_key_at(scanner, first);
}

// Returns whether the next byte in quotes takes the meaning of the one after it: `\"`, or `''`.
static bool is_escape(const scanner *scanner, char quote)
{
    if (quote == '"')
        return peek(scanner, 0) == '\\';
    return peek(scanner, 0) == '\'' && peek(scanner, 1) == '\'';
}

static outline_node *read_quoted(scanner *scanner)
{
    size_t start = scanner->at;
    char quote = peek(scanner, 0);
    for (scanner->at++; !is_over(scanner); scanner->at++) {
        char byte = peek(scanner, 0);
        if (is_escape(scanner, quote))
            scanner->at++;
        else if (byte == quote)
            break;
        else if (byte == '\n' && is_cut_at(scanner, scanner->at + 1))
            break;
    }
    scanner->at = size_min(scanner->at, scanner->size);
    if (is_next(scanner, quote))
        scanner->at++;
    return create_scalar(scanner, start, scanner->at, 1);
}

// Returns whether a byte ends a plain scalar in brackets.
static bool ends_in_flow(char byte)
{
    return strchr(",[]{}", byte) != NULL;
}

// Returns whether a plain scalar ends at the next byte.
static bool ends_plain(const scanner *scanner, bool is_flow)
{
    char byte = peek(scanner, 0);
    char next = peek(scanner, 1);
    if (is_line_end(scanner))
        return true;
    if (is_flow && ends_in_flow(byte))
        return true;
    if (byte == ':' && is_flow)
        return byte_is_space(next) || ends_in_flow(next);
    if (byte == ':')
        return byte_is_space(next);
    bool is_after_space = scanner->at > 0 && byte_is_blank(scanner->bytes[scanner->at - 1]);
    return byte == '#' && is_after_space;
}

// Returns the offset of the next byte that is no space; the size if there is none.
static size_t next_text(const scanner *scanner)
{
    size_t next = scanner->at;
    while (next < scanner->size && byte_is_space(scanner->bytes[next]))
        next++;
    return next;
}

// Returns whether the scalar in brackets goes on in the next line, and moves there.
static bool continues_in_flow(scanner *scanner)
{
    size_t next = next_text(scanner);
    if (next >= scanner->size || next == scanner->at)
        return false;
    if (strchr(",[]{}#:", scanner->bytes[next]) != NULL)
        return false;
    if (!ends_line(peek(scanner, 0)) || is_key_at(scanner, next))
        return false;
    scanner->at = next;
    return true;
}

// Returns whether an item begins at the offset, with something after its dash in the file.
static bool is_dash_at(const scanner *scanner, size_t offset)
{
    if (scanner->bytes[offset] != '-' || offset + 1 >= scanner->size)
        return false;
    return byte_is_space(scanner->bytes[offset + 1]);
}

// Returns whether the scalar of a block goes on in the next line, which is indented more than its key, and moves there.
static bool continues_in_block(scanner *scanner, size_t column)
{
    size_t next = next_text(scanner);
    size_t indentation = next - line_start(scanner, next);
    if (next >= scanner->size || !ends_line(peek(scanner, 0)))
        return false;
    if (indentation <= column || scanner->bytes[next] == '#')
        return false;
    if (is_key_at(scanner, next) || is_dash_at(scanner, next))
        return false;
    scanner->at = next;
    return true;
}

static bool continues(scanner *scanner, bool is_flow, size_t column)
{
    if (is_flow)
        return continues_in_flow(scanner);
    return continues_in_block(scanner, column);
}

static outline_node *read_plain(scanner *scanner, bool is_flow, size_t column)
{
    size_t start = scanner->at;
    size_t end = start;
    do {
        while (!ends_plain(scanner, is_flow))
            scanner->at++;
        end = scanner->at;
        while (end > start && byte_is_space(scanner->bytes[end - 1]))
            end--;
    } while (continues(scanner, is_flow, column));
    return create_scalar(scanner, start, end, 0);
}

// Reads the text after '|' or '>': the lines that are indented more than its key.
static outline_node *read_block_text(scanner *scanner, size_t column)
{
    size_t start = scanner->at;
    size_t end = start;
    skip_line(scanner);
    end = scanner->at;
    while (!is_over(scanner)) {
        size_t first = first_in_line(scanner, scanner->at);
        bool is_blank = first >= scanner->size || ends_line(scanner->bytes[first]);
        if (!is_blank && first - scanner->at <= column)
            break;
        skip_line(scanner);
        if (!is_blank)
            end = scanner->at;
    }
    return create_scalar(scanner, start, end, 0);
}

// ---- brackets

static outline_node *read_flow(scanner *scanner);

// Moves to the next thing in brackets. A line that is not indented more than the key that holds the brackets, and has a
// key, ends them all.
static void skip_in_flow(scanner *scanner)
{
    for (;;) {
        skip_spaces(scanner);
        if (!is_line_end(scanner) || is_over(scanner))
            return;
        while (!is_over(scanner) && ends_line(peek(scanner, 0)))
            scanner->at++;
        scanner->is_cut = is_cut_at(scanner, scanner->at);
        if (scanner->is_cut)
            return;
    }
}

static bool is_closed(const scanner *scanner)
{
    if (is_over(scanner) || scanner->is_cut)
        return true;
    return strchr("]}", peek(scanner, 0)) != NULL;
}

static outline_node *read_flow_scalar(scanner *scanner)
{
    if (is_quote(peek(scanner, 0)))
        return read_quoted(scanner);
    return read_plain(scanner, true, 0);
}

static bool skip_colon(scanner *scanner, const outline_node *key)
{
    size_t before = scanner->at;
    skip_in_flow(scanner);
    bool is_colon = !scanner->is_cut && is_next(scanner, ':');
    if (is_colon && !outline_is_quoted(key))
        is_colon = byte_is_space(peek(scanner, 1)) || ends_in_flow(peek(scanner, 1));
    if (is_colon)
        scanner->at++;
    else if (!scanner->is_cut)
        scanner->at = before;
    return is_colon;
}

// Reads what follows the colon of a key.
static void read_flow_value(scanner *scanner, outline_node *key)
{
    skip_in_flow(scanner);
    if (is_closed(scanner) || peek(scanner, 0) == ',')
        return;
    outline_node *value = read_flow(scanner);
    if (value != NULL)
        set_value(key, value);
}

// Reads an item of a sequence: also `a: b`, a mapping of one key.
static void read_flow_item(scanner *scanner, outline_node *node)
{
    outline_node *item = read_flow(scanner);
    if (item == NULL)
        return;
    if (item->kind != OUTLINE_SCALAR || !skip_colon(scanner, item)) {
        append(node, item);
        return;
    }
    outline_node *mapping = create(scanner, OUTLINE_MAPPING, item->place.start);
    mapping->is_flow = true;
    append(node, mapping);
    append_key(mapping, item);
    read_flow_value(scanner, item);
    mapping->place.end = scanner->at;
}

static void read_flow_pair(scanner *scanner, outline_node *mapping)
{
    outline_node *key = read_flow_scalar(scanner);
    append_key(mapping, key);
    key->is_flow = true;
    key->is_partial = !skip_colon(scanner, key);
    if (!key->is_partial)
        read_flow_value(scanner, key);
}

static outline_node *read_brackets(scanner *scanner)
{
    bool is_mapping = peek(scanner, 0) == '{';
    outline_node *node = create(scanner, is_mapping ? OUTLINE_MAPPING : OUTLINE_SEQUENCE, scanner->at++);
    node->is_flow = true;
    for (skip_in_flow(scanner); !is_closed(scanner); skip_in_flow(scanner)) {
        size_t before = scanner->at;
        if (peek(scanner, 0) == ',')
            scanner->at++;
        else if (is_mapping && strchr("[{", peek(scanner, 0)) == NULL)
            read_flow_pair(scanner, node);
        else if (is_mapping)
            read_flow(scanner); // a key must be a scalar
        else
            read_flow_item(scanner, node);
        if (scanner->at == before && !scanner->is_cut)
            scanner->at++;
    }
    if (!scanner->is_cut && !is_over(scanner))
        scanner->at++;
    node->place.end = scanner->at;
    return node;
}

// Recursive, up to the limit: what is deeper is skipped. Returns NULL then.
static outline_node *read_flow(scanner *scanner)
{
    if (strchr("[{", peek(scanner, 0)) == NULL)
        return read_flow_scalar(scanner);
    if (scanner->depth >= OUTLINE_DEPTH_LIMIT) {
        scanner->at++;
        return NULL;
    }
    scanner->depth++;
    outline_node *node = read_brackets(scanner);
    scanner->depth--;
    node->is_flow = true;
    return node;
}

// ---- blocks

// Returns the parent block; NULL at the root.
static outline_node *block_above(const outline_node *block)
{
    outline_node *parent = block->parent;
    while (parent != NULL && parent->kind == OUTLINE_SCALAR)
        parent = parent->parent;
    return parent;
}

static void close_block(scanner *scanner)
{
    outline_node *above = block_above(scanner->top);
    assert(scanner->depth > 0);
    if (above != NULL && above->place.end < scanner->top->place.end)
        above->place.end = scanner->top->place.end;
    scanner->top = above;
    scanner->depth--;
}

static void close_deeper(scanner *scanner, size_t column)
{
    while (scanner->top != NULL && scanner->top != scanner->root) {
        if (scanner->top->column <= column)
            return;
        close_block(scanner);
    }
}

// Returns the key whose value is missing, or NULL.
static outline_node *open_key(const outline_node *top)
{
    if (top->kind != OUTLINE_MAPPING || top->last == NULL)
        return NULL;
    if (top->last->value != NULL || top->last->is_partial)
        return NULL;
    return top->last;
}

// Places a node where the newest key or item needs one. Returns whether there is such a place.
static bool fill(scanner *scanner, outline_node *node, bool is_item)
{
    outline_node *top = scanner->top;
    if (top == NULL) {
        scanner->root = node;
        return true;
    }
    outline_node *key = open_key(top);
    bool is_open = is_item || scanner->open_item == top;
    if (key != NULL)
        set_value(key, node);
    else if (is_open && top->kind == OUTLINE_SEQUENCE)
        append(top, node);
    else
        return false;
    scanner->open_item = NULL;
    return true;
}

// Returns whether a block, which may be NULL, is of the kind and at the column.
static bool is_block(const outline_node *block, outline_kind kind, size_t column)
{
    return block != NULL && block->kind == kind && block->column == column;
}

static void open_block(scanner *scanner, outline_node *block, size_t column)
{
    block->column = column;
    scanner->top = block;
    scanner->depth++;
    assert(scanner->depth <= OUTLINE_DEPTH_LIMIT); // 3
}

// Returns the block of the kind at the column, which may be new; NULL if there cannot be one.
static outline_node *block_at(scanner *scanner, outline_kind kind, size_t column, bool is_item)
{
    close_deeper(scanner, column);
    outline_node *top = scanner->top;
    bool ends_list = kind == OUTLINE_MAPPING && is_block(top, OUTLINE_SEQUENCE, column);
    if (ends_list && top->parent != NULL) {
        close_block(scanner);
        top = scanner->top;
    }
    if (is_block(top, kind, column))
        return top;
    if (scanner->depth >= OUTLINE_DEPTH_LIMIT)
        return NULL;
    outline_node *block = create(scanner, kind, scanner->at);
    if (fill(scanner, block, is_item)) {
        open_block(scanner, block, column);
        return block;
    }
    if (top->kind == kind) // indented as no other line
        return top;
    return NULL;
}

static void extend(scanner *scanner, size_t end)
{
    if (scanner->top != NULL && scanner->top->place.end < end)
        scanner->top->place.end = end;
}

// Reads the value in the line of a key or after a dash.
static outline_node *read_value(scanner *scanner, size_t column)
{
    char byte = peek(scanner, 0);
    scanner->block_column = column;
    scanner->is_cut = false;
    if (byte == '|' || byte == '>')
        return read_block_text(scanner, column);
    if (is_quote(byte))
        return read_quoted(scanner);
    if (byte == '[' || byte == '{')
        return read_flow(scanner);
    return read_plain(scanner, false, column);
}

static void read_key(scanner *scanner, outline_node *key, bool is_partial, bool is_item)
{
    size_t end = scanner->at;
    scanner->at = key->place.start;
    outline_node *mapping = block_at(scanner, OUTLINE_MAPPING, key->column, is_item);
    scanner->at = end;
    if (mapping == NULL)
        return;
    key->is_partial = is_partial;
    append_key(mapping, key);
    extend(scanner, key->place.end);
    skip_spaces(scanner);
    if (is_partial || is_line_end(scanner))
        return;
    outline_node *value = read_value(scanner, key->column);
    if (value == NULL)
        return;
    set_value(key, value);
    extend(scanner, value->place.end);
}

static bool ends_in_colon(scanner *scanner)
{
    size_t before = scanner->at;
    while (byte_is_blank(peek(scanner, 0)) && !is_over(scanner))
        scanner->at++;
    bool is_colon = is_next(scanner, ':') && byte_is_space(peek(scanner, 1));
    if (is_colon)
        scanner->at++;
    else
        scanner->at = before;
    return is_colon;
}

// Reads what may be a key: a scalar, of which a plain one ends with its line. NULL if there is none.
static outline_node *read_first(scanner *scanner)
{
    char byte = peek(scanner, 0);
    if (strchr("[{|>", byte) != NULL)
        return NULL;
    if (is_quote(byte))
        return read_quoted(scanner);
    return read_plain(scanner, false, SIZE_MAX);
}

// Returns whether a text that begins at a column is the value of what stands before.
static bool is_value_at(const scanner *scanner, size_t column)
{
    const outline_node *top = scanner->top;
    if (top == NULL)
        return true;
    bool is_open = open_key(top) != NULL || scanner->open_item == top;
    return is_open && column > top->column;
}

// Reads a line from its first text on: a key, or a value. `column` is that of the dash before it, or of its parent.
static void read_content(scanner *scanner, bool is_item, size_t column)
{
    size_t start = scanner->at;
    outline_node *node = read_first(scanner);
    if (node != NULL && ends_in_colon(scanner)) {
        read_key(scanner, node, false, is_item);
        return;
    }
    bool is_value = is_item || is_value_at(scanner, start - line_start(scanner, start));
    if (node != NULL && !is_value) {
        read_key(scanner, node, true, false);
        return;
    }
    scanner->at = start;
    node = read_value(scanner, column);
    if (node == NULL)
        return;
    if (fill(scanner, node, is_item))
        extend(scanner, node->place.end);
}

static bool is_dash(const scanner *scanner)
{
    return is_next(scanner, '-') && byte_is_space(peek(scanner, 1));
}

static void read_line(scanner *scanner)
{
    size_t line = scanner->at;
    bool is_item = false;
    scanner->at = first_in_line(scanner, line);
    size_t column = scanner->at - line;
    close_deeper(scanner, column);
    while (is_dash(scanner)) {
        column = scanner->at - line;
        if (block_at(scanner, OUTLINE_SEQUENCE, column, is_item) == NULL)
            break;
        is_item = true;
        scanner->at++;
        skip_spaces(scanner);
    }
    if (is_item)
        scanner->open_item = is_line_end(scanner) ? scanner->top : NULL;
    if (is_line_end(scanner))
        return;
    if (!is_item && scanner->top != NULL)
        column = scanner->top->column;
    read_content(scanner, is_item, column);
    if (scanner->is_cut)
        scanner->at = line_start(scanner, scanner->at);
}

// Returns whether the line has no content: it is blank, a comment, a marker or a directive.
static bool is_skipped(const scanner *scanner)
{
    size_t first = first_in_line(scanner, scanner->at);
    const char *bytes = scanner->bytes + first;
    if (first >= scanner->size || ends_line(*bytes))
        return true;
    if (*bytes == '#')
        return true;
    if (first > scanner->at)
        return false;
    if (*bytes == '%')
        return true;
    if (scanner->size - first < 3)
        return false;
    return memcmp(bytes, "---", 3) == 0 || memcmp(bytes, "...", 3) == 0;
}

outline_node *outline_make(arena *arena, const source *source)
{
    scanner scanner = {.arena = arena, .source = source, .bytes = source->bytes, .size = source->size};
    scanner.at = source->line_starts[0];
    while (!is_over(&scanner)) {
        size_t before = scanner.at;
        scanner.is_cut = false;
        if (!is_skipped(&scanner))
            read_line(&scanner);
        bool is_at_start = scanner.at > before && scanner.bytes[scanner.at - 1] == '\n';
        if (!is_at_start)
            skip_line(&scanner);
    }
    while (scanner.top != NULL)
        close_block(&scanner);
    if (scanner.root == NULL)
        scanner.root = create_scalar(&scanner, source->size, source->size, 0);
    return scanner.root;
}

// ---- questions

outline_node *outline_find(const outline_node *mapping, const char *key)
{
    if (mapping == NULL || mapping->kind != OUTLINE_MAPPING)
        return NULL;
    for (outline_node *item = mapping->first; item != NULL; item = item->next)
        if (strcmp(item->text, key) == 0)
            return item->value;
    return NULL;
}

bool outline_is_quoted(const outline_node *scalar)
{
    span place = scalar->place;
    return place.end > place.start && is_quote(place.source->bytes[place.start]);
}

// Recursive, as deep as the outline.
outline_node *outline_at(outline_node *root, size_t offset)
{
    if (root == NULL)
        return NULL;
    if (root->kind == OUTLINE_SCALAR && span_has(root->place, offset))
        return root;
    for (outline_node *item = root->first; item != NULL; item = item->next) {
        if (item->is_key && span_has(item->place, offset))
            return item;
        outline_node *found = outline_at(item->is_key ? item->value : item, offset);
        if (found != NULL)
            return found;
    }
    return NULL;
}
