// Keys in words, for messages.
#include "key.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A text that is being written; `left` are the bytes behind `end`, that of its NUL counted.
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

static void write_integer(writer *writer, const kin_field_info *field, const void *value)
{
    static const bool has_sign[] = {[KIN_TYPE_INT8] = true,  [KIN_TYPE_INT16] = true, [KIN_TYPE_INT32] = true,
                                    [KIN_TYPE_INT64] = true, [KIN_TYPE_ENUM] = true,  [KIN_TYPE_STRUCT] = false};
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64 = 0;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64 = 0;
    switch (field->size) {
    case 1:
        i64 = *(const int8_t *)memcpy(&i8, value, 1);
        u64 = *(const uint8_t *)memcpy(&u8, value, 1);
        break;
    case 2:
        i64 = *(const int16_t *)memcpy(&i16, value, 2);
        u64 = *(const uint16_t *)memcpy(&u16, value, 2);
        break;
    case 4:
        i64 = *(const int32_t *)memcpy(&i32, value, 4);
        u64 = *(const uint32_t *)memcpy(&u32, value, 4);
        break;
    default:
        memcpy(&i64, value, sizeof i64);
        memcpy(&u64, value, sizeof u64);
        break;
    }
    for (uint32_t i = 0; field->type == KIN_TYPE_ENUM && i < field->of->value_count; i++)
        if (field->of->values[i].value == i64) {
            write_text(writer, "%s", field->of->values[i].name);
            return;
        }
    if (has_sign[field->type])
        write_text(writer, "%" PRId64, i64);
    else
        write_text(writer, "%" PRIu64, u64);
}

// With a point, whatever the locale.
static void write_number(writer *writer, double value, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*g", digits, value + 0.0);
    for (char *letter = text; *letter != '\0'; letter++)
        if (strchr("0123456789+-einfa", *letter) == NULL)
            *letter = '.';
    write_text(writer, "%s", text);
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
    float single;
    double twofold;
    kin_entity entity;
    switch (field->type) {
    case KIN_TYPE_BOOL:
        write_text(writer, "%s", *(const bool *)(const void *)value ? "true" : "false");
        break;
    case KIN_TYPE_FLOAT:
        write_number(writer, (double)*(const float *)memcpy(&single, value, sizeof single), 9);
        break;
    case KIN_TYPE_DOUBLE:
        write_number(writer, *(const double *)memcpy(&twofold, value, sizeof twofold), 17);
        break;
    case KIN_TYPE_INLINE_STRING:
        write_text(writer, "\"%.*s\"", (int)field->size, value);
        break;
    case KIN_TYPE_ENTITY:
        memcpy(&entity, value, sizeof entity);
        write_text(writer, "entity %" PRIu64 " in slot %" PRIu32, kin_entity_creation_index(entity),
                   kin_entity_slot(entity));
        break;
    case KIN_TYPE_STRUCT:
        write_struct(writer, field->of, value);
        break;
    default:
        write_integer(writer, field, value);
        break;
    }
}

void kin__key_describe(const kin_context *context, uint32_t slot, const kin_index_info *info, kin__news news,
                       char *text, size_t size)
{
    writer writer = {text, size};
    if (info->key_count > 1)
        write_text(&writer, "(");
    for (uint32_t i = 0; i < info->key_count; i++) {
        const kin_key_info *part = &info->key[i];
        bool is_new = news.value != NULL && news.id == part->component;
        const char *value = is_new ? news.value : kin__value_of(context, slot, part->component);
        write_text(&writer, "%s", i == 0 ? "" : ", ");
        write_field(&writer, part->field, value + part->field->offset);
    }
    if (info->key_count > 1)
        write_text(&writer, ")");
    if (writer.left <= 1 && size > 4)
        memcpy(text + size - 4, "...", 4);
}
