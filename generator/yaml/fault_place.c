#include "yaml/private/fault_place.h"

bool fault_is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

span fault_byte(const fault *fault, size_t offset)
{
    return (span){fault->source, offset, offset < fault->source->size ? offset + 1 : offset};
}

span fault_line(const source *source, size_t offset)
{
    return source_line(source, source_position_of(source, offset).line);
}

span fault_trimmed(span span)
{
    const char *bytes = span.source->bytes;
    for (size_t offset = span.start; offset + 1 < span.end; offset++)
        if (fault_is_space(bytes[offset]) && bytes[offset + 1] == '#')
            span.end = offset;
    while (span.start < span.end && fault_is_space(bytes[span.start]))
        span.start++;
    if (span.start < span.end && bytes[span.start] == '#')
        span.end = span.start;
    while (span.end > span.start && fault_is_space(bytes[span.end - 1]))
        span.end--;
    return span;
}

size_t fault_key_end(span span)
{
    const char *bytes = span.source->bytes;
    size_t offset = span.start;
    while (offset < span.end &&
           !(bytes[offset] == ':' && (offset + 1 == span.end || fault_is_space(bytes[offset + 1]))))
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
    return (int)(span.end - span.start);
}

const char *fault_text(span span)
{
    return span.source->bytes + span.start;
}
