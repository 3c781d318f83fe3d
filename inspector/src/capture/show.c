#include "capture/show.h"

#include "capture/number.h"

#include <string.h>

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

static void show_opaque(kin__json *json, const char *name)
{
    kin__json_begin(json, '{');
    kin__json_put_string(json, "opaque", name);
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
        show_opaque(json, field->of->name);
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
