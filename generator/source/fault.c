// What is wrong with text that libyaml refuses, in words for a schema, and where.
#include "generator/source/internal.h"

#include "generator/base/base.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

// ---- the place of a fault

span fault_byte(const fault *fault, size_t offset)
{
    assert(offset <= fault->source->size);
    return (span){fault->source, offset, size_min(offset + 1, fault->source->size)};
}

span fault_line(const source *source, size_t offset)
{
    return source_line(source, source_position_of(source, offset).line);
}

span fault_trimmed(span span)
{
    assert(span.start <= span.end && span.end <= span.source->size);
    const char *bytes = span.source->bytes;
    for (size_t offset = span.start; offset + 1 < span.end; offset++)
        if (byte_is_space(bytes[offset]) && bytes[offset + 1] == '#')
            span.end = offset;
    while (span.start < span.end && byte_is_space(bytes[span.start]))
        span.start++;
    if (span.start < span.end && bytes[span.start] == '#')
        span.end = span.start;
    while (span.end > span.start && byte_is_space(bytes[span.end - 1]))
        span.end--;
    return span;
}

// Returns whether the byte is a colon that ends a key: one before a space, or the last byte.
static bool ends_key(span span, size_t offset)
{
    const char *bytes = span.source->bytes;
    bool is_last = offset + 1 == span.end;
    return bytes[offset] == ':' && (is_last || byte_is_space(bytes[offset + 1]));
}

size_t fault_key_end(span span)
{
    size_t offset = span.start;
    while (offset < span.end && !ends_key(span, offset))
        offset++;
    return offset;
}

span fault_line_before(const source *source, size_t offset)
{
    for (size_t line = source_position_of(source, offset).line - 1; line > 0; line--) {
        span text = fault_trimmed(source_line(source, line));
        if (text.start < text.end)
            return text;
    }
    return (span){source, 0, 0};
}

int fault_length(span span)
{
    assert(span.start <= span.end);
    return (int)(span.end - span.start);
}

const char *fault_text(span span)
{
    return span.source->bytes + span.start;
}

// ---- the fault

// ---- mappings and lists

enum { KEY_LIMIT = 1024 };

// Returns the first word of a line, up to a space or colon; a quoted word includes its quotes. Empty if the quote is
// not closed on the line.
static span first_word(span text)
{
    assert(text.start <= text.end);
    const char *bytes = text.source->bytes;
    span word = {text.source, text.start, text.start};
    if (text.start < text.end && (bytes[text.start] == '"' || bytes[text.start] == '\'')) {
        const char *close = memchr(bytes + text.start + 1, bytes[text.start], text.end - text.start - 1);
        if (close != NULL)
            word.end = (size_t)(close - bytes) + 1;
        return word;
    }
    while (word.end < text.end && bytes[word.end] != ' ' && bytes[word.end] != ':')
        word.end++;
    return word;
}

// `text` is a line without the colon of its key.
static void report_missing_colon(const fault *fault, span text)
{
    span key = first_word(text);
    if (key.start == key.end && text.start < text.end)
        diagnostic_error(fault->diagnostics, CODE_UNCLOSED_QUOTE, fault_byte(fault, text.start), "unclosed quote");
    else if (key.end < text.end && fault->source->bytes[key.end] == ':')
        diagnostic_error(fault->diagnostics, CODE_MISSING_SPACE, text, "missing space after '%.*s:'", fault_length(key),
                         fault_text(key));
    else
        diagnostic_error(fault->diagnostics, CODE_MISSING_COLON, key, "missing ':' after '%.*s'", fault_length(key),
                         fault_text(key));
}

// libyaml does not search further than that for the colon of a key.
static bool fault_report_long_key(const fault *fault)
{
    const char *bytes = fault->source->bytes;
    span line = fault_line(fault->source, fault->at);
    span key = {fault->source, fault->at, fault->at};
    if (fault->at == fault->source->size || bytes[fault->at] != ':')
        return false;
    while (key.start > line.start && strchr(",{[", bytes[key.start - 1]) == NULL)
        key.start--;
    key = fault_trimmed(key);
    if (utf8_count(bytes + key.start, key.end - key.start) <= KEY_LIMIT)
        return false;
    diagnostic_error(fault->diagnostics, CODE_TEXT_TOO_LONG, key, "key is too long; at most %d characters are allowed",
                     KEY_LIMIT);
    return true;
}

