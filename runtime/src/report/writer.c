#include "report/writer.h"

#include "base/base.h"
#include "report/escape.h"

#include <string.h>

kin__writer kin__writer_begin(char *text, size_t size)
{
    KIN_ASSERT(text != NULL || size == 0);
    if (size > 0)
        text[0] = '\0';
    return (kin__writer){.text = text, .size = size};
}

void kin__writer_append(kin__writer *writer, const char *text)
{
    size_t length = strlen(text);
    if (writer->length + 1 < writer->size) {
        size_t free = writer->size - writer->length - 1, fits = length < free ? length : free;
        memcpy(writer->text + writer->length, text, fits);
        writer->text[writer->length + fits] = '\0';
    }
    writer->length += length;
}

void kin__writer_append_string(kin__writer *writer, const char *string, size_t size)
{
    char escaped[KIN__ESCAPED_SIZE];
    if (string == NULL) {
        kin__writer_append(writer, "NULL");
        return;
    }
    kin__writer_append(writer, "\"");
    kin__writer_append(writer, kin__escape(escaped, string, size));
    kin__writer_append(writer, "\"");
}
