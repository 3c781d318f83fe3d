// Values as text, and texts that are compared.
#include "drawn.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void die(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    exit(1);
}

void line_append(line *line, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    size_t size = (size_t)vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (line->size + size + 1 > line->capacity) {
        line->capacity = 2 * (line->size + size + 1);
        line->bytes = realloc(line->bytes, line->capacity);
    }
    vsnprintf(line->bytes + line->size, size + 1, format, again);
    va_end(again);
    line->size += size;
}

void lines_compare(const char *expected, const char *found, const char *format, ...)
{
    va_list list;
    if (strcmp(expected, found) == 0)
        return;
    while (strcspn(expected, "\n") == strcspn(found, "\n") && strncmp(expected, found, strcspn(found, "\n")) == 0) {
        expected += strcspn(expected, "\n") + (strchr(expected, '\n') != NULL);
        found += strcspn(found, "\n") + (strchr(found, '\n') != NULL);
    }
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    die("\nexpected: %.*s\nfound:    %.*s", (int)strcspn(expected, "\n"), expected, (int)strcspn(found, "\n"), found);
}

// ---- values

static void append_scalar(line *line, const kin_field_info *field, const char *at, handle_append *append, void *data)
{
    uint64_t bits = 0;
    const char *string;
    size_t size = field->of != NULL ? field->of->size : sizeof bits;
    switch (field->type) {
    case KIN_TYPE_STRING:
        memcpy(&string, at, sizeof string);
        line_append(line, string == NULL ? "(none)" : "'%s'", string);
        return;
    case KIN_TYPE_INLINE_STRING:
        line_append(line, "'%s'", at);
        return;
    case KIN_TYPE_ENTITY:
        memcpy(&bits, at, sizeof(kin_entity));
        append(data, line, bits);
        return;
    case KIN_TYPE_BOOL:
    case KIN_TYPE_INT8:
    case KIN_TYPE_UINT8:
        size = 1;
        break;
    case KIN_TYPE_INT16:
    case KIN_TYPE_UINT16:
        size = 2;
        break;
    case KIN_TYPE_INT32:
    case KIN_TYPE_UINT32:
    case KIN_TYPE_FLOAT:
        size = 4;
        break;
    default:
        break;
    }
    memcpy(&bits, at, size);
    line_append(line, "%llx", (unsigned long long)bits);
}

static void append_fields(line *line, const kin_field_info *fields, uint32_t count, const char *value,
                          handle_append *append, void *data)
{
    line_append(line, " {");
    for (uint32_t i = 0; i < count; i++) {
        line_append(line, "%s%s: ", i == 0 ? "" : ", ", fields[i].name);
        field_append(line, &fields[i], value + fields[i].offset, append, data);
    }
    line_append(line, "}");
}

// `at` is the address of the field.
void field_append(line *line, const kin_field_info *field, const char *at, handle_append *append, void *data)
{
    uint32_t count = field->count == 0 ? 1 : field->count;
    size_t size = field->size / count;
    if (field->is_list) {
        const char *elements;
        memcpy(&elements, at, sizeof elements);
        memcpy(&count, at + sizeof elements, sizeof count);
        at = elements;
        size = field->element_size;
        line_append(line, "%u of ", (unsigned)count);
    }
    for (uint32_t i = 0; i < count; i++) {
        line_append(line, i == 0 ? "" : "; ");
        if (field->type == KIN_TYPE_STRUCT)
            append_fields(line, field->of->fields, field->of->field_count, at + i * size, append, data);
        else
            append_scalar(line, field, at + i * size, append, data);
    }
}

void value_append(line *line, const kin_component_info *info, const void *value, handle_append *append, void *data)
{
    const kin_field_info *fields = info->fields;
    uint32_t count = info->field_count;
    if (strcmp(info->name, "Origin") == 0) {
        while (count > 0 && strcmp(fields->name, "part") != 0) {
            fields++;
            count--;
        }
        count = 1;
    }
    if (value == NULL)
        line_append(line, " -");
    else
        append_fields(line, fields, count, value, append, data);
}
