#include "query/query.h"

#include <string.h>

// ---- scalars

kin__scalar_kind kin__scalar_kind_of(kin_type type)
{
    switch (type) {
    case KIN_TYPE_BOOL:
        return KIN__SCALAR_BOOL;
    case KIN_TYPE_FLOAT:
    case KIN_TYPE_DOUBLE:
        return KIN__SCALAR_REAL;
    case KIN_TYPE_STRING:
    case KIN_TYPE_INLINE_STRING:
        return KIN__SCALAR_TEXT;
    case KIN_TYPE_ENTITY:
        return KIN__SCALAR_ENTITY;
    case KIN_TYPE_ENUM:
        return KIN__SCALAR_ENUM;
    case KIN_TYPE_STRUCT:
    case KIN_TYPE_OPAQUE:
        return KIN__SCALAR_NONE;
    case KIN_TYPE_UINT8:
    case KIN_TYPE_UINT16:
    case KIN_TYPE_UINT32:
    case KIN_TYPE_UINT64:
        return KIN__SCALAR_NATURAL;
    default:
        return KIN__SCALAR_INTEGER;
    }
}

// Reads an integer of 1, 2, 4 or 8 bytes, with the sign if it has one.
static uint64_t read_integer(const void *at, size_t size, bool is_signed)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t value = 0;
    switch (size) {
    case 1:
        memcpy(&byte, at, 1);
        return is_signed ? (uint64_t)(int64_t)(int8_t)byte : byte;
    case 2:
        memcpy(&half, at, 2);
        return is_signed ? (uint64_t)(int64_t)(int16_t)half : half;
    case 4:
        memcpy(&word, at, 4);
        return is_signed ? (uint64_t)(int64_t)(int32_t)word : word;
    default:
        KIN_ASSERT(size == sizeof value);
        memcpy(&value, at, sizeof value);
        return value;
    }
}

static double read_real(const void *at, size_t size)
{
    float number;
    double value;
    if (size == sizeof number) {
        memcpy(&number, at, sizeof number);
        return (double)number;
    }
    memcpy(&value, at, sizeof value);
    return value;
}

kin__scalar kin__scalar_read(const kin_field_info *field, const void *at)
{
    KIN_ASSERT(at != NULL);
    kin__scalar scalar = {.kind = kin__scalar_kind_of(field->type)};
    size_t size = kin__element_size(field);
    switch (scalar.kind) {
    case KIN__SCALAR_NONE:
        break;
    case KIN__SCALAR_BOOL:
        scalar.as.boolean = *(const unsigned char *)at != 0;
        break;
    case KIN__SCALAR_REAL:
        scalar.as.real = read_real(at, size);
        break;
    case KIN__SCALAR_TEXT:
        if (field->type == KIN_TYPE_STRING)
            memcpy(&scalar.as.text, at, sizeof scalar.as.text);
        else
            scalar.as.text = at;
        break;
    default:
        scalar.as.natural =
            read_integer(at, size, scalar.kind == KIN__SCALAR_INTEGER || scalar.kind == KIN__SCALAR_ENUM);
    }
    return scalar;
}

void kin__scalar_write(const kin_field_info *field, void *at, uint64_t bits)
{
    uint8_t byte = (uint8_t)bits;
    uint16_t half = (uint16_t)bits;
    uint32_t word = (uint32_t)bits;
    switch (kin__element_size(field)) {
    case 1:
        memcpy(at, &byte, 1);
        break;
    case 2:
        memcpy(at, &half, 2);
        break;
    case 4:
        memcpy(at, &word, 4);
        break;
    default:
        KIN_ASSERT(kin__element_size(field) == sizeof bits);
        memcpy(at, &bits, sizeof bits);
    }
}

// ---- values

static void show_string(kin__json *json, const char *text)
{
    if (text == NULL) {
        kin__json_null(json);
        return;
    }
    kin__captured_size size = kin__captured_size_of(text);
    if (size.kept == size.whole) {
        kin__json_bytes(json, text, size.kept);
        return;
    }
    kin__json_begin(json, '{');
    kin__json_key(json, "text");
    kin__json_bytes(json, text, size.kept);
    kin__json_put_natural(json, "length", size.whole);
    kin__json_end(json, '}');
}

