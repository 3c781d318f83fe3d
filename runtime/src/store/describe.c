#include "store/store.h"

#include <kin/generated/list.h>
#include <kin/generated/relation.h>
#include <kin/reflect.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Appends `size` bytes of a string of a user in quotes, escaped and shortened. NULL is written as NULL.
static void writer_append_string(kin__writer *writer, const char *string, size_t size)
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
    writer_append_string(writer, string, string == NULL ? 0 : strlen(string));
}

// A string that was written in place may fill the field without a NUL.
static void append_inline_string(kin__writer *writer, const element *element)
{
    const char *end = memchr(element->place, 0, element->size);
    size_t length = end != NULL ? (size_t)(end - element->place) : element->size;
    writer_append_string(writer, element->place, length);
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

static const char *kind_of(const kin_rule *rule)
{
    switch ((kin_rule_kind)rule->kind) {
    case KIN_RULE_ALL:
        return "all(";
    case KIN_RULE_ANY:
        return "any(";
    case KIN_RULE_NONE:
        return "none(";
    case KIN_RULE_ONLY:
        return "only(";
    }
    return "(";
}

static void append_matcher(kin__writer *writer, const kin_context_info *info, const kin_matcher *normal)
{
    for (uint32_t i = 0; i < normal->count; i++) {
        kin__writer_append(writer, i == 0 ? "" : ", ");
        kin__writer_append(writer, kind_of(&normal->rules[i]));
        for (uint32_t k = 0; k < normal->rules[i].count; k++) {
            KIN_ASSERT(normal->rules[i].ids[k] < info->component_count);
            kin__writer_append(writer, k == 0 ? "" : ", ");
            kin__writer_append(writer, info->components[normal->rules[i].ids[k]].name);
        }
        kin__writer_append(writer, ")");
    }
}

void kin__matcher_describe(const kin_context_info *info, const kin_matcher *normal, char *text, size_t size)
{
    static const char ellipsis[] = "...";
    KIN_ASSERT(size >= 8);
    kin__writer writer = kin__writer_begin(text, size);
    append_matcher(&writer, info, normal);
    if (writer.length >= size)
        memcpy(text + size - sizeof ellipsis, ellipsis, sizeof ellipsis);
}

size_t kin_describe_matcher(const kin_context *context, kin_matcher matcher, char *text, size_t size)
{
    const char *reason = NULL;
    kin__writer writer = kin__writer_begin(text, size);
    if (kin__matcher_check(&matcher, context->info, &reason) != KIN_OK) {
        kin__writer_append(&writer, "invalid: ");
        kin__writer_append(&writer, reason);
        return writer.length;
    }
    kin_matcher normal = kin__matcher_normalise(&matcher);
    append_matcher(&writer, context->info, &normal);
    return writer.length;
}

// ---- entities and values

// Appends the name of a component, and the fields of its value.
static void append_component(kin__writer *writer, const kin_component_info *info, const char *value)
{
    kin__writer_append(writer, info->name);
    for (uint32_t i = 0; value != NULL && i < info->field_count; i++) {
        kin__writer_append(writer, i == 0 ? " {" : ", ");
        kin__field_describe(writer, &info->fields[i], value + info->fields[i].offset);
    }
    kin__writer_append(writer, value != NULL && info->field_count > 0 ? "}" : "");
}

size_t kin_component_describe(const kin_context *context, kin_component_id id, const void *value, char *text,
                              size_t size)
{
    kin__writer writer = kin__writer_begin(text, size);
    if (id >= context->info->component_count)
        kin__writer_append(&writer, "no component");
    else
        append_component(&writer, &context->info->components[id], value);
    return writer.length;
}

// The fields are read one by one, so that no room is needed for a component with one column for each field.
static void append_stored(kin__writer *writer, const kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin_component_info *info = &context->info->components[id];
    kin__writer_append(writer, info->name);
    for (uint32_t i = 0; i < info->field_count; i++) {
        kin__writer_append(writer, i == 0 ? " {" : ", ");
        kin__field_describe(writer, &info->fields[i], kin__value_part(context, slot, id, info->fields[i].offset));
    }
    kin__writer_append(writer, info->field_count > 0 ? "}" : "");
}

// Appends how many entities name this one, for each reverse that has some.
static void append_reverses(kin__writer *writer, const kin_context *context, uint32_t slot, const char *separator)
{
    for (uint32_t i = 0; i < context->info->relation_count; i++) {
        const char *name = context->info->relations[i].name;
        const kin__relation_block *block = kin__relation_block_of(&context->relations[i], slot);
        uint32_t count = block == NULL ? 0 : block->counts[slot % KIN__CHUNK_SLOTS];
        char text[16];
        if (name == NULL || count == 0)
            continue;
        snprintf(text, sizeof text, ": %" PRIu32, count);
        kin__writer_append(writer, separator);
        kin__writer_append(writer, name);
        kin__writer_append(writer, text);
        separator = ", ";
    }
}

// Returns whether the entity has any.
static bool append_components(kin__writer *writer, const kin_context *context, kin_entity entity)
{
    const char *separator = "";
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        if (!kin_has(context, entity, (kin_component_id)id))
            continue;
        kin__writer_append(writer, separator);
        append_stored(writer, context, kin_entity_slot(entity), (kin_component_id)id);
        separator = ", ";
    }
    return separator[0] != '\0';
}

size_t kin_describe_entity(const kin_context *context, kin_entity entity, char *text, size_t size)
{
    char name[80] = "no entity";
    kin__writer writer = kin__writer_begin(text, size);
    if (entity != 0)
        snprintf(name, sizeof name, "entity %" PRIu64 " in slot %" PRIu32, kin_entity_creation_index(entity),
                 kin_entity_slot(entity));
    kin__writer_append(&writer, name);
    if (kin__chunk_of(context, entity) == NULL) {
        kin__writer_append(&writer, entity == 0 ? "" : ", not alive");
        return writer.length;
    }
    kin__writer_append(&writer, " (");
    bool has_any = append_components(&writer, context, entity);
    append_reverses(&writer, context, kin_entity_slot(entity), has_any ? "; " : "");
    kin__writer_append(&writer, ")");
    return writer.length;
}
