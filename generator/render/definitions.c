// Finds the functions that a C source defines.
#include "generator/render/render.h"

#include "generator/base/base.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

static const char *skip_comment(const char *at)
{
    assert(at[0] == '/' && (at[1] == '/' || at[1] == '*'));
    bool is_line = at[1] == '/';
    const char *end = NULL;
    if (is_line)
        end = strchr(at, '\n');
    else
        end = strstr(at + 2, "*/");
    if (end == NULL)
        return at + strlen(at);
    if (is_line)
        return end;
    return end + 2;
}

// Skips a byte, or two after a backslash: the end of a line or of a quote that it precedes does not end.
static const char *skip_character(const char *at)
{
    if (at[0] == '\\' && at[1] != '\0')
        return at + 2;
    return at + 1;
}

static const char *skip_quoted(const char *at)
{
    assert(*at == '"' || *at == '\'');
    const char quote = *at++;
    while (*at != '\0' && *at != '\n' && *at != quote)
        at = skip_character(at);
    return at + (*at == quote);
}

static const char *skip_directive(const char *at)
{
    assert(*at == '#');
    while (*at != '\0' && *at != '\n')
        at = skip_character(at);
    return at;
}

// Returns the next byte that is code, at or after `at`. A '#' outside of quotes begins a directive.
static const char *skip_blank(const char *at)
{
    while (*at != '\0') {
        if (at[0] == '/' && (at[1] == '/' || at[1] == '*'))
            at = skip_comment(at);
        else if (*at == '#')
            at = skip_directive(at);
        else if (strchr(" \t\r\n\f\v", *at) != NULL)
            at++;
        else
            break;
    }
    return at;
}

// Returns the place after the bracket that closes the one at `at`, or the end of the text.
static const char *skip_brackets(const char *at, char open, char close)
{
    assert(*at == open);
    size_t depth = 0;
    for (at = skip_blank(at); *at != '\0'; at = skip_blank(at)) {
        if (*at == '"' || *at == '\'') {
            at = skip_quoted(at);
            continue;
        }
        depth += *at == open;
        depth -= *at == close;
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

// Returns the end of the token, list or block that begins at `at`. The block of `extern "C" {` is not skipped: its
// content is at file scope.
static const char *skip_token(const char *at, bool is_after_string)
{
    assert(*at != '\0');
    if (*at == '(')
        return skip_brackets(at, '(', ')');
    if (*at == '{' && !is_after_string)
        return skip_brackets(at, '{', '}');
    if (*at == '"' || *at == '\'')
        return skip_quoted(at);
    size_t size = 0;
    while (byte_is_word(at[size]))
        size++;
    return at + size_max(size, 1);
}

static definition_found found(arena *arena, const char *bytes, const char *name, const char *end)
{
    assert(bytes <= name && name < end);
    const char *line = name;
    while (line > bytes && line[-1] != '\n')
        line--;
    return (definition_found){arena_copy(arena, name, strcspn(name, " \t\r\n(/")),
                              arena_copy(arena, line, (size_t)(end - line))};
}

definition_found definitions_next(arena *arena, const char *bytes, const char **at)
{
    assert(bytes <= *at);
    const char *name = NULL; // the token before `place`, if it is a word
    bool is_after_string = false;
    for (const char *place = skip_blank(*at); *place != '\0'; place = skip_blank(place)) {
        const char *token = place;
        place = skip_token(token, is_after_string);
        *at = place;
        if (*token == '(' && name != NULL && *skip_blank(place) == '{')
            return found(arena, bytes, name, place);
        name = NULL;
        if (byte_is_word(*token))
            name = token;
        is_after_string = *token == '"';
    }
    return (definition_found){NULL, NULL};
}
