#include "report/describe_value.h"

#include "base/base.h"

#include <kin/generated/list.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 48, SHOWN_ELEMENTS = 16 };

// The value of a field, or one element of its array or list.
typedef struct element {
    const kin_field_info *field;
    const char *place;
    size_t size; // in bytes
} element;

typedef void append(kin__writer *writer, const element *element);

// ---- numbers

static void append_signed(kin__writer *writer, int64_t number)
{
    char text[NUMBER_SIZE];
    snprintf(text, sizeof text, "%" PRId64, number);
    kin__writer_append(writer, text);
}

static void append_unsigned(kin__writer *writer, uint64_t number)
{
    char text[NUMBER_SIZE];
    snprintf(text, sizeof text, "%" PRIu64, number);
    kin__writer_append(writer, text);
}

// Appends a number with a point in any locale.
static void append_decimal(kin__writer *writer, char *text)
{
    for (char *letter = text; *letter != '\0'; letter++)
        if (strchr("0123456789+-einfa", *letter) == NULL)
            *letter = '.';
    kin__writer_append(writer, text);
}

static void append_float(kin__writer *writer, float number)
{
    char text[NUMBER_SIZE];
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)number);
        float again = strtof(text, NULL);
        if (memcmp(&again, &number, sizeof number) == 0)
            break;
    }
    append_decimal(writer, text);
}

static void append_double(kin__writer *writer, double number)
{
    char text[NUMBER_SIZE];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        double again = strtod(text, NULL);
        if (memcmp(&again, &number, sizeof number) == 0)
            break;
    }
    append_decimal(writer, text);
}

static void append_bool(kin__writer *writer, const element *element)
{
    kin__writer_append(writer, *element->place != 0 ? "true" : "false");
}

static void append_integer(kin__writer *writer, const element *element)
{
    append_signed(writer, kin__read_signed(element->place, element->size));
}

static void append_natural(kin__writer *writer, const element *element)
{
    append_unsigned(writer, kin__read_unsigned(element->place, element->size));
}

static void append_floating(kin__writer *writer, const element *element)
{
    double number = kin__read_floating(element->place, element->size);
    if (writer->is_key)
        number += 0.0; // -0 becomes 0
    if (element->size == sizeof(float))
        append_float(writer, (float)number);
    else
        append_double(writer, number);
}

// ---- other types

static void append_enum(kin__writer *writer, const element *element)
{
    const kin_type_info *of = element->field->of;
    int64_t number = kin__read_signed(element->place, element->size);
    for (uint32_t i = 0; i < of->value_count; i++)
        if (of->values[i].value == number) {
            kin__writer_append(writer, of->values[i].name);
            return;
        }
    append_signed(writer, number);
}

static void append_entity(kin__writer *writer, const element *element)
{
    kin_entity entity;
    memcpy(&entity, element->place, sizeof entity);
    if (entity == 0) {
        kin__writer_append(writer, "no entity");
        return;
    }
    kin__writer_append(writer, "entity ");
    append_unsigned(writer, kin_entity_creation_index(entity));
    kin__writer_append(writer, " in slot ");
    append_unsigned(writer, kin_entity_slot(entity));
}

static void append_opaque(kin__writer *writer, const element *element)
{
    kin__writer_append(writer, "<");
    kin__writer_append(writer, element->field->of->name);
    kin__writer_append(writer, ">");
}

static void append_pointed_string(kin__writer *writer, const element *element)
{
    const char *string;
    memcpy(&string, element->place, sizeof string);
    kin__writer_append_string(writer, string, string == NULL ? 0 : strlen(string));
}

// A string that was written in place may fill the field without a NUL.
static void append_inline_string(kin__writer *writer, const element *element)
{
    const char *end = memchr(element->place, 0, element->size);
    size_t length = end != NULL ? (size_t)(end - element->place) : element->size;
    kin__writer_append_string(writer, element->place, length);
}

// ---- fields

// Recursive over structs in structs, which schemas cannot nest without end.
static void append_struct(kin__writer *writer, const element *element)
{
    const kin_type_info *of = element->field->of;
    kin__writer_append(writer, "{");
    for (uint32_t i = 0; i < of->field_count; i++) {
        kin__writer_append(writer, i == 0 ? "" : ", ");
        kin__field_describe(writer, &of->fields[i], element->place + of->fields[i].offset);
    }
    kin__writer_append(writer, "}");
}

static void append_element(kin__writer *writer, const element *element)
{
    static append *const appenders[] = {
        [KIN_TYPE_BOOL] = append_bool,       [KIN_TYPE_INT8] = append_integer,
        [KIN_TYPE_INT16] = append_integer,   [KIN_TYPE_INT32] = append_integer,
        [KIN_TYPE_INT64] = append_integer,   [KIN_TYPE_UINT8] = append_natural,
        [KIN_TYPE_UINT16] = append_natural,  [KIN_TYPE_UINT32] = append_natural,
        [KIN_TYPE_UINT64] = append_natural,  [KIN_TYPE_FLOAT] = append_floating,
        [KIN_TYPE_DOUBLE] = append_floating, [KIN_TYPE_STRING] = append_pointed_string,
        [KIN_TYPE_ENTITY] = append_entity,   [KIN_TYPE_INLINE_STRING] = append_inline_string,
        [KIN_TYPE_ENUM] = append_enum,       [KIN_TYPE_STRUCT] = append_struct,
        [KIN_TYPE_OPAQUE] = append_opaque,
    };
    KIN_ASSERT((size_t)element->field->type < sizeof appenders / sizeof *appenders);
    appenders[element->field->type](writer, element);
}

// Appends the first elements of a list, and how many follow. A value of the caller may have a count and no address.
static void append_list(kin__writer *writer, const kin_field_info *field, const char *place)
{
    const char *at;
    uint32_t count;
    memcpy(&at, place, sizeof at);
    memcpy(&count, place + offsetof(kin__list_field, count), sizeof count);
    if (at == NULL && count > 0) {
        append_unsigned(writer, count);
        kin__writer_append(writer, " elements without an address");
        return;
    }
    kin__writer_append(writer, "[");
    for (uint32_t i = 0; i < count && i < SHOWN_ELEMENTS; i++) {
        element part = {.field = field, .place = at + i * field->element_size, .size = field->element_size};
        kin__writer_append(writer, i == 0 ? "" : ", ");
        append_element(writer, &part);
    }
    if (count > SHOWN_ELEMENTS) {
        kin__writer_append(writer, ", and ");
        append_unsigned(writer, count - SHOWN_ELEMENTS);
        kin__writer_append(writer, " more");
    }
    kin__writer_append(writer, "]");
}

void kin__value_describe(kin__writer *writer, const kin_field_info *field, const char *place)
{
    if (field->is_list) {
        append_list(writer, field, place);
        return;
    }
    if (field->count == 0) {
        element whole = {.field = field, .place = place, .size = field->size};
        append_element(writer, &whole);
        return;
    }
    size_t size = field->size / field->count;
    KIN_ASSERT(size > 0);
    for (uint32_t i = 0; i < field->count; i++) {
        element part = {.field = field, .place = place + i * size, .size = size};
        kin__writer_append(writer, i == 0 ? "[" : ", ");
        append_element(writer, &part);
    }
    kin__writer_append(writer, "]");
}

void kin__field_describe(kin__writer *writer, const kin_field_info *field, const char *place)
{
    kin__writer_append(writer, field->name);
    kin__writer_append(writer, ": ");
    kin__value_describe(writer, field, place);
}
