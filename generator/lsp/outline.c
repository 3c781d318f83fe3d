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
    if (peek(scanner, 0) != '#' || is_over(scanner) || !begins_comment)
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
    if (end == offset || end >= scanner->size || scanner->bytes[end] != ':')
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
    if (quote > 0 && end > from && scanner->bytes[end - 1] == scanner->bytes[start])
        to--;
    node->place.end = end;
    node->text = arena_copy(scanner->arena, scanner->bytes + from, to - from);
    return node;
}

static void append(outline_node *parent, outline_node *child)
{
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

static outline_node *read_quoted(scanner *scanner)
{
    size_t start = scanner->at;
    char quote = peek(scanner, 0);
    for (scanner->at++; !is_over(scanner); scanner->at++) {
        char byte = peek(scanner, 0);
        bool is_escape = byte == '\\' && quote == '"';
        bool is_doubled = byte == '\'' && quote == '\'' && peek(scanner, 1) == '\'';
        if (is_escape || is_doubled)
            scanner->at++;
        else if (byte == quote || (byte == '\n' && is_cut_at(scanner, scanner->at + 1)))
            break;
    }
    scanner->at = size_min(scanner->at, scanner->size);
    if (!is_over(scanner) && peek(scanner, 0) == quote)
        scanner->at++;
    return create_scalar(scanner, start, scanner->at, 1);
}

// Returns whether a plain scalar ends at the next byte.
static bool ends_plain(const scanner *scanner, bool is_flow)
{
    char byte = peek(scanner, 0);
    char next = peek(scanner, 1);
    if (is_line_end(scanner))
        return true;
    if (is_flow && strchr(",[]{}", byte) != NULL)
        return true;
    if (byte == ':')
        return byte_is_space(next) || (is_flow && strchr(",[]{}", next) != NULL);
    bool is_after_space = scanner->at > 0 && byte_is_blank(scanner->bytes[scanner->at - 1]);
    return byte == '#' && is_after_space;
}

// Returns whether the scalar in brackets goes on in the next line, and moves there.
static bool continues_in_flow(scanner *scanner)
{
    size_t next = scanner->at;
    while (next < scanner->size && byte_is_space(scanner->bytes[next]))
        next++;
    if (next >= scanner->size || next == scanner->at || strchr(",[]{}#:", scanner->bytes[next]) != NULL)
        return false;
    if (!ends_line(peek(scanner, 0)) || is_key_at(scanner, next))
        return false;
    scanner->at = next;
    return true;
}

// Returns whether the scalar of a block goes on in the next line, which is indented more than its key, and moves there.
static bool continues_in_block(scanner *scanner, size_t column)
{
    size_t next = scanner->at;
    while (next < scanner->size && byte_is_space(scanner->bytes[next]))
        next++;
    size_t indentation = next - line_start(scanner, next);
    bool is_inside = next < scanner->size && ends_line(peek(scanner, 0)) && indentation > column;
    if (!is_inside || scanner->bytes[next] == '#' || is_key_at(scanner, next))
        return false;
    if (scanner->bytes[next] == '-' && next + 1 < scanner->size && byte_is_space(scanner->bytes[next + 1]))
        return false;
    scanner->at = next;
    return true;
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
    } while (is_flow ? continues_in_flow(scanner) : continues_in_block(scanner, column));
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
    return is_over(scanner) || scanner->is_cut || strchr("]}", peek(scanner, 0)) != NULL;
}

static outline_node *read_flow_scalar(scanner *scanner)
{
    char byte = peek(scanner, 0);
    if (byte == '"' || byte == '\'')
        return read_quoted(scanner);
    return read_plain(scanner, true, 0);
}

static bool skip_colon(scanner *scanner, const outline_node *key)
{
    size_t before = scanner->at;
    skip_in_flow(scanner);
    bool is_quoted = key->place.end > key->place.start && strchr("\"'", scanner->bytes[key->place.start]) != NULL;
    bool is_colon = !scanner->is_cut && !is_over(scanner) && peek(scanner, 0) == ':';
    if (is_colon && !is_quoted)
        is_colon = byte_is_space(peek(scanner, 1)) || strchr(",[]{}", peek(scanner, 1)) != NULL;
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
    if (above != NULL && above->place.end < scanner->top->place.end)
        above->place.end = scanner->top->place.end;
    scanner->top = above;
    scanner->depth--;
}

