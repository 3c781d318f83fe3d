// The JSON of types, fields and default values, specified in list.h.
#include "describe/private/list_json.h"
#include "describe/private/list_parts.h"
#include "generator/schema/schema.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { UNIFORM_LIMIT = 16 }; // arrays of at most this many equal elements list all of them

static const uint64_t exact_limit = UINT64_C(1) << 53; // integers up to this are exact in a double

void list_set_place(json_writer *writer, span span)
{
    source_position position = source_position_of(span.source, span.start);
    writer_key(writer, "place");
    writer_open_line(writer, '{');
    writer_set_text(writer, "file", span.source->path);
    writer_set_count(writer, "line", position.line);
    writer_set_count(writer, "column", position.column);
    writer_close(writer, '}');
}

// Sets a number of bytes; null for one that only the compiler knows.
static void set_bytes(json_writer *writer, const char *key, const uint64_t *bytes)
{
    writer_key(writer, key);
    if (bytes == NULL)
        writer_null(writer);
    else
        writer_count(writer, *bytes);
}

void list_set_saving(json_writer *writer, const saved_name *saved, bool is_unsaved)
{
    writer_set_text(writer, "identity", saved->identity);
    writer_set_bool(writer, "is_saved", !is_unsaved);
}

void list_set_layout(json_writer *writer, memory_layout layout)
{
    const struct {
        const char *key;
        uint64_t bytes;
    } parts[] = {{"size", layout.size}, {"alignment", layout.alignment}, {"padding", layout.padding}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        set_bytes(writer, parts[i].key, layout.is_guess ? NULL : &parts[i].bytes);
}

// ---- default values

// JSON has neither infinities nor NaN: they are strings, the same as in `kin dump`.
static void append_number(json_writer *writer, const char *literal)
{
    static const char *const specials[][2] = {{".inf", "inf"}, {"-.inf", "-inf"}, {".nan", "nan"}};
    const char *digits = literal_number(writer->out->arena, literal);
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (strcmp(specials[i][0], digits) != 0)
            continue;
        writer_text(writer, specials[i][1]);
        return;
    }
    bool is_integer = strpbrk(digits, ".eE") == NULL;
    if (is_integer && strtoull(digits + (digits[0] == '-'), NULL, 10) > exact_limit)
        writer_text(writer, digits);
    else
        writer_number(writer, digits);
}

static void append_struct(json_writer *writer, const field_list *fields, const constant *constant)
{
    writer_open_line(writer, '{');
    for (size_t i = 0; i < constant->count; i++) {
        writer_key(writer, fields->fields[i].name);
        list_append_constant(writer, &fields->fields[i].type, schema_constant_item(constant, i));
    }
    writer_close(writer, '}');
}

static void append_array(json_writer *writer, const field_type *type, const constant *constant)
{
    field_type element = schema_element_type(type);
    if (constant->is_uniform && constant->count > UNIFORM_LIMIT) {
        writer_open_line(writer, '{');
        writer_key(writer, "each");
        list_append_constant(writer, &element, schema_constant_item(constant, 0));
        writer_close(writer, '}');
        return;
    }
    writer_open_line(writer, '[');
    for (size_t i = 0; i < constant->count; i++)
        list_append_constant(writer, &element, schema_constant_item(constant, i));
    writer_close(writer, ']');
}

// Recursive over nested structs; the schema allows no recursive ones.
void list_append_constant(json_writer *writer, const field_type *type, const constant *constant)
{
    switch (constant->kind) {
    case CONSTANT_BOOL:
        writer_bool(writer, constant->boolean);
        break;
    case CONSTANT_NUMBER:
        append_number(writer, constant->literal);
        break;
    case CONSTANT_STRING:
        writer_text(writer, constant->bytes);
        break;
    case CONSTANT_ENTITY:
    case CONSTANT_OPAQUE:
        writer_null(writer);
        break;
    case CONSTANT_ENUMERATOR:
        writer_text(writer, constant->enumerator->name);
        break;
    case CONSTANT_STRUCT:
        append_struct(writer, &type->definition->fields, constant);
        break;
    case CONSTANT_ARRAY:
        append_array(writer, type, constant);
        break;
    }
}

// ---- fields and types

void list_set_count_or_null(json_writer *writer, const char *key, size_t count)
{
    writer_key(writer, key);
    if (count == 0)
        writer_null(writer);
    else
        writer_count(writer, count);
}

static void append_type(json_writer *writer, const field_type *type)
{
    writer_set_text(writer, "type", schema_type_name(writer->out->arena, type));
    writer_set_text(writer, "kind", list_type_kind_name(type->kind));
    writer_set_text(writer, "of", type->definition == NULL ? NULL : type->definition->name);
    writer_set_text(writer, "target", type->kind == TYPE_CONTEXT_ENTITY ? type->context->name : NULL);
    list_set_count_or_null(writer, "length", type->kind == TYPE_INLINE_STRING ? type->string_size : 0);
    list_set_count_or_null(writer, "count", type->array_count);
    writer_set_bool(writer, "is_list", type->is_list);
}