static void show_enum(kin__json *json, const kin_type_info *type, int64_t value)
{
    for (uint32_t i = 0; i < type->value_count; i++)
        if (type->values[i].value == value) {
            kin__json_string(json, type->values[i].name);
            return;
        }
    kin__json_integer(json, value);
}

static void show_struct(kin__json *json, const kin_field_info *fields, uint32_t count, const char *value)
{
    kin__json_begin(json, '{');
    for (uint32_t i = 0; i < count; i++) {
        if (fields[i].inspect == KIN_INSPECT_HIDDEN)
            continue;
        kin__json_key(json, fields[i].name);
        kin__show_field(json, &fields[i], value + fields[i].offset);
    }
    kin__json_end(json, '}');
}

static void show_number(kin__json *json, const kin_field_info *field, const void *at)
{
    kin__scalar scalar = kin__scalar_read(field, at);
    if (field->type == KIN_TYPE_INT64)
        kin__json_digits(json, scalar.as.integer);
    else if (field->type == KIN_TYPE_UINT64)
        kin__json_natural_digits(json, scalar.as.natural);
    else if (scalar.kind == KIN__SCALAR_INTEGER)
        kin__json_integer(json, scalar.as.integer);
    else if (scalar.kind == KIN__SCALAR_NATURAL)
        kin__json_natural(json, scalar.as.natural);
    else
        kin__json_number(json, scalar.as.real, field->type == KIN_TYPE_FLOAT);
}

void kin__show_element(kin__json *json, const kin_field_info *field, const void *at)
{
    kin__scalar scalar = kin__scalar_read(field, at);
    switch (field->type) {
    case KIN_TYPE_BOOL:
        kin__json_bool(json, scalar.as.boolean);
        break;
    case KIN_TYPE_STRING:
        show_string(json, scalar.as.text);
        break;
    case KIN_TYPE_INLINE_STRING:
        kin__json_bytes(json, scalar.as.text, strnlen(scalar.as.text, kin__element_size(field)));
        break;
    case KIN_TYPE_ENTITY:
        kin__json_entity(json, scalar.as.entity);
        break;
    case KIN_TYPE_ENUM:
        show_enum(json, field->of, scalar.as.integer);
        break;
    case KIN_TYPE_STRUCT:
        show_struct(json, field->of->fields, field->of->field_count, at);
        break;
    case KIN_TYPE_OPAQUE:
        kin__json_begin(json, '{');
        kin__json_put_string(json, "opaque", field->of->name);
        kin__json_end(json, '}');
        break;
    default:
        show_number(json, field, at);
    }
}

static void show_elements(kin__json *json, const kin_field_info *field, const char *at, uint32_t count)
{
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < count; i++)
        kin__show_element(json, field, at + i * kin__element_size(field));
    kin__json_end(json, ']');
}

static void show_list(kin__json *json, const kin_field_info *field, const void *at)
{
    const char *elements;
    memcpy(&elements, at, sizeof elements);
    if (elements == NULL) {
        show_elements(json, field, NULL, 0);
        return;
    }
    kin__captured_size size = kin__captured_size_of(elements);
    if (size.kept == size.whole) {
        show_elements(json, field, elements, size.kept);
        return;
    }
    kin__json_begin(json, '{');
    kin__json_key(json, "items");
    show_elements(json, field, elements, size.kept);
    kin__json_put_natural(json, "count", size.whole);
    kin__json_end(json, '}');
}

void kin__show_field(kin__json *json, const kin_field_info *field, const void *at)
{
    if (field->is_list)
        show_list(json, field, at);
    else if (field->count > 0)
        show_elements(json, field, at, field->count);
    else
        kin__show_element(json, field, at);
}

void kin__show_component(kin__json *json, const kin_component_info *info, const void *value)
{
    if (info->field_count == 0)
        kin__json_bool(json, true);
    else
        show_struct(json, info->fields, info->field_count, value);
}

const char *kin__event_name(kin_group_event event)
{
    static const char *const names[] = {"added", "removed", "added_or_removed", "modified"};
    KIN_ASSERT((size_t)event < sizeof names / sizeof *names);
    return names[event];
}

void kin__show_label(kin__json *json, const kin_context_info *info, const void *value)
{
    if (value == NULL)
        return;
    const kin_field_info *field = info->label->field;
    kin__json_key(json, "label");
    kin__show_field(json, field, (const char *)value + field->offset);
}
