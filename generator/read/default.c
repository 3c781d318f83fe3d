// The value of a field whose schema gives none: zero, the first value of an enum, and what the fields of a struct say.
#include "model/type.h"
#include "read/private/constant.h"

const constant *default_struct(reader *reader, const definition *definition)
{
    definition_draft *draft = draft_of(definition);
    if (draft->default_value != NULL)
        return draft->default_value;
    constant_list list = constant_list_begin(reader, CONSTANT_STRUCT, definition->fields.count, definition->span);
    for (size_t i = 0; i < definition->fields.count; i++)
        constant_list_append(&list, definition->fields.fields[i].default_value);
    draft->default_value = constant_list_end(&list);
    return draft->default_value;
}

static const constant *default_element(reader *reader, const field_type *type)
{
    integer zero = {.magnitude = 0};
    constant *value;
    switch (type->kind) {
    case TYPE_STRUCT:
        return default_struct(reader, type->definition);
    case TYPE_ENUM:
        return constant_of_enumerator(reader, &type->definition->enumerators[0]);
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        return constant_of_number(reader, floating_literal(reader->arena, "0", type->kind), true);
    case TYPE_BOOL:
        value = constant_create(reader, CONSTANT_BOOL);
        break;
    case TYPE_STRING:
        value = constant_create(reader, CONSTANT_STRING);
        break;
    case TYPE_INLINE_STRING:
        value = constant_create(reader, CONSTANT_STRING);
        value->bytes = "";
        break;
    case TYPE_OPAQUE:
        value = constant_create(reader, CONSTANT_OPAQUE);
        break;
    case TYPE_ENTITY:
    case TYPE_CONTEXT_ENTITY:
        value = constant_create(reader, CONSTANT_ENTITY);
        break;
    default:
        return constant_of_number(reader, integer_literal(reader->arena, zero, type->kind), true);
    }
    value->is_zero = true;
    return value;
}

const constant *default_constant(reader *reader, const field_type *type)
{
    const constant *element = constant_has_broken_type(type) ? NULL : default_element(reader, type);
    if (element == NULL || type->array_count == 0)
        return element;
    constant_list list = constant_list_begin(reader, CONSTANT_ARRAY, 1, type->span);
    constant_list_append(&list, element);
    list.constant->is_uniform = true;
    list.constant->count = type->array_count;
    return constant_list_end(&list);
}
