// Makes a program of a template: scans its tags, and nests its sections.
#include "generator/render/internal.h"

#include <assert.h>
#include <string.h>

// ---- tags

static const mustache_slice DEFAULT_OPEN = {"{{", 2};
static const mustache_slice DEFAULT_CLOSE = {"}}", 2};

static bool slice_equals(mustache_slice a, mustache_slice b)
{
    return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

static mustache_slice slice_trim(mustache_slice slice)
{
    while (slice.size > 0 && byte_is_space(slice.bytes[0])) {
        slice.bytes++;
        slice.size--;
    }
    while (slice.size > 0 && byte_is_space(slice.bytes[slice.size - 1]))
        slice.size--;
    return slice;
}

static mustache_slice source_slice(const mustache_scanner *scanner, size_t begin, size_t end)
{
    assert(begin <= end && end <= scanner->source->size);
    return (mustache_slice){scanner->source->bytes + begin, end - begin};
}

// Returns the offset of `wanted` at or after `from`; the template's size if not found.
static size_t find(const mustache_scanner *scanner, mustache_slice wanted, size_t from)
{
    const mustache_template *source = scanner->source;
    for (size_t at = from; at + wanted.size <= source->size; at++)
        if (memcmp(source->bytes + at, wanted.bytes, wanted.size) == 0)
            return at;
    return source->size;
}

// Offsets must ascend, so that the template is counted only once.
static mustache_place place_of(mustache_scanner *scanner, size_t offset)
{
    assert(offset >= scanner->counted && offset <= scanner->source->size);
    for (; scanner->counted < offset; scanner->counted++) {
        char byte = scanner->source->bytes[scanner->counted];
        if (byte == '\n') {
            scanner->place.line++;
            scanner->place.column = 1;
        } else if (!utf8_continues(byte)) {
            scanner->place.column++;
        }
    }
    mustache_place place = scanner->place;
    if (place.column > scanner->indentation)
        place.column -= scanner->indentation;
    return place;
}

mustache_scanner mustache_scanner_create(const mustache_template *source, size_t indentation)
{
    return (mustache_scanner){
        .source = source,
        .indentation = indentation,
        .open = DEFAULT_OPEN,
        .close = DEFAULT_CLOSE,
        .place = {1, 1},
    };
}

static bool fail_scan(const mustache_scanner *scanner, mustache_error *error, mustache_place place, const char *message)
{
    *error = (mustache_error){scanner->source->name, place.line, place.column, message, CODE_TEMPLATE_SYNTAX};
    return false;
}

static mustache_kind kind_of(char byte)
{
    switch (byte) {
    case '#':
        return MUSTACHE_SECTION;
    case '^':
        return MUSTACHE_INVERTED;
    case '/':
        return MUSTACHE_CLOSE;
    case '>':
        return MUSTACHE_PARTIAL;
    case '!':
        return MUSTACHE_COMMENT;
    case '=':
        return MUSTACHE_DELIMITERS;
    case '&':
        return MUSTACHE_RAW;
    default:
        return MUSTACHE_VARIABLE;
    }
}

// Reads the tag whose content begins at `inside`, and moves the position after the tag.
static bool scan_tag(mustache_scanner *scanner, mustache_piece *piece, mustache_error *error, size_t inside)
{
    assert(inside <= scanner->source->size);
    const mustache_template *source = scanner->source;
    bool triple = inside < source->size && source->bytes[inside] == '{' && slice_equals(scanner->open, DEFAULT_OPEN);
    size_t begin = inside;
    mustache_slice close = scanner->close;
    piece->kind = MUSTACHE_RAW;
    if (triple) {
        begin++;
        close = (mustache_slice){"}}}", 3};
    }
    while (!triple && begin < source->size && byte_is_space(source->bytes[begin]))
        begin++;
    if (!triple && begin < source->size)
        piece->kind = kind_of(source->bytes[begin]);
    if (!triple && piece->kind != MUSTACHE_VARIABLE && begin < source->size)
        begin++;
    size_t end = find(scanner, close, begin);
    if (end == source->size)
        return fail_scan(scanner, error, piece->place, "unclosed tag");
    piece->name = slice_trim(source_slice(scanner, begin, end));
    scanner->position = end + close.size;
    return true;
}

static bool is_delimiter(mustache_slice slice)
{
    for (size_t i = 0; i < slice.size; i++)
        if (byte_is_space(slice.bytes[i]) || slice.bytes[i] == '=')
            return false;
    return slice.size > 0;
}

// Reads `=OPEN CLOSE=`. The piece's name is the part after the first equals sign.
static bool change_delimiters(mustache_scanner *scanner, const mustache_piece *piece, mustache_error *error)
{
    mustache_slice inside = piece->name;
    bool ends = inside.size > 0 && inside.bytes[inside.size - 1] == '=';
    if (ends) {
        inside.size--;
        inside = slice_trim(inside);
    }
    mustache_slice open = {inside.bytes, 0};
    while (open.size < inside.size && !byte_is_space(inside.bytes[open.size]))
        open.size++;
    mustache_slice close = slice_trim((mustache_slice){inside.bytes + open.size, inside.size - open.size});
    if (!ends || !is_delimiter(open) || !is_delimiter(close))
        return fail_scan(scanner, error, piece->place, "expected {{=OPEN CLOSE=}} to change the delimiters");
    scanner->open = open;
    scanner->close = close;
    return true;
}

// Removes the rest of the line around the tag at `tag` if the tag stands alone on it.
static void strip_line(mustache_scanner *scanner, mustache_piece *piece, size_t tag)
{
    assert(tag < scanner->position);
    const mustache_template *source = scanner->source;
    size_t line = tag;
    while (line > 0 && byte_is_blank(source->bytes[line - 1]))
        line--;
    if (line > 0 && source->bytes[line - 1] != '\n')
        return;
    size_t end = scanner->position;
    while (end < source->size && byte_is_blank(source->bytes[end]))
        end++;
    if (end + 1 < source->size && source->bytes[end] == '\r' && source->bytes[end + 1] == '\n')
        end++;
    if (end < source->size && source->bytes[end] != '\n')
        return;
    piece->indentation = source_slice(scanner, line, tag);
    piece->before.size -= tag - line;
    scanner->position = size_min(end + 1, source->size);
}

bool mustache_scan(mustache_scanner *scanner, mustache_piece *piece, mustache_error *error)
{
    assert(scanner->position <= scanner->source->size);
    size_t tag = find(scanner, scanner->open, scanner->position);
    *piece = (mustache_piece){.before = source_slice(scanner, scanner->position, tag)};
    piece->place = place_of(scanner, tag);
    if (tag == scanner->source->size) {
        scanner->position = tag;
        return true;
    }
    if (!scan_tag(scanner, piece, error, tag + scanner->open.size))
        return false;
    if (piece->kind == MUSTACHE_DELIMITERS && !change_delimiters(scanner, piece, error))
        return false;
    if (piece->kind != MUSTACHE_VARIABLE && piece->kind != MUSTACHE_RAW)
        strip_line(scanner, piece, tag);
    return true;
}

// ---- programs

typedef struct parser {
    arena *arena;
    mustache_program *program;
    mustache_error *error;
    size_t open[MUSTACHE_SECTION_LIMIT]; // token indices of open sections, outermost first
    size_t depth;
} parser;

static bool fail(const parser *parser, mustache_place place, const char *message)
{
    *parser->error =
        (mustache_error){parser->program->template_name, place.line, place.column, message, CODE_TEMPLATE_SYNTAX};
    return false;
}

static mustache_token *append_token(const parser *parser, mustache_kind kind, mustache_place place)
{
    mustache_program *program = parser->program;
    program->tokens =
        arena_grow(parser->arena, program->tokens, program->count, &program->capacity, sizeof *program->tokens);
    mustache_token *token = &program->tokens[program->count++];
    token->kind = kind;
    token->place = place;
    return token;
}

static bool is_name(mustache_slice name)
{
    for (size_t i = 0; i < name.size; i++)
        if (strchr(" \t\r\n", name.bytes[i]) != NULL)
            return false;
    return name.size > 0;
}

static void set_name(const parser *parser, mustache_token *token, mustache_slice name)
{
    assert(name.size > 0 && token->part_count == 0);
    token->name = arena_copy(parser->arena, name.bytes, name.size);
    if (strcmp(token->name, ".") == 0)
        return;
    size_t dots = 0;
    for (size_t i = 0; i < name.size; i++)
        dots += name.bytes[i] == '.';
    token->parts = arena_allocate(parser->arena, (dots + 1) * sizeof *token->parts);
    for (size_t start = 0, end; start <= name.size; start = end + 1) {
        for (end = start; end < name.size && name.bytes[end] != '.';)
            end++;
        const char *part = arena_copy(parser->arena, name.bytes + start, end - start);
        token->parts[token->part_count++] = value_key_create(part);
    }
}

static bool open_section(parser *parser, const mustache_token *section)
{
    if (parser->depth == MUSTACHE_SECTION_LIMIT)
        return fail(parser, section->place,
                    arena_format(parser->arena, "sections nested too deep; at most %d levels are allowed",
                                 MUSTACHE_SECTION_LIMIT));
    assert(section >= parser->program->tokens);
    parser->open[parser->depth++] = (size_t)(section - parser->program->tokens);
    return true;
}

static bool close_section(parser *parser, const mustache_token *close)
{
    if (parser->depth == 0)
        return fail(parser, close->place, arena_format(parser->arena, "section '%s' is not open here", close->name));
    mustache_token *section = &parser->program->tokens[parser->open[--parser->depth]];
    if (strcmp(section->name, close->name) != 0)
        return fail(parser, close->place,
                    arena_format(parser->arena, "closing '%s', but the open section is '%s' of line %zu", close->name,
                                 section->name, section->place.line));
    section->end = (size_t)(close - parser->program->tokens);
    assert(&parser->program->tokens[section->end] > section);
    return true;
}

static bool append_tag(parser *parser, const mustache_piece *piece)
{
    if (piece->kind == MUSTACHE_COMMENT || piece->kind == MUSTACHE_DELIMITERS)
        return true;
    if (!is_name(piece->name))
        return fail(parser, piece->place, "expected one name without spaces in the tag");
    mustache_token *token = append_token(parser, piece->kind, piece->place);
    token->text = piece->indentation;
    set_name(parser, token, piece->name);
    if (piece->kind == MUSTACHE_SECTION || piece->kind == MUSTACHE_INVERTED)
        return open_section(parser, token);
    return piece->kind != MUSTACHE_CLOSE || close_section(parser, token);
}

static mustache_template indent(arena *arena, const mustache_template *source, mustache_slice indentation)
{
    text indented = text_create(arena);
    const char *end = source->bytes + source->size;
    for (const char *line = source->bytes; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        if (next == NULL)
            next = end;
        else
            next++;
        if (*line != '\n' && *line != '\r')
            text_append(&indented, indentation.bytes, indentation.size);
        text_append(&indented, line, (size_t)(next - line));
        line = next;
    }
    return (mustache_template){source->name, indented.bytes, indented.size};
}

bool mustache_parse(arena *arena, const mustache_template *source, mustache_slice indentation,
                    mustache_program *program, mustache_error *error)
{
    mustache_template text = *source;
    if (indentation.size > 0)
        text = indent(arena, source, indentation);
    mustache_scanner scanner = mustache_scanner_create(&text, indentation.size);
    *program = (mustache_program){.template_name = source->name};
    parser parser = {.arena = arena, .program = program, .error = error};
    mustache_piece piece;
    do {
        if (!mustache_scan(&scanner, &piece, error))
            return false;
        if (piece.before.size > 0)
            append_token(&parser, MUSTACHE_TEXT, piece.place)->text = piece.before;
        if (piece.kind != MUSTACHE_END && !append_tag(&parser, &piece))
            return false;
    } while (piece.kind != MUSTACHE_END);
    if (parser.depth == 0)
        return true;
    const mustache_token *section = &program->tokens[parser.open[parser.depth - 1]];
    return fail(&parser, section->place, arena_format(arena, "unclosed section '%s'", section->name));
}