static bool is_list_item(span line)
{
    assert(line.start < line.end);
    const char *bytes = line.source->bytes;
    return bytes[line.start] == '-' && byte_is_space(bytes[line.start + 1]);
}

static void fault_report_second_colon(const fault *fault)
{
    span line = fault_trimmed(fault_line(fault->source, fault->at));
    size_t end = fault_key_end(line);
    if (end < fault->at) {
        diagnostic_error(fault->diagnostics, CODE_SECOND_COLON, fault_byte(fault, fault->at),
                         "second ':' on this line");
        diagnostic_hint(fault->diagnostics, "quote a scalar that contains ': '");
        return;
    }
    span before = fault_line_before(fault->source, line.start);
    if (fault_key_end(before) == before.end && before.start < before.end && !is_list_item(before)) {
        report_missing_colon(fault, before);
        return;
    }
    span key = {fault->source, line.start, end};
    diagnostic_error(fault->diagnostics, CODE_INDENTATION, key,
                     "'%.*s' is indented below a key that already has a value", fault_length(key), fault_text(key));
}

static void fault_report_key_without_colon(const fault *fault)
{
    span line = fault_line(fault->source, fault->context);
    report_missing_colon(fault, fault_trimmed((span){fault->source, fault->context, line.end}));
}

// Returns whether the error is a line indented below a line without its colon, with a comment between them.
static bool follows_missing_colon(span line, span before)
{
    size_t column = source_position_of(line.source, line.start).column;
    return before.start < before.end && fault_key_end(before) == before.end && fault_key_end(line) < line.end &&
           source_position_of(before.source, before.start).column < column;
}

static void fault_report_unexpected(const fault *fault)
{
    span line = fault_trimmed(fault_line(fault->source, fault->at));
    char byte = fault->source->bytes[fault->at];
    span rest = {fault->source, fault->at, size_max(fault->at, line.end)};
    if (byte == ']' || byte == '}')
        diagnostic_error(fault->diagnostics, CODE_STRAY_BRACKET, fault_byte(fault, fault->at), "unmatched '%c'", byte);
    else if (byte == ':')
        diagnostic_error(fault->diagnostics, CODE_MISSING_KEY, fault_byte(fault, fault->at), "missing key before ':'");
    else if (byte == '-' && fault->at == line.start)
        diagnostic_error(fault->diagnostics, CODE_LIST_PLACE, rest, "expected a key, found a list item");
    else if (fault->at == line.start && follows_missing_colon(line, fault_line_before(fault->source, line.start)))
        report_missing_colon(fault, fault_line_before(fault->source, line.start));
    else if (fault->at == line.start)
        diagnostic_error(fault->diagnostics, CODE_INDENTATION, rest, "indentation matches no line above");
    else
        diagnostic_error(fault->diagnostics, CODE_UNEXPECTED, rest,
                         "unexpected content; is a ',', a line break or a pair of quotes missing?");
}

static void fault_report_list_on_key_line(const fault *fault)
{
    diagnostic_error(fault->diagnostics, CODE_LIST_PLACE, fault_byte(fault, fault->at),
                     "list begins on the line of its key");
    diagnostic_hint(fault->diagnostics, "write [a, b], or begin '- ' on the next line");
}

static void fault_report_key_in_list(const fault *fault)
{
    span line = fault_trimmed(fault_line(fault->source, fault->at));
    diagnostic_error(fault->diagnostics, CODE_LIST_PLACE, (span){fault->source, fault->at, line.end},
                     "expected a list item that begins with '- '");
}

// Reports a quoted scalar over several lines that ends at the error: its missing end quote made it include the lines
// between. Returns false if there is no such scalar.
static bool fault_report_swallowing_quote(const fault *fault)
{
    span text = fault->surroundings.text;
    if (text.source == NULL || fault->at < text.end || fault->at == fault->source->size)
        return false;
    span between = {fault->source, text.end, fault->at};
    bool is_beside = fault_line(fault->source, text.end).end > fault->at;
    between = fault_trimmed(between);
    if (!is_beside || between.start < between.end)
        return false;
    if (fault->surroundings.is_reported)
        return true;
    diagnostic_error(fault->diagnostics, CODE_UNCLOSED_QUOTE, fault_byte(fault, text.start), "unclosed quote");
    diagnostic_note(fault->diagnostics, fault_byte(fault, text.end - 1),
                    "the quoted scalar ends here, before more content");
    return true;
}

// ---- all faults

