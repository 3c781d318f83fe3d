// Keys as text, for messages.
#include "index/key.h"
#include "report/escape.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A text that is being written; `left` counts the bytes from `end` on, that of the NUL included.
typedef struct writer {
    char *end;
    size_t left;
} writer;

static void write_text(writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(writer->end, writer->left, format, arguments);
    va_end(arguments);
    size_t written = size < 0 ? 0 : (size_t)size < writer->left ? (size_t)size : writer->left - 1;
    writer->end += written;
    writer->left -= written;
}

static uint64_t read_bits(const void *value, size_t size)
{
    uint8_t one = 0;
    uint16_t two = 0;
    uint32_t four = 0;
    uint64_t eight = 0;
    switch (size) {
    case sizeof one:
        return *(const uint8_t *)memcpy(&one, value, sizeof one);
    case sizeof two:
        return *(const uint16_t *)memcpy(&two, value, sizeof two);
    case sizeof four:
        return *(const uint32_t *)memcpy(&four, value, sizeof four);
    default:
        return *(const uint64_t *)memcpy(&eight, value, sizeof eight);
    }
}

// Returns the number whose two's complement the bits are, as in fixed-width integers.
static int64_t signed_of(uint64_t bits, size_t size)
{
    uint64_t sign = (uint64_t)1 << (8 * size - 1);
    return (int64_t)((bits ^ sign) - sign);
}

static void write_integer(writer *writer, const kin_field_info *field, const void *value)
{
    uint64_t bits = read_bits(value, field->size);
    if (field->type >= KIN_TYPE_UINT8 && field->type <= KIN_TYPE_UINT64)
        write_text(writer, "%" PRIu64, bits);
    else
        write_text(writer, "%" PRId64, signed_of(bits, field->size));
}

// Returns where to cut a text that is longer than `size`: not within a character of several bytes.
static size_t cut_at(const char *text, size_t size)
{
    size_t shorter = size;
    while (shorter > 0 && size - shorter < 3 && ((unsigned char)text[shorter] & 0xC0) == 0x80)
        shorter--;
    return shorter;
}

static void write_quoted(writer *writer, const char *text, size_t size)
{
    char escaped[KIN__ESCAPED_SIZE];
    write_text(writer, "\"%s\"", kin__escape(escaped, text, size));
}

// Writes the name of an enum's value, or its number if it has no name.
static void write_enum(writer *writer, const kin_field_info *field, const void *value)
{
    int64_t number = signed_of(read_bits(value, field->size), field->size);
    for (uint32_t i = 0; i < field->of->value_count; i++)
        if (field->of->values[i].value == number) {
            write_text(writer, "%s", field->of->values[i].name);
            return;
        }
    write_integer(writer, field, value);
}

// Writes a number with a point in any locale.
static void write_number(writer *writer, double value, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*g", digits, value + 0.0);
    for (char *letter = text; *letter != '\0'; letter++)
        if (strchr("0123456789+-einfa", *letter) == NULL)
            *letter = '.';
    write_text(writer, "%s", text);
}

// Writes a float or a double.
static void write_floating(writer *writer, const kin_field_info *field, const void *value)
{
    float float_value;
    double double_value;
    if (field->type == KIN_TYPE_FLOAT)
        write_number(writer, (double)*(const float *)memcpy(&float_value, value, sizeof float_value), 9);
    else
        write_number(writer, *(const double *)memcpy(&double_value, value, sizeof double_value), 17);
}

// Writes an inline string, or one of any length.
static void write_string(writer *writer, const kin_field_info *field, const char *value)
{
    const char *string;
    if (field->type == KIN_TYPE_INLINE_STRING) {
        const char *end = memchr(value, 0, field->size);
        write_quoted(writer, value, end != NULL ? (size_t)(end - value) : field->size);
        return;
    }
    memcpy(&string, value, sizeof string);
    if (string != NULL)
        write_quoted(writer, string, strlen(string));
    else
        write_text(writer, "NULL");
}

static void write_field(writer *writer, const kin_field_info *field, const char *value);

static void write_struct(writer *writer, const kin_type_info *type, const char *value)
{
    write_text(writer, "{");
    for (uint32_t i = 0; i < type->field_count; i++) {
        write_text(writer, "%s%s: ", i == 0 ? "" : ", ", type->fields[i].name);
        write_field(writer, &type->fields[i], value + type->fields[i].offset);
    }
    write_text(writer, "}");
}

static void write_field(writer *writer, const kin_field_info *field, const char *value)
{
    kin_entity entity;
    switch (field->type) {
    case KIN_TYPE_BOOL:
        write_text(writer, "%s", *(const bool *)(const void *)value ? "true" : "false");
        break;
    case KIN_TYPE_FLOAT:
    case KIN_TYPE_DOUBLE:
        write_floating(writer, field, value);
        break;
    case KIN_TYPE_STRING:
    case KIN_TYPE_INLINE_STRING:
        write_string(writer, field, value);
        break;
    case KIN_TYPE_ENTITY:
        memcpy(&entity, value, sizeof entity);
        write_text(writer, "entity %" PRIu64 " in slot %" PRIu32, kin_entity_creation_index(entity),
                   kin_entity_slot(entity));
        break;
    case KIN_TYPE_ENUM:
        write_enum(writer, field, value);
        break;
    case KIN_TYPE_STRUCT:
        write_struct(writer, field->of, value);
        break;
    default:
        write_integer(writer, field, value);
        break;
    }
}

void kin__key_describe(const kin_context *context, uint32_t slot, const kin_index_info *info,
                       kin__new_values new_values, char *text, size_t size)
{
    writer writer = {text, size};
    if (info->key_count > 1)
        write_text(&writer, "(");
    for (uint32_t i = 0; i < info->key_count; i++) {
        const kin_key_info *part = &info->key[i];
        kin__leaf first = {.component = part->component, .offset = part->field->offset};
        write_text(&writer, "%s", i == 0 ? "" : ", ");
        write_field(&writer, part->field, kin__key_part(context, slot, &first, new_values));
    }
    if (info->key_count > 1)
        write_text(&writer, ")");
    if (writer.left <= 1 && size > 4)
        memcpy(text + cut_at(text, size - 4), "...", 4);
}