static void close_deeper(scanner *scanner, size_t column)
{
    while (scanner->top != NULL && scanner->top->column > column && scanner->top != scanner->root)
        close_block(scanner);
}

// Returns the key whose value is missing, or NULL.
static outline_node *open_key(const outline_node *top)
{
    if (top->kind != OUTLINE_MAPPING || top->last == NULL || top->last->value != NULL || top->last->is_partial)
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
    if (key != NULL)
        set_value(key, node);
    else if (top->kind == OUTLINE_SEQUENCE && (is_item || scanner->open_item == top))
        append(top, node);
    else
        return false;
    scanner->open_item = NULL;
    return true;
}

static void open_block(scanner *scanner, outline_node *block, size_t column)
{
    block->column = column;
    scanner->top = block;
    scanner->depth++;
}

// Returns the block of the kind at the column, which may be new; NULL if there cannot be one.
static outline_node *block_at(scanner *scanner, outline_kind kind, size_t column, bool is_item)
{
    close_deeper(scanner, column);
    outline_node *top = scanner->top;
    bool ends_list = kind == OUTLINE_MAPPING && top != NULL && top->kind == OUTLINE_SEQUENCE && top->column == column;
    if (ends_list && top->parent != NULL) {
        close_block(scanner);
        top = scanner->top;
    }
    if (top != NULL && top->kind == kind && top->column == column)
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
    if (byte == '"' || byte == '\'')
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
    bool is_colon = !is_over(scanner) && peek(scanner, 0) == ':' && byte_is_space(peek(scanner, 1));
    if (is_colon)
        scanner->at++;
    else
        scanner->at = before;
    return is_colon;
}

// Reads a line from its first text on: a key, or a value. `column` is that of the dash before it, or of its parent.
static void read_content(scanner *scanner, bool is_item, size_t column)
{
    char byte = peek(scanner, 0);
    size_t start = scanner->at;
    bool is_scalar = strchr("[{|>", byte) == NULL;
    outline_node *node = NULL;
    if (is_scalar && (byte == '"' || byte == '\''))
        node = read_quoted(scanner);
    else if (is_scalar) // its first line, which may be a key
        node = read_plain(scanner, false, SIZE_MAX);
    if (node != NULL && ends_in_colon(scanner)) {
        read_key(scanner, node, false, is_item);
        return;
    }
    outline_node *top = scanner->top;
    size_t own = start - line_start(scanner, start);
    bool is_open = top != NULL && (open_key(top) != NULL || scanner->open_item == top);
    bool is_value = is_item || top == NULL || (is_open && own > top->column);
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
    return peek(scanner, 0) == '-' && byte_is_space(peek(scanner, 1)) && !is_over(scanner);
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
    if (first >= scanner->size || ends_line(scanner->bytes[first]) || scanner->bytes[first] == '#')
        return true;
    if (first > scanner->at || scanner->size - first < 3)
        return first == scanner->at && scanner->bytes[first] == '%';
    const char *bytes = scanner->bytes + first;
    return bytes[0] == '%' || memcmp(bytes, "---", 3) == 0 || memcmp(bytes, "...", 3) == 0;
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

static bool has(const outline_node *node, size_t offset)
{
    return node->place.start <= offset && offset <= node->place.end;
}

// Recursive, as deep as the outline.
outline_node *outline_at(outline_node *root, size_t offset)
{
    if (root == NULL || (root->kind == OUTLINE_SCALAR && has(root, offset)))
        return root;
    for (outline_node *item = root->first; item != NULL; item = item->next) {
        bool is_in_key = item->is_key && has(item, offset);
        if (is_in_key)
            return item;
        outline_node *inner = item->is_key ? item->value : item;
        if (inner == NULL)
            continue;
        outline_node *found = outline_at(inner, offset);
        if (found != NULL)
            return found;
    }
    return NULL;
}