static void report_tab_or_character(const fault *fault)
{
    span place = fault_byte(fault, fault->at);
    char byte = fault->source->bytes[fault->at];
    if (byte == '\t')
        diagnostic_error(fault->diagnostics, CODE_TAB, place, "tab used for indentation; use spaces");
    else
        diagnostic_error(fault->diagnostics, CODE_QUOTES_NEEDED, place,
                         "'%c' cannot begin a plain scalar; quote the whole scalar", byte);
}

// Reports `float[4]` inside braces: YAML ends the scalar at the bracket.
static bool report_bracket_in_text(const fault *fault)
{
    const char *bytes = fault->source->bytes;
    size_t start = fault->at;
    size_t end = start;
    if (bytes[start] != '[' || start == 0 || byte_is_space(bytes[start - 1]))
        return false;
    while (start > 0 && strchr(" \t\r\n,{[:", bytes[start - 1]) == NULL)
        start--;
    while (end < fault->source->size && strchr(" \t\r\n,}", bytes[end]) == NULL)
        end++;
    span word = {fault->source, start, end};
    diagnostic_error(fault->diagnostics, CODE_QUOTES_NEEDED, word,
                     "a scalar that contains a bracket needs quotes inside '{ }' and '[ ]'");
    diagnostic_hint(fault->diagnostics, "write \"%.*s\"", fault_length(word), fault_text(word));
    return true;
}

// Returns the bracket that closes one.
static char closing(char open)
{
    if (open == '[')
        return ']';
    return '}';
}

static void report_unclosed(const fault *fault, size_t offset)
{
    char open = fault->source->bytes[offset];
    diagnostic_error(fault->diagnostics, CODE_UNCLOSED_BRACKET, fault_byte(fault, offset), "unclosed '%c'", open);
    diagnostic_note(fault->diagnostics, fault_byte(fault, fault->at), "missing ',' or '%c' before this", closing(open));
}

// Returns whether the error is at a closing bracket or at the end of the document.
static bool is_at_end(const fault *fault)
{
    const char *bytes = fault->source->bytes;
    size_t at = fault->at;
    bool is_line_start = at == 0 || bytes[at - 1] == '\n';
    return at == fault->source->size || strchr("]}", bytes[at]) != NULL ||
           (is_line_start && (strncmp(bytes + at, "---", 3) == 0 || strncmp(bytes + at, "...", 3) == 0));
}

static void report_unexpected(const fault *fault)
{
    const char *bytes = fault->source->bytes;
    diagnostic_error(fault->diagnostics, CODE_UNEXPECTED, fault_byte(fault, fault->at),
                     "missing ',' or '%c' before this", closing(bytes[fault->context]));
    if (bytes[fault->at] == ':')
        diagnostic_hint(fault->diagnostics, "quote a scalar that contains ': '");
}

static void report_unclosed_bracket(const fault *fault)
{
    const source *source = fault->source;
    size_t line = source_position_of(source, fault->at).line;
    if (report_bracket_in_text(fault))
        return;
    if (is_at_end(fault) || line != source_position_of(source, fault->context).line)
        report_unclosed(fault, fault->context);
    else
        report_unexpected(fault);
}

static void report_missing_value(const fault *fault)
{
    span place = fault_byte(fault, fault->at);
    char byte = fault->source->bytes[fault->at];
    if (fault->surroundings.open.source != NULL && is_at_end(fault)) {
        report_unclosed(fault, fault->surroundings.open.start);
    } else if (byte == '-') {
        diagnostic_error(fault->diagnostics, CODE_LIST_PLACE, place, "'- ' is not allowed inside '[ ]' and '{ }'");
        diagnostic_hint(fault->diagnostics, "write the list as [a, b]");
    } else if (byte == ']' || byte == '}') {
        diagnostic_error(fault->diagnostics, CODE_STRAY_BRACKET, place, "unmatched '%c'", byte);
    } else if (byte == ':') {
        diagnostic_error(fault->diagnostics, CODE_UNEXPECTED, place, "missing key before this");
    } else {
        diagnostic_error(fault->diagnostics, CODE_UNEXPECTED, place, "missing value before this");
    }
}

static void report_unclosed_quote(const fault *fault)
{
    diagnostic_error(fault->diagnostics, CODE_UNCLOSED_QUOTE, fault_byte(fault, fault->context), "unclosed quote");
}

