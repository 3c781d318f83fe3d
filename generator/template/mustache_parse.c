#include "template/private/mustache_parse.h"

#include <assert.h>
#include <string.h>

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
    if (program->count == program->capacity) {
        size_t capacity = program->capacity == 0 ? 32 : 2 * program->capacity;
        mustache_token *tokens = arena_allocate(parser->arena, capacity * sizeof *tokens);
        if (program->count > 0)
            memcpy(tokens, program->tokens, program->count * sizeof *tokens);
        program->tokens = tokens;
        program->capacity = capacity;
    }
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
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *next = newline == NULL ? end : newline + 1;
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
    mustache_template text = indentation.size == 0 ? *source : indent(arena, source, indentation);
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
