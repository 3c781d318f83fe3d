// JSON, appended piece by piece: the writer places commas, line breaks and escapes.
#include "generator/base/base.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

// Code points of more than four digits are written as a surrogate pair.
static void append_escape(text *out, uint32_t code_point)
{
    static const char plain[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    const char *found = NULL;
    if (code_point > 0 && code_point < 0x80)
        found = strchr(plain, (int)code_point);
    if (found != NULL)
        text_append_format(out, "\\%c", letters[found - plain]);
    else if (code_point < 0x10000)
        text_append_format(out, "\\u%04x", (unsigned)code_point);
    else
        text_append_format(out, "\\u%04x\\u%04x", (unsigned)(0xD800 + ((code_point - 0x10000) >> 10)),
                           (unsigned)(0xDC00 + (code_point & 0x3FF)));
}

static bool is_plain(char byte)
{
    bool is_visible = byte >= ' ' && byte <= '~';
    return is_visible && byte != '"' && byte != '\\';
}

size_t json_plain_size(const char *bytes, size_t size)
{
    size_t plain = 0;
    while (plain < size && is_plain(bytes[plain]))
        plain++;
    return plain;
}

void writer_append_quoted(text *out, const char *bytes, size_t size)
{
    text_append_string(out, "\"");
    for (const char *end = bytes + size; bytes < end;) {
        size_t plain = json_plain_size(bytes, (size_t)(end - bytes));
        text_append(out, bytes, plain);
        bytes += plain;
        if (bytes == end)
            break;
        utf8_step step = utf8_next(bytes, (size_t)(end - bytes));
        if (step.code_point == UTF8_BROKEN)
            text_append_string(out, "\xEF\xBF\xBD");
        else if (step.code_point == '"' || step.code_point == '\\' || !utf8_is_printable(step.code_point))
            append_escape(out, step.code_point);
        else
            text_append(out, bytes, step.size);
        bytes += step.size;
    }
    text_append_string(out, "\"");
}

static void append_break(const json_writer *writer)
{
    if (writer->line_depth > 0) {
        text_append_string(writer->out, text_if(writer->has_items, " "));
        return;
    }
    text_append_string(writer->out, "\n");
    for (size_t i = 0; i < writer->depth; i++)
        text_append_string(writer->out, "  ");
}

// Writes the separator before an item of the open map or list.
static void begin_item(json_writer *writer)
{
    if (writer->has_key || writer->depth == 0) {
        writer->has_key = false;
        return;
    }
    text_append_string(writer->out, text_if(writer->has_items, ","));
    append_break(writer);
    writer->has_items = true;
}

json_writer writer_begin(text *out)
{
    return (json_writer){.out = out};
}

void writer_end(json_writer *writer)
{
    assert(writer->depth == 0 && !writer->has_key); // 1
    text_append_string(writer->out, "\n");
}

void writer_open(json_writer *writer, char bracket)
{
    begin_item(writer);
    text_append(writer->out, &bracket, 1);
    writer->depth++;
    writer->has_items = false;
}

void writer_open_line(json_writer *writer, char bracket)
{
    writer_open(writer, bracket);
    if (writer->line_depth == 0)
        writer->line_depth = writer->depth;
}

void writer_close(json_writer *writer, char bracket)
{
    assert(writer->depth > 0 && !writer->has_key); // 1, 2
    bool ends_line = writer->line_depth == writer->depth;
    writer->depth--;
    if (writer->has_items && writer->line_depth == 0)
        append_break(writer);
    if (ends_line)
        writer->line_depth = 0;
    text_append(writer->out, &bracket, 1);
    writer->has_items = true;
}

void writer_key(json_writer *writer, const char *key)
{
    assert(writer->depth > 0 && !writer->has_key); // 2
    begin_item(writer);
    writer_append_quoted(writer->out, key, strlen(key));
    text_append_string(writer->out, ": ");
    writer->has_key = true;
}

void writer_text(json_writer *writer, const char *text)
{
    if (text == NULL) {
        writer_null(writer);
        return;
    }
    begin_item(writer);
    writer_append_quoted(writer->out, text, strlen(text));
}

void writer_number(json_writer *writer, const char *digits)
{
    begin_item(writer);
    text_append_string(writer->out, digits);
}

void writer_bool(json_writer *writer, bool boolean)
{
    static const char *const words[] = {"false", "true"};
    writer_number(writer, words[boolean]);
}

void writer_count(json_writer *writer, uint64_t count)
{
    begin_item(writer);
    text_append_format(writer->out, "%" PRIu64, count);
}

void writer_null(json_writer *writer)
{
    writer_number(writer, "null");
}

void writer_set_text(json_writer *writer, const char *key, const char *text)
{
    writer_key(writer, key);
    writer_text(writer, text);
}

void writer_set_bool(json_writer *writer, const char *key, bool boolean)
{
    writer_key(writer, key);
    writer_bool(writer, boolean);
}

void writer_set_count(json_writer *writer, const char *key, uint64_t count)
{
    writer_key(writer, key);
    writer_count(writer, count);
}

void writer_set_positive(json_writer *writer, const char *key, uint64_t count)
{
    writer_key(writer, key);
    if (count == 0)
        writer_null(writer);
    else
        writer_count(writer, count);
}

void writer_set_number(json_writer *writer, const char *key, const char *digits)
{
    writer_key(writer, key);
    if (digits == NULL)
        writer_null(writer);
    else
        writer_number(writer, digits);
}

void writer_set_open(json_writer *writer, const char *key, char bracket)
{
    writer_key(writer, key);
    writer_open(writer, bracket);
}

void writer_set_open_line(json_writer *writer, const char *key, char bracket)
{
    writer_key(writer, key);
    writer_open_line(writer, bracket);
}
