#include "query/query.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_letter(char c)
{
    bool is_small = c >= 'a' && c <= 'z';
    bool is_capital = c >= 'A' && c <= 'Z';
    return is_small || is_capital || c == '_';
}

kin__scan kin__scan_begin(const char *text, kin__mistake *mistake)
{
    size_t size = strlen(text);
    kin__scan scan = {.text = text, .mistake = mistake};
    if (size > KIN__QUERY_SIZE) {
        kin__scan_fail(&scan, "a query has at most %d bytes, and this one has %zu", KIN__QUERY_SIZE, size);
        return scan;
    }
    scan.size = (uint32_t)size;
    kin__scan_next(&scan);
    return scan;
}

static uint32_t skip_digits(const kin__scan *scan, uint32_t at)
{
    while (kin__is_digit(scan->text[at]))
        at++;
    return at;
}

// Returns the end of a number, and whether it is an integer.
static uint32_t scan_number(const kin__scan *scan, uint32_t at, bool *is_integer)
{
    at = skip_digits(scan, at + (scan->text[at] == '-'));
    *is_integer = true;
    if (scan->text[at] == '.' && kin__is_digit(scan->text[at + 1])) {
        *is_integer = false;
        at = skip_digits(scan, at + 1);
    }
    uint32_t exponent = at + 1;
    if (scan->text[at] != 'e' && scan->text[at] != 'E')
        return at;
    exponent += scan->text[exponent] == '-' || scan->text[exponent] == '+';
    if (!kin__is_digit(scan->text[exponent]))
        return at;
    *is_integer = false;
    return skip_digits(scan, exponent);
}

// Returns the end of what is in quotes, behind the last one; 0 if that is missing.
static uint32_t scan_quoted(const kin__scan *scan, uint32_t at, char quote)
{
    for (at++; scan->text[at] != '\0' && scan->text[at] != quote; at++) {
        bool is_escape = quote == '"' && scan->text[at] == '\\';
        if (is_escape && scan->text[at + 1] != '\0')
            at++;
    }
    if (scan->text[at] != quote)
        return 0;
    return at + 1;
}

static uint32_t scan_token(kin__scan *scan, uint32_t at)
{
    char c = scan->text[at];
    bool is_integer = false;
    if (is_letter(c)) {
        scan->token.kind = KIN__TOKEN_NAME;
        while (is_letter(scan->text[at]) || kin__is_digit(scan->text[at]))
            at++;
        return at;
    }
    bool is_negative = c == '-' && kin__is_digit(scan->text[at + 1]);
    if (is_negative || kin__is_digit(c)) {
        at = scan_number(scan, at, &is_integer);
        scan->token.kind = is_integer ? KIN__TOKEN_INTEGER : KIN__TOKEN_NUMBER;
        return at;
    }
    switch (c) {
    case '`':
        scan->token.kind = KIN__TOKEN_NAME;
        scan->token.is_quoted = true;
        return scan_quoted(scan, at, c);
    case '"':
        scan->token.kind = KIN__TOKEN_STRING;
        return scan_quoted(scan, at, c);
    default:
        scan->token.kind = KIN__TOKEN_MARK;
        static const char *const pairs[] = {"==", "!=", "<=", ">="};
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            if (strncmp(scan->text + at, pairs[i], 2) == 0)
                return at + 2;
        return at + 1;
    }
}

void kin__scan_next(kin__scan *scan)
{
    uint32_t at = scan->token.at + scan->token.length;
    KIN_ASSERT(at <= scan->size);
    while (at < scan->size && strchr(" \t\r\n", scan->text[at]) != NULL)
        at++;
    scan->token = (kin__token){.kind = KIN__TOKEN_END, .at = at};
    if (at >= scan->size)
        return;
    uint32_t end = scan_token(scan, at);
    if (end > 0) {
        scan->token.length = end - at;
        return;
    }
    scan->token.length = scan->size - at;
    kin__scan_fail(scan, "the closing quote is missing");
}

