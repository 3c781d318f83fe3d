#include "tree_fault.h"

#include "tree_scan.h"
#include "utf8.h"

#include <stdbool.h>
#include <string.h>

typedef struct fault {
    diagnostics *diagnostics;
    const source *source;
    size_t at;      // where libyaml stopped
    size_t context; // what it was reading began here
    const char *problem;
} fault;

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static span one_byte(const fault *fault, size_t offset)
{
    return (span){fault->source, offset, offset < fault->source->size ? offset + 1 : offset};
}

static span line_of(const source *source, size_t offset)
{
    return source_line(source, source_position_of(source, offset).line);
}

// Without blanks around it and without a comment behind it.
static span trimmed(span span)
{
    const char *bytes = span.source->bytes;
    for (size_t offset = span.start; offset + 1 < span.end; offset++)
        if (is_space(bytes[offset]) && bytes[offset + 1] == '#')
            span.end = offset;
    while (span.start < span.end && is_space(bytes[span.start]))
        span.start++;
    if (span.start < span.end && bytes[span.start] == '#')
        span.end = span.start;
    while (span.end > span.start && is_space(bytes[span.end - 1]))
        span.end--;
    return span;
}

// The offset of the first colon that ends a key in the span, or the span's end.
static size_t key_end(span span)
{
    const char *bytes = span.source->bytes;
    size_t offset = span.start;
    while (offset < span.end && !(bytes[offset] == ':' && (offset + 1 == span.end || is_space(bytes[offset + 1]))))
        offset++;
    return offset;
}

// The nearest line before the offset's line that has more than blanks and a comment; empty when there is none.
static span line_before(const source *source, size_t offset)
{
    for (size_t line = source_position_of(source, offset).line - 1; line > 0; line--) {
        span text = trimmed(source_line(source, line));
        if (text.start < text.end)
            return text;
    }
    return (span){source, 0, 0};
}

static int length_of(span span)
{
    return (int)(span.end - span.start);
}

static const char *text_of(span span)
{
    return span.source->bytes + span.start;
}

// `text` is a line that should have been a key.
static void report_missing_colon(const fault *fault, span text)
{
    const char *bytes = fault->source->bytes;
    span key = {fault->source, text.start, text.start};
    while (key.end < text.end && bytes[key.end] != ' ' && bytes[key.end] != ':')
        key.end++;
    if (key.end < text.end && bytes[key.end] == ':') {
        diagnostic_error(fault->diagnostics, text, "missing space after '%.*s:'", length_of(key), text_of(key));
        return;
    }
    diagnostic_error(fault->diagnostics, key, "missing ':' after '%.*s'", length_of(key), text_of(key));
}

static void report_tab_or_character(const fault *fault)
{
    span place = one_byte(fault, fault->at);
    char byte = fault->source->bytes[fault->at];
    if (byte == '\t')
        diagnostic_error(fault->diagnostics, place, "a tab stands in the indentation; YAML allows only spaces there");
    else
        diagnostic_error(fault->diagnostics, place, "'%c' cannot begin a text; put quotes around all of it", byte);
}

static void report_second_colon(const fault *fault)
{
    span line = trimmed(line_of(fault->source, fault->at));
    size_t end = key_end(line);
    if (end < fault->at) {
        diagnostic_error(fault->diagnostics, one_byte(fault, fault->at), "a second ':' stands on this line");
        diagnostic_hint(fault->diagnostics, "put quotes around a text that holds ': '");
        return;
    }
    span before = line_before(fault->source, line.start);
    if (key_end(before) == before.end && before.start < before.end) {
        report_missing_colon(fault, before);
        return;
    }
    span key = {fault->source, line.start, end};
    diagnostic_error(fault->diagnostics, key, "'%.*s' is indented below a line that has its value already",
                     length_of(key), text_of(key));
}

static void report_key_without_colon(const fault *fault)
{
    span line = line_of(fault->source, fault->context);
    report_missing_colon(fault, trimmed((span){fault->source, fault->context, line.end}));
}

// Whether the fault is a line that is indented below one that should have been a key, with a comment between.
static bool follows_missing_colon(span line, span before)
{
    size_t column = source_position_of(line.source, line.start).column;
    return before.start < before.end && key_end(before) == before.end && key_end(line) < line.end &&
           source_position_of(before.source, before.start).column < column;
}

static void report_unexpected(const fault *fault)
{
    span line = trimmed(line_of(fault->source, fault->at));
    char byte = fault->source->bytes[fault->at];
    span rest = {fault->source, fault->at, line.end > fault->at ? line.end : fault->at};
    if (byte == ']' || byte == '}')
        diagnostic_error(fault->diagnostics, one_byte(fault, fault->at), "'%c' closes nothing", byte);
    else if (byte == ':')
        diagnostic_error(fault->diagnostics, one_byte(fault, fault->at), "a key is missing before ':'");
    else if (byte == '-' && fault->at == line.start)
        diagnostic_error(fault->diagnostics, rest, "a list item stands among keys");
    else if (fault->at == line.start && follows_missing_colon(line, line_before(fault->source, line.start)))
        report_missing_colon(fault, line_before(fault->source, line.start));
    else if (fault->at == line.start)
        diagnostic_error(fault->diagnostics, rest, "the indentation of this line fits no line above it");
    else
        diagnostic_error(fault->diagnostics, rest,
                         "this cannot stand behind what is before it; is a ',', a line break or "
                         "a pair of quotes missing?");
}

