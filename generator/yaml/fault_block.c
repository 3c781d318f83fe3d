// Faults in blocks: keys without a colon or with two, indentation that fits nothing, lists among keys.
#include "base/utf8.h"
#include "yaml/private/fault_place.h"

#include <string.h>

enum { KEY_LIMIT = 1024 };

// The word that a line begins with, up to a blank or a colon; a quoted one with its quotes. Empty when the quote is not
// closed on the line.
static span first_word(span text)
{
    const char *bytes = text.source->bytes;
    span word = {text.source, text.start, text.start};
    if (text.start < text.end && (bytes[text.start] == '"' || bytes[text.start] == '\'')) {
        const char *close = memchr(bytes + text.start + 1, bytes[text.start], text.end - text.start - 1);
        word.end = close == NULL ? text.start : (size_t)(close - bytes) + 1;
        return word;
    }
    while (word.end < text.end && bytes[word.end] != ' ' && bytes[word.end] != ':')
        word.end++;
    return word;
}

// `text` is a line that should have been a key.
static void report_missing_colon(const fault *fault, span text)
{
    span key = first_word(text);
    if (key.start == key.end && text.start < text.end)
        diagnostic_error(fault->diagnostics, CODE_UNCLOSED_QUOTE, fault_byte(fault, text.start),
                         "this quote is not closed");
    else if (key.end < text.end && fault->source->bytes[key.end] == ':')
        diagnostic_error(fault->diagnostics, CODE_MISSING_SPACE, text, "missing space after '%.*s:'", fault_length(key),
                         fault_text(key));
    else
        diagnostic_error(fault->diagnostics, CODE_MISSING_COLON, key, "missing ':' after '%.*s'", fault_length(key),
                         fault_text(key));
}

// libyaml looks no further than that for the colon of a key.
bool fault_report_long_key(const fault *fault)
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
    diagnostic_error(fault->diagnostics, CODE_TEXT_TOO_LONG, key, "a key of over %d characters stands here", KEY_LIMIT);
    return true;
}

static bool is_list_item(span line)
{
    const char *bytes = line.source->bytes;
    return bytes[line.start] == '-' && fault_is_space(bytes[line.start + 1]);
}

void fault_report_second_colon(const fault *fault)
{
    span line = fault_trimmed(fault_line(fault->source, fault->at));
    size_t end = fault_key_end(line);
    if (end < fault->at) {
        diagnostic_error(fault->diagnostics, CODE_SECOND_COLON, fault_byte(fault, fault->at),
                         "a second ':' stands on this line");
        diagnostic_hint(fault->diagnostics, "put quotes around a text that holds ': '");
        return;
    }
    span before = fault_line_before(fault->source, line.start);
    if (fault_key_end(before) == before.end && before.start < before.end && !is_list_item(before)) {
        report_missing_colon(fault, before);
        return;
    }
    span key = {fault->source, line.start, end};
    diagnostic_error(fault->diagnostics, CODE_INDENTATION, key,
                     "'%.*s' is indented below a line that has its value already", fault_length(key), fault_text(key));
}

void fault_report_key_without_colon(const fault *fault)
{
    span line = fault_line(fault->source, fault->context);
    report_missing_colon(fault, fault_trimmed((span){fault->source, fault->context, line.end}));
}

// Whether the fault is a line that is indented below one that should have been a key, with a comment between.
static bool follows_missing_colon(span line, span before)
{
    size_t column = source_position_of(line.source, line.start).column;
    return before.start < before.end && fault_key_end(before) == before.end && fault_key_end(line) < line.end &&
           source_position_of(before.source, before.start).column < column;
}

void fault_report_unexpected(const fault *fault)
{
    span line = fault_trimmed(fault_line(fault->source, fault->at));
    char byte = fault->source->bytes[fault->at];
    span rest = {fault->source, fault->at, line.end > fault->at ? line.end : fault->at};
    if (byte == ']' || byte == '}')
        diagnostic_error(fault->diagnostics, CODE_STRAY_BRACKET, fault_byte(fault, fault->at), "'%c' closes nothing",
                         byte);
    else if (byte == ':')
        diagnostic_error(fault->diagnostics, CODE_MISSING_KEY, fault_byte(fault, fault->at),
                         "a key is missing before ':'");
    else if (byte == '-' && fault->at == line.start)
        diagnostic_error(fault->diagnostics, CODE_LIST_PLACE, rest, "a list item stands among keys");
    else if (fault->at == line.start && follows_missing_colon(line, fault_line_before(fault->source, line.start)))
        report_missing_colon(fault, fault_line_before(fault->source, line.start));
    else if (fault->at == line.start)
        diagnostic_error(fault->diagnostics, CODE_INDENTATION, rest,
                         "the indentation of this line fits no line above it");
    else
        diagnostic_error(fault->diagnostics, CODE_UNEXPECTED, rest,
                         "this cannot stand behind what is before it; is a ',', a line break or "
                         "a pair of quotes missing?");
}

void fault_report_list_on_key_line(const fault *fault)
{
    diagnostic_error(fault->diagnostics, CODE_LIST_PLACE, fault_byte(fault, fault->at),
                     "a list cannot begin on the line of its key");
    diagnostic_hint(fault->diagnostics, "write it as [a, b], or begin '- ' on the next line");
}

void fault_report_key_in_list(const fault *fault)
{
    span line = fault_trimmed(fault_line(fault->source, fault->at));
    diagnostic_error(fault->diagnostics, CODE_LIST_PLACE, (span){fault->source, fault->at, line.end},
                     "every line of this list begins with '- '");
}

bool fault_report_swallowing_quote(const fault *fault)
{
    span text = fault->around.text;
    if (text.source == NULL || fault->at < text.end || fault->at == fault->source->size)
        return false;
    span between = {fault->source, text.end, fault->at};
    bool is_beside = fault_line(fault->source, text.end).end > fault->at;
    between = fault_trimmed(between);
    if (!is_beside || between.start < between.end)
        return false;
    if (fault->around.is_told)
        return true;
    diagnostic_error(fault->diagnostics, CODE_UNCLOSED_QUOTE, fault_byte(fault, text.start),
                     "this quote is not closed");
    diagnostic_note(fault->diagnostics, fault_byte(fault, text.end - 1), "it goes on to here, where more follows");
    return true;
}