static void report_escape(const fault *fault)
{
    span place = fault_byte(fault, fault->at);
    if (place.end < fault->source->size)
        place.end += utf8_next(fault->source->bytes + place.end, fault->source->size - place.end).size;
    diagnostic_error(fault->diagnostics, CODE_ESCAPE, place, "unknown escape '%.*s'", fault_length(place),
                     fault_text(place));
    diagnostic_hint(fault->diagnostics, "write '\\\\' for a backslash");
}

// Returns the backslash and the letter after which libyaml stopped.
static span escape_before(const fault *fault)
{
    size_t start = fault->at;
    if (start >= 2)
        start -= 2;
    return (span){fault->source, start, fault->at};
}

static void report_escape_digits(const fault *fault)
{
    span place = escape_before(fault);
    char letter = fault->source->bytes[place.start + 1];
    int digits = 8;
    if (letter == 'x')
        digits = 2;
    if (letter == 'u')
        digits = 4;
    diagnostic_error(fault->diagnostics, CODE_ESCAPE, place, "'\\%c' requires %d hexadecimal digits", letter, digits);
    diagnostic_hint(fault->diagnostics, "write '\\\\' for a backslash");
}

static void report_escape_of_nothing(const fault *fault)
{
    span place = escape_before(fault);
    while (place.end < fault->source->size && place.end < fault->at + 8 &&
           strchr("0123456789abcdefABCDEF", place.source->bytes[place.end]) != NULL)
        place.end++;
    diagnostic_error(fault->diagnostics, CODE_ESCAPE, place, "'%.*s' is not a valid character", fault_length(place),
                     fault_text(place));
    diagnostic_hint(fault->diagnostics, "write the character itself");
}

static span word_at(const fault *fault, size_t offset)
{
    assert(offset <= fault->source->size);
    span word = fault_byte(fault, offset);
    while (word.end < fault->source->size && strchr(" \t\r\n,[]{}", fault->source->bytes[word.end]) == NULL)
        word.end++;
    return word;
}

static void report_property(const fault *fault)
{
    const char *bytes = fault->source->bytes;
    size_t offset = fault->context;
    if (bytes[offset] != '!' && bytes[fault->at] == '!')
        offset = fault->at;
    char byte = bytes[offset];
    diagnostic_code code = CODE_ANCHOR;
    if (byte == '!')
        code = CODE_TAG;
    const char *what = "tags";
    if (byte == '&')
        what = "anchors";
    if (byte == '*')
        what = "aliases";
    diagnostic_error(fault->diagnostics, code, word_at(fault, offset), "%s are not supported", what);
    diagnostic_hint(fault->diagnostics, "quote a scalar that begins with '%c'", byte);
}

static void report_block_head(const fault *fault)
{
    span rest = fault_trimmed((span){fault->source, fault->at, fault_line(fault->source, fault->at).end});
    char byte = fault->source->bytes[fault->context];
    diagnostic_error(fault->diagnostics, CODE_BLOCK_TEXT, rest, "unexpected content after '%c'", byte);
    diagnostic_hint(fault->diagnostics, "begin the text on the next line, or quote it");
}

static void report_block_indentation(const fault *fault)
{
    diagnostic_error(fault->diagnostics, CODE_BLOCK_TEXT, fault_byte(fault, fault->at),
                     "indentation of a block scalar must be 1 to 9, found 0");
}

static void report_question_mark(const fault *fault)
{
    diagnostic_error(fault->diagnostics, CODE_ODD_KEY, fault_byte(fault, fault->at),
                     "'?' before a key is not supported; write the key alone");
}

static void report_missing_space(const fault *fault)
{
    span place = {fault->source, fault->context, fault_byte(fault, fault->at).end};
    diagnostic_error(fault->diagnostics, CODE_MISSING_SPACE, place, "missing space after '%.*s'", fault_length(place),
                     fault_text(place));
}

static void report_second_document(const fault *fault)
{
    span line = fault_trimmed(fault_line(fault->source, fault->at));
    span before = fault_line_before(fault->source, fault->at);
    if (fault->source->bytes[before.start] == '%')
        diagnostic_error(fault->diagnostics, CODE_SECOND_DOCUMENT, line,
                         "missing '---' between the directive and the schema");
    else
        diagnostic_error(fault->diagnostics, CODE_SECOND_DOCUMENT, line,
                         "content after the end of the document; a schema is one document");
}

// tree_scan rejects directives before libyaml sees them.
static void report_directive(const fault *fault)
{
    diagnostic_error(fault->diagnostics, CODE_DIRECTIVE, fault_line(fault->source, fault->at),
                     "directives are not supported");
}