// `float[4]` inside braces: YAML ends the text at the bracket.
static bool report_bracket_in_text(const fault *fault)
{
    const char *bytes = fault->source->bytes;
    size_t start = fault->at;
    size_t end = start;
    if (bytes[start] != '[' || start == 0 || is_space(bytes[start - 1]))
        return false;
    while (start > 0 && strchr(" \t\r\n,{[:", bytes[start - 1]) == NULL)
        start--;
    while (end < fault->source->size && strchr(" \t\r\n,}", bytes[end]) == NULL)
        end++;
    span word = {fault->source, start, end};
    diagnostic_error(fault->diagnostics, word, "inside '{ }' and '[ ]' a text with a bracket needs quotes");
    diagnostic_hint(fault->diagnostics, "write \"%.*s\"", length_of(word), text_of(word));
    return true;
}

static void report_unclosed_bracket(const fault *fault)
{
    char open = fault->source->bytes[fault->context];
    char close = open == '[' ? ']' : '}';
    if (report_bracket_in_text(fault))
        return;
    if (source_position_of(fault->source, fault->at).line == source_position_of(fault->source, fault->context).line) {
        diagnostic_error(fault->diagnostics, one_byte(fault, fault->at), "missing ',' or '%c' before this", close);
        return;
    }
    diagnostic_error(fault->diagnostics, one_byte(fault, fault->context), "this '%c' is not closed", open);
    diagnostic_note(fault->diagnostics, one_byte(fault, fault->at), "a ',' or '%c' is missing before this", close);
}

static void report_unclosed_quote(const fault *fault)
{
    diagnostic_error(fault->diagnostics, one_byte(fault, fault->context), "this quote is not closed");
}

static void report_list_on_key_line(const fault *fault)
{
    diagnostic_error(fault->diagnostics, one_byte(fault, fault->at), "a list cannot begin on the line of its key");
    diagnostic_hint(fault->diagnostics, "write it as [a, b], or begin '- ' on the next line");
}

static void report_key_in_list(const fault *fault)
{
    span line = trimmed(line_of(fault->source, fault->at));
    diagnostic_error(fault->diagnostics, (span){fault->source, fault->at, line.end},
                     "every line of this list begins with '- '");
}

static void report_escape(const fault *fault)
{
    span place = one_byte(fault, fault->at);
    if (place.end < fault->source->size)
        place.end += utf8_next(fault->source->bytes + place.end, fault->source->size - place.end).size;
    diagnostic_error(fault->diagnostics, place, "unknown escape '%.*s'", length_of(place), text_of(place));
    diagnostic_hint(fault->diagnostics, "write '\\\\' for a backslash");
}

static void report_missing_value(const fault *fault)
{
    const char *missing = fault->source->bytes[fault->at] == ':' ? "a key is" : "something is";
    diagnostic_error(fault->diagnostics, one_byte(fault, fault->at), "%s missing before this", missing);
}

static void report_second_document(const fault *fault)
{
    span line = trimmed(line_of(fault->source, fault->at));
    diagnostic_error(fault->diagnostics, line, "a schema is one document, and it ends above this line");
}

static void report_anything(const fault *fault)
{
    diagnostic_error(fault->diagnostics, one_byte(fault, fault->at), "this is not YAML: %s", fault->problem);
}

static const struct {
    const char *problem;
    void (*report)(const fault *fault);
} translations[] = {
    {"found character that cannot start any token", report_tab_or_character},
    {"found a tab character that violates indentation", report_tab_or_character},
    {"found a tab character where an indentation space is expected", report_tab_or_character},
    {"mapping values are not allowed in this context", report_second_colon},
    {"could not find expected ':'", report_key_without_colon},
    {"did not find expected key", report_unexpected},
    {"did not find expected ',' or ']'", report_unclosed_bracket},
    {"did not find expected ',' or '}'", report_unclosed_bracket},
    {"found unexpected end of stream", report_unclosed_quote},
    {"found unexpected document indicator", report_unclosed_quote},
    {"block sequence entries are not allowed in this context", report_list_on_key_line},
    {"did not find expected '-' indicator", report_key_in_list},
    {"found unknown escape character", report_escape},
    {"did not find expected node content", report_missing_value},
    {"did not find expected <document start>", report_second_document},
};

void tree_report_fault(diagnostics *diagnostics, const source *source, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        diagnostic_system_error(diagnostics, "out of memory while reading '%s'", source->path);
        return;
    }
    tree_cursor cursor = tree_cursor_begin(source);
    fault fault = {.diagnostics = diagnostics, .source = source, .problem = parser->problem};
    if (fault.problem == NULL)
        fault.problem = "it cannot be read";
    fault.at = tree_cursor_move(&cursor, parser->problem_mark.index);
    fault.context = tree_cursor_move(&cursor, parser->context_mark.index);
    if (parser->error == YAML_READER_ERROR)
        fault.at = parser->problem_offset < source->size ? parser->problem_offset : source->size;
    for (size_t i = 0; i < sizeof translations / sizeof translations[0]; i++) {
        if (strcmp(translations[i].problem, fault.problem) == 0) {
            translations[i].report(&fault);
            return;
        }
    }
    report_anything(&fault);
}