static void append_bound(json_writer *writer, const field *field, const constant *bound)
{
    if (bound == NULL)
        writer_null(writer);
    else
        list_append_constant(writer, &field->type, bound);
}

static void set_range(json_writer *writer, const field *field)
{
    writer_key(writer, "range");
    if (field->minimum == NULL && field->maximum == NULL) {
        writer_null(writer);
        return;
    }
    writer_open_line(writer, '[');
    append_bound(writer, field, field->minimum);
    append_bound(writer, field, field->maximum);
    writer_close(writer, ']');
}

static void set_relation(json_writer *writer, const field *field)
{
    writer_set_text(writer, "on_destroy", schema_is_relation(field) ? list_on_destroy_name(field->on_destroy) : NULL);
    writer_set_text(writer, "reverse", field->reverse);
    writer_set_bool(writer, "is_tree", field->is_tree);
}

static void append_field(json_writer *writer, const field *field, const uint64_t *offset)
{
    memory_layout layout = layout_of_type(&field->type);
    writer_open(writer, '{');
    writer_set_text(writer, "name", field->name);
    writer_set_text(writer, "doc", field->doc);
    writer_set_text(writer, "unit", field->unit);
    append_type(writer, &field->type);
    set_bytes(writer, "offset", offset);
    set_bytes(writer, "size", layout.is_guess ? NULL : &layout.size);
    writer_set_bool(writer, "has_default", field->has_default);
    writer_key(writer, "default");
    list_append_constant(writer, &field->type, field->default_value);
    set_range(writer, field);
    writer_set_text(writer, "inspect", list_inspect_name(field->inspect));
    writer_set_text(writer, "index", list_index_kind_name(field->index));
    set_relation(writer, field);
    list_set_saving(writer, &field->saved, field->is_unsaved);
    list_set_place(writer, field->span);
    writer_close(writer, '}');
}

// The offset of a field with unknown alignment is unknown, and so are those of all later fields. The first is 0.
void list_set_fields(json_writer *writer, const field_list *list)
{
    const uint64_t *offsets = layout_offsets(writer->out->arena, list);
    bool is_known = true;
    writer_key(writer, "fields");
    writer_open(writer, '[');
    for (size_t i = 0; i < list->count; i++) {
        is_known = is_known && !layout_of_type(&list->fields[i].type).is_guess;
        append_field(writer, &list->fields[i], is_known || i == 0 ? &offsets[i] : NULL);
    }
    writer_close(writer, ']');
}

static void set_values(json_writer *writer, const definition *definition)
{
    writer_key(writer, "values");
    writer_open(writer, '[');
    for (size_t i = 0; i < definition->enumerator_count; i++) {
        const enumerator *enumerator = &definition->enumerators[i];
        writer_open_line(writer, '{');
        writer_set_text(writer, "name", enumerator->name);
        writer_key(writer, "value");
        writer_number(writer, arena_format(writer->out->arena, "%" PRId32, enumerator->number));
        writer_set_text(writer, "identity", enumerator->saved.identity);
        list_set_place(writer, enumerator->span);
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
}

void list_append_definition(json_writer *writer, const definition *definition)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", definition->name);
    writer_set_text(writer, "kind", list_definition_kind_name(definition->kind));
    writer_set_text(writer, "doc", definition->doc);
    list_set_layout(writer, layout_of_definition(definition));
    list_set_fields(writer, &definition->fields);
    set_values(writer, definition);
    writer_set_text(writer, "c_type", definition->opaque);
    writer_set_text(writer, "header", definition->header);
    writer_set_text(writer, "drop", definition->drop);
    writer_set_text(writer, "save", definition->save);
    writer_set_text(writer, "load", definition->load);
    list_set_place(writer, definition->span);
    writer_close(writer, '}');
}

// ---- groups and components

void list_set_components(json_writer *writer, const char *key, const component *const *components, size_t count)
{
    writer_key(writer, key);
    writer_open_line(writer, '[');
    for (size_t i = 0; i < count; i++)
        writer_text(writer, components[i]->name);
    writer_close(writer, ']');
}

void list_set_rules(json_writer *writer, const rule *rules, size_t count)
{
    writer_key(writer, "rules");
    writer_open(writer, '[');
    for (size_t i = 0; i < count; i++) {
        writer_open_line(writer, '{');
        writer_set_text(writer, "rule", list_rule_name(rules[i].kind));
        writer_key(writer, "components");
        writer_open_line(writer, '[');
        for (size_t k = 0; k < rules[i].count; k++)
            writer_text(writer, rules[i].components[k]->name);
        writer_close(writer, ']');
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
}

void list_append_group(json_writer *writer, const group *group)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", group->name);
    writer_set_text(writer, "context", group->context->name);
    writer_set_text(writer, "doc", group->doc);
    list_set_rules(writer, group->rules, group->rule_count);
    list_set_components(writer, "maybe", group->maybe.components, group->maybe.count);
    list_set_place(writer, group->span);
    writer_close(writer, '}');
}