bool kin__scan_is(const kin__scan *scan, const char *word)
{
    bool is_plain_name = scan->token.kind == KIN__TOKEN_NAME && !scan->token.is_quoted;
    if (!is_plain_name && scan->token.kind != KIN__TOKEN_MARK)
        return false;
    return scan->token.length == strlen(word) && strncmp(scan->text + scan->token.at, word, scan->token.length) == 0;
}

bool kin__scan_accept(kin__scan *scan, const char *word)
{
    if (!kin__scan_is(scan, word))
        return false;
    kin__scan_next(scan);
    return true;
}

static bool is_word_of(const kin__scan *scan, const char *word)
{
    if (scan->token.kind != KIN__TOKEN_NAME || scan->token.is_quoted)
        return false;
    return scan->token.length == strlen(word) &&
           strncasecmp(scan->text + scan->token.at, word, scan->token.length) == 0;
}

const char *kin__scan_hint(const kin__scan *scan)
{
    if (is_word_of(scan, "and"))
        return "; write & for it";
    if (is_word_of(scan, "or"))
        return "; write | for it";
    if (scan->token.kind == KIN__TOKEN_MARK && scan->text[scan->token.at] == '\'')
        return "; texts need double quotes";
    return "";
}

bool kin__scan_expect(kin__scan *scan, const char *word)
{
    if (kin__scan_accept(scan, word))
        return true;
    if (scan->token.kind == KIN__TOKEN_END)
        return kin__scan_fail(scan, "expected '%s' at the end", word);
    return kin__scan_fail(scan, "expected '%s'%s", word, kin__scan_hint(scan));
}

void kin__scan_copy(const kin__scan *scan, char *text, size_t size)
{
    KIN_ASSERT(size > 0 && scan->token.at + scan->token.length <= scan->size);
    bool is_quoted = scan->token.kind == KIN__TOKEN_STRING || scan->token.is_quoted;
    const char *at = scan->text + scan->token.at + is_quoted;
    const char *end = scan->text + scan->token.at + scan->token.length - is_quoted;
    size_t used = 0;
    for (; at < end && used + 1 < size; at++) {
        if (scan->token.kind == KIN__TOKEN_STRING && *at == '\\')
            at++;
        text[used++] = *at;
    }
    text[used] = '\0';
}

static bool fail(kin__scan *scan, kin__token token, const char *format, va_list arguments)
{
    if (scan->mistake->code == 0) {
        scan->mistake->code = -32602;
        scan->mistake->at = token.at;
        scan->mistake->length = token.length;
        vsnprintf(scan->mistake->message, sizeof scan->mistake->message, format, arguments);
    }
    return false;
}

bool kin__scan_fail(kin__scan *scan, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(scan, scan->token, format, arguments);
    va_end(arguments);
    return false;
}

bool kin__scan_fail_at(kin__scan *scan, kin__token token, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(scan, token, format, arguments);
    va_end(arguments);
    return false;
}

// ---- suggestions

kin__suggest kin__suggest_begin(const char *wanted, kin__mistake *mistake)
{
    KIN_ASSERT(wanted != NULL && mistake != NULL);
    kin__suggest suggest = {.wanted = wanted, .mistake = mistake};
    for (size_t i = 0; i < KIN__MEANT; i++) {
        suggest.distances[i] = UINT32_MAX;
        mistake->meant[i][0] = '\0';
    }
    return suggest;
}

void kin__suggest_offer(kin__suggest *suggest, const char *name)
{
    KIN_ASSERT(name != NULL);
    uint32_t far = kin__word_distance(suggest->wanted, name);
    if (far > kin__word_distance_limit(suggest->wanted))
        return;
    for (size_t i = 0; i < KIN__MEANT; i++) {
        if (far >= suggest->distances[i])
            continue;
        char(*meant)[KIN__MEANT_SIZE] = &suggest->mistake->meant[i];
        size_t behind = KIN__MEANT - 1 - i;
        memmove(&suggest->distances[i + 1], &suggest->distances[i], behind * sizeof *suggest->distances);
        memmove(meant + 1, meant, behind * sizeof *meant);
        suggest->distances[i] = far;
        snprintf(*meant, sizeof *meant, "%s", name); // longer names are never near
        return;
    }
}
