// Differences as text, in the format of the lines of `kin diff`:
//
//   game 12@11 Position.at.x 3.5 -> 4      each field that differs, separated by commas
//   game 12@11 Position + {at: {x: 1}}     the component was added
//   game 12@11 Position -                  it was removed
//   game 14@4 - destroyed
//   game 20@4 + created (Name, Position)
#include "base/base.h"
#include "compare/same.h"
#include "store/store.h"

#include <kin/snapshot.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_SIZE = 48 };

// A field, or an element of it, on the path to the difference.
typedef struct step {
    const struct step *outer; // NULL: a field of the component
    const kin_field_info *field;
    uint32_t index; // in an array; UINT32_MAX: not in an array
} step;

// The values of both snapshots.
typedef struct pair {
    const char *before, *after;
} pair;

typedef struct text {
    kin__writer writer;
    uint32_t count; // of fields
} text;

static void append_number(kin__writer *writer, const char *before, uint64_t number, const char *after)
{
    char digits[NUMBER_SIZE];
    snprintf(digits, sizeof digits, "%s%" PRIu64 "%s", before, number, after);
    kin__writer_append(writer, digits);
}

static void append_handle(kin__writer *writer, kin_entity entity)
{
    append_number(writer, "", kin_entity_creation_index(entity), "@");
    append_number(writer, "", kin_entity_slot(entity), "");
}

// ---- values

// Recursive over structs in structs, of which the schema allows 32 levels.
static void append_path(kin__writer *writer, const step *last)
{
    if (last->outer != NULL) {
        append_path(writer, last->outer);
        kin__writer_append(writer, ".");
    }
    kin__writer_append(writer, last->field->name);
    if (last->index != UINT32_MAX)
        append_number(writer, "[", last->index, "]");
}

static void append_value(kin__writer *writer, const step *step, const char *place)
{
    kin_field_info element = *step->field;
    kin_entity entity;
    if (step->index != UINT32_MAX) {
        element.size = kin__element_size(step->field);
        element.count = 0;
    }
    if (element.type != KIN_TYPE_ENTITY || element.is_list) {
        kin__value_describe(writer, &element, place);
        return;
    }
    memcpy(&entity, place, sizeof entity);
    if (entity == 0)
        kin__writer_append(writer, "none");
    else
        append_handle(writer, entity);
}

static void append_change(text *text, const step *last, pair values)
{
    kin__writer_append(&text->writer, text->count++ == 0 ? "." : ", ");
    append_path(&text->writer, last);
    kin__writer_append(&text->writer, " ");
    append_value(&text->writer, last, values.before);
    kin__writer_append(&text->writer, " -> ");
    append_value(&text->writer, last, values.after);
}

static void append_changes(text *text, const step *outer, const kin_field_info *fields, uint32_t count, pair values);

static void append_element(text *text, const step *last, pair values)
{
    const kin_field_info *field = last->field;
    if (kin__element_is_same(field, kin__element_size(field), values.before, values.after))
        return;
    if (field->type == KIN_TYPE_STRUCT)
        append_changes(text, last, field->of->fields, field->of->field_count, values);
    else
        append_change(text, last, values);
}

static void append_field(text *text, step *last, pair values)
{
    const kin_field_info *field = last->field;
    size_t size = kin__element_size(field);
    if (kin__field_is_same(field, values.before, values.after))
        return;
    if (field->is_list)
        append_change(text, last, values);
    else if (field->count == 0)
        append_element(text, last, values);
    else
        for (last->index = 0; last->index < field->count; last->index++) {
            pair elements = {values.before + last->index * size, values.after + last->index * size};
            append_element(text, last, elements);
        }
}

// Recursive over structs in structs.
static void append_changes(text *text, const step *outer, const kin_field_info *fields, uint32_t count, pair values)
{
    for (uint32_t i = 0; i < count; i++) {
        step last = {outer, &fields[i], UINT32_MAX};
        append_field(text, &last, (pair){values.before + fields[i].offset, values.after + fields[i].offset});
    }
}

// Appends all saved fields, in braces.
static void append_fields(kin__writer *writer, const kin_component_info *component, const char *value)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < component->field_count; i++) {
        const kin_field_info *field = &component->fields[i];
        if (field->is_unsaved)
            continue;
        kin__writer_append(writer, count++ == 0 ? " {" : ", ");
        kin__field_describe(writer, field, value + field->offset);
    }
    kin__writer_append(writer, count > 0 ? "}" : "");
}

static void append_component(text *text, const kin_difference *difference)
{
    const kin_component_info *component = &difference->context->components[difference->component];
    kin__writer *writer = &text->writer;
    kin__writer_append(writer, component->name);
    if (difference->before == NULL || difference->after == NULL) {
        kin__writer_append(writer, difference->before == NULL ? " +" : " -");
        if (difference->after != NULL)
            append_fields(writer, component, difference->after);
        return;
    }
    append_changes(text, NULL, component->fields, component->field_count,
                   (pair){difference->before, difference->after});
}

// ---- entities

// Appends the names of the components whose bits are set in `row`.
static void append_row(kin__writer *writer, const kin_context_info *info, const void *row)
{
    uint32_t count = 0;
    for (uint32_t id = 0; id < info->component_count; id++) {
        if (!kin__bits_have(row, id) || info->components[id].is_unsaved)
            continue;
        kin__writer_append(writer, count++ == 0 ? " (" : ", ");
        kin__writer_append(writer, info->components[id].name);
    }
    kin__writer_append(writer, count > 0 ? ")" : "");
}

static void append_entity(kin__writer *writer, const kin_difference *difference)
{
    kin__writer_append(writer, difference->after == NULL ? "- destroyed" : "+ created");
    if (difference->after != NULL)
        append_row(writer, difference->context, difference->after);
}

size_t kin_difference_describe(const kin_difference *difference, char *letters, size_t size)
{
    text text = {.writer = kin__writer_begin(letters, size)};
    kin__writer *writer = &text.writer;
    if (difference == NULL)
        return 0;
    kin__writer_append(writer, difference->context->name);
    kin__writer_append(writer, " ");
    append_handle(writer, difference->entity);
    kin__writer_append(writer, " ");
    if (difference->component == difference->context->component_count)
        append_entity(writer, difference);
    else
        append_component(&text, difference);
    return writer->length;
}