// tree_scan rejects these bytes before libyaml sees them.
static void report_bytes(const fault *fault)
{
    diagnostic_error(fault->diagnostics, CODE_ENCODING, fault_byte(fault, fault->at), "invalid UTF-8 from here");
}

static const struct {
    const char *problem;
    void (*report)(const fault *fault);
} translations[] = {
    {"found character that cannot start any token", report_tab_or_character},
    {"found a tab character that violates indentation", report_tab_or_character},
    {"found a tab character where an indentation space is expected", report_tab_or_character},
    {"mapping values are not allowed in this context", fault_report_second_colon},
    {"mapping keys are not allowed in this context", report_question_mark},
    {"could not find expected ':'", fault_report_key_without_colon},
    {"did not find expected key", fault_report_unexpected},
    {"did not find expected ',' or ']'", report_unclosed_bracket},
    {"did not find expected ',' or '}'", report_unclosed_bracket},
    {"found unexpected end of stream", report_unclosed_quote},
    {"found unexpected document indicator", report_unclosed_quote},
    {"block sequence entries are not allowed in this context", fault_report_list_on_key_line},
    {"did not find expected '-' indicator", fault_report_key_in_list},
    {"found unknown escape character", report_escape},
    {"did not find expected hexdecimal number", report_escape_digits},
    {"found invalid Unicode character escape code", report_escape_of_nothing},
    {"did not find expected node content", report_missing_value},
    {"did not find expected <document start>", report_second_document},
    {"found unexpected ':'", report_missing_space},
    {"did not find expected comment or line break", report_block_head},
    {"found an indentation indicator equal to 0", report_block_indentation},
    {"did not find expected alphabetic or numeric character", report_property},
    {"did not find the expected '>'", report_property},
    {"did not find expected whitespace or line break", report_property},
    {"did not find expected '!'", report_property},
    {"did not find expected tag URI", report_property},
    {"did not find URI escaped octet", report_property},
    {"found an incorrect leading UTF-8 octet", report_property},
    {"found an incorrect trailing UTF-8 octet", report_property},
    {"found undefined tag handle", report_property},
    {"found unknown directive name", report_directive},
    {"could not find expected directive name", report_directive},
    {"found unexpected non-alphabetical character", report_directive},
    {"did not find expected digit or '.' character", report_directive},
    {"found extremely long version number", report_directive},
    {"did not find expected version number", report_directive},
    {"did not find expected whitespace", report_directive},
    {"found duplicate %YAML directive", report_directive},
    {"found incompatible YAML document", report_directive},
    {"found duplicate %TAG directive", report_directive},
    {"invalid leading UTF-8 octet", report_bytes},
    {"incomplete UTF-8 octet sequence", report_bytes},
    {"invalid trailing UTF-8 octet", report_bytes},
    {"invalid length of a UTF-8 sequence", report_bytes},
    {"invalid Unicode character", report_bytes},
    {"incomplete UTF-16 character", report_bytes},
    {"unexpected low surrogate area", report_bytes},
    {"incomplete UTF-16 surrogate pair", report_bytes},
    {"expected low surrogate area", report_bytes},
    {"control characters are not allowed", report_bytes},
};

static void translate(const fault *fault, const char *problem)
{
    assert(fault->at <= fault->source->size && fault->context <= fault->source->size);
    for (size_t i = 0; i < sizeof translations / sizeof translations[0] && problem != NULL; i++) {
        if (strcmp(translations[i].problem, problem) == 0) {
            translations[i].report(fault);
            return;
        }
    }
    diagnostic_error(fault->diagnostics, CODE_UNEXPECTED, fault_byte(fault, fault->at), "invalid YAML");
}

void tree_report_fault(diagnostics *diagnostics, const yaml_parser_t *parser, const source *source,
                       tree_surroundings surroundings)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        diagnostic_system_error(diagnostics, CODE_FILE_UNREADABLE, "out of memory while reading '%s'", source->path);
        return;
    }
    tree_cursor cursor = tree_cursor_begin(source);
    fault fault = {.diagnostics = diagnostics, .source = source, .surroundings = surroundings};
    fault.at = tree_cursor_move(&cursor, parser->problem_mark.index);
    fault.context = tree_cursor_move(&cursor, parser->context_mark.index);
    if (parser->error == YAML_READER_ERROR)
        fault.at = size_min(parser->problem_offset, source->size);
    if (!fault_report_swallowing_quote(&fault) && !fault_report_long_key(&fault))
        translate(&fault, parser->problem);
}
