// Reads the default value of a field, or makes one if the schema gives none. Checks values of fields with a `range`.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

// ---- ranges

// Checks the values that the schema gives fields with a `range`.

int range_compare(reader *reader, const field *field, const constant *a, const constant *b)
{
    return literal_compare(reader->arena, a->literal, b->literal, field->type.kind);
}

static bool has_range(const field *field)
{
    return field->minimum != NULL || field->maximum != NULL;
}

static const char *spelled(reader *reader, const constant *number)
{
    return number == NULL ? "~" : literal_number(reader->arena, number->literal);
}

static bool is_outside(reader *reader, const field *field, const constant *number)
{
    if (literal_is_nan(number->literal))
        return true;
    if (field->minimum != NULL && range_compare(reader, field, number, field->minimum) < 0)
        return true;
    return field->maximum != NULL && range_compare(reader, field, number, field->maximum) > 0;
}

static void check_number(reader *reader, const field *field, const tree_node *node, const constant *number)
{
    if (is_outside(reader, field, number))
        diagnostic_error(reader->diagnostics, CODE_VALUE_OUT_OF_RANGE, node->span,
                         "%s is outside of the range of field '%s'; expected [%s, %s]", node->text, field->name,
                         spelled(reader, field->minimum), spelled(reader, field->maximum));
}

// An array or a list has a node for each element.
static void check_items(reader *reader, const field *field, const tree_node *node, const constant *array)
{
    const tree_node *item = node->items;
    for (size_t i = 0; i < array->count; i++, item = item->next)
        check_number(reader, field, item, schema_constant_item(array, i));
}

const constant *check_in_range(reader *reader, const field *field, const tree_node *node, const constant *value)
{
    if (value == NULL || !has_range(field))
        return value;
    if (field->type.array_count == 0 && !field->type.is_list)
        check_number(reader, field, node, value);
    else
        check_items(reader, field, node, value);
    return value;
}

// Returns whether 0 is below the range, or else above it.
static bool is_zero_below(reader *reader, const field *field, const constant *zero)
{
    return field->minimum != NULL && range_compare(reader, field, zero, field->minimum) < 0;
}

void check_implied_default(reader *reader, const field *field)
{
    const constant *zero = field->default_value;
    if (zero == NULL || !has_range(field) || field->type.is_list)
        return;
    if (field->type.array_count > 0)
        zero = schema_constant_item(zero, 0);
    if (!is_outside(reader, field, zero))
        return;
    const constant *nearest = is_zero_below(reader, field, zero) ? field->minimum : field->maximum;
    diagnostic_error(reader->diagnostics, CODE_VALUE_OUT_OF_RANGE, field->span,
                     "field '%s' begins as 0, which is outside of its range; expected [%s, %s]", field->name,
                     spelled(reader, field->minimum), spelled(reader, field->maximum));
    if (field->type.array_count > 0)
        diagnostic_hint(reader->diagnostics, "add a default");
    else
        diagnostic_hint(reader->diagnostics, "add 'default: %s'", spelled(reader, nearest));
}

// ---- constants

// Reads the default value of a field, or makes one if the schema gives none.

static constant *constant_create(reader *reader, constant_kind kind)
{
    constant *constant = arena_allocate(reader->arena, sizeof *constant);
    constant->kind = kind;
    return constant;
}

static const constant *constant_of_number(reader *reader, const char *literal, bool is_zero)
{
    constant *number = constant_create(reader, CONSTANT_NUMBER);
    number->literal = literal;
    number->is_zero = is_zero;
    return number;
}

static const constant *constant_of_enumerator(reader *reader, const enumerator *enumerator)
{
    constant *constant = constant_create(reader, CONSTANT_ENUMERATOR);
    constant->enumerator = enumerator;
    constant->is_zero = enumerator->number == 0;
    return constant;
}

static bool constant_has_broken_type(const field_type *type)
{
    return type->is_unknown || (type->definition != NULL && draft_of(type->definition)->is_broken);
}

bool constant_may_hold(reader *reader, size_t count, span place)
{
    bool was_within = reader->constant_items <= SCHEMA_CONSTANT_LIMIT;
    reader->constant_items += count;
    bool is_within = reader->constant_items <= SCHEMA_CONSTANT_LIMIT;
    if (was_within && !is_within)
        diagnostic_error(reader->diagnostics, CODE_DEFAULTS_TOO_LARGE, place,
                         "defaults of the schema are too large; at most %d parts are allowed", SCHEMA_CONSTANT_LIMIT);
    return is_within;
}

constant_list constant_list_begin(reader *reader, constant_kind kind, size_t capacity, span place)
{
    constant_list list = {.constant = constant_create(reader, kind)};
    list.is_broken = !constant_may_hold(reader, capacity, place);
    if (list.is_broken)
        return list;
    list.items = arena_allocate(reader->arena, (capacity + 1) * sizeof *list.items);
    list.constant->items = list.items;
    list.constant->is_zero = true;
    return list;
}

void constant_list_append(constant_list *list, const constant *item)
{
    list->is_broken = list->is_broken || item == NULL;
    if (list->is_broken)
        return;
    list->items[list->constant->count++] = item;
    list->constant->is_zero = list->constant->is_zero && item->is_zero;
}

const constant *constant_list_end(const constant_list *list)
{
    return list->is_broken ? NULL : list->constant;
}

// ---- default values of types

static const constant *default_struct(reader *reader, const definition *definition)
{
    definition_draft *draft = draft_of(definition);
    assert(draft->state == DRAFT_DONE);
    if (draft->default_value != NULL)
        return draft->default_value;
    constant_list list = constant_list_begin(reader, CONSTANT_STRUCT, definition->fields.count, definition->span);
    for (size_t i = 0; i < definition->fields.count; i++)
        constant_list_append(&list, definition->fields.fields[i].default_value);
    draft->default_value = constant_list_end(&list);
    return draft->default_value;
}

static const constant *constant_of_zero(reader *reader, constant_kind kind)
{
    constant *constant = constant_create(reader, kind);
    constant->is_zero = true;
    return constant;
}

static const constant *constant_of_empty_string(reader *reader)
{
    constant *constant = constant_create(reader, CONSTANT_STRING);
    constant->bytes = "";
    constant->is_zero = true;
    return constant;
}

static const constant *default_element(reader *reader, const field_type *type)
{
    integer zero = {.magnitude = 0};
    switch (type->kind) {
    case TYPE_STRUCT:
        return default_struct(reader, type->definition);
    case TYPE_ENUM:
        assert(type->definition->enumerator_count > 0);
        return constant_of_enumerator(reader, &type->definition->enumerators[0]);
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        return constant_of_number(reader, floating_literal(reader->arena, "0", type->kind), true);
    case TYPE_BOOL:
        return constant_of_zero(reader, CONSTANT_BOOL);
    case TYPE_STRING:
        return constant_of_zero(reader, CONSTANT_STRING);
    case TYPE_INLINE_STRING:
        return constant_of_empty_string(reader);
    case TYPE_OPAQUE:
        return constant_of_zero(reader, CONSTANT_OPAQUE);
    case TYPE_ENTITY:
    case TYPE_CONTEXT_ENTITY:
        return constant_of_zero(reader, CONSTANT_ENTITY);
    default:
        return constant_of_number(reader, integer_literal(reader->arena, zero, type->kind), true);
    }
}

const constant *default_constant(reader *reader, const field_type *type)
{
    if (type->is_list)
        return constant_has_broken_type(type) ? NULL : constant_of_zero(reader, CONSTANT_ARRAY);
    const constant *element = constant_has_broken_type(type) ? NULL : default_element(reader, type);
    if (element == NULL || type->array_count == 0)
        return element;
    constant_list list = constant_list_begin(reader, CONSTANT_ARRAY, 1, type->span);
    constant_list_append(&list, element);
    list.constant->is_uniform = true;
    list.constant->count = type->array_count;
    return constant_list_end(&list);
}

// ---- values from the schema

static const constant *read_bool(reader *reader, const tree_node *node)
{
    bool boolean = false;
    if (!reader_read_bool(reader, node, &boolean))
        return NULL;
    constant *value = constant_create(reader, CONSTANT_BOOL);
    value->boolean = boolean;
    value->is_zero = !boolean;
    return value;
}

static const constant *read_number(reader *reader, const tree_node *node, type_kind kind)
{
    integer integer = {.magnitude = 0};
    if (!scalar_check_number(reader->diagnostics, node, kind, &integer))
        return NULL;
    if (scalar_type_of(kind)->maximum > 0)
        return constant_of_number(reader, integer_literal(reader->arena, integer, kind), integer.magnitude == 0);
    const char *literal = floating_literal(reader->arena, node->text, kind);
    return constant_of_number(reader, literal, literal[0] != '-' && floating_is_zero(node->text));
}

static const constant *read_string(reader *reader, const tree_node *node)
{
    if (node->size > SCHEMA_STRING_LIMIT) {
        diagnostic_error(reader->diagnostics, CODE_TEXT_DOES_NOT_FIT, node->span,
                         "string of %zu bytes is too long; a default may have at most %d", node->size,
                         SCHEMA_STRING_LIMIT);
        return NULL;
    }
    constant *value = constant_create(reader, CONSTANT_STRING);
    value->bytes = node->text;
    value->size = node->size;
    return value;
}

static const constant *read_inline_string(reader *reader, const tree_node *node, size_t limit)
{
    if (!scalar_check_string(reader->diagnostics, node, limit))
        return NULL;
    constant *value = constant_create(reader, CONSTANT_STRING);
    value->bytes = node->text;
    value->size = node->size;
    value->is_zero = node->size == 0;
    return value;
}

static const constant *read_enumerator(reader *reader, const tree_node *node, const definition *definition)
{
    const enumerator *enumerator = dictionary_find(&draft_of(definition)->enumerators, node->text);
    if (enumerator != NULL)
        return constant_of_enumerator(reader, enumerator);
    scalar_report_enumerator(reader->diagnostics, node, definition->name);
    name_search search = reader_search_members(reader, node->text, definition);
    if (search.nearest != NULL)
        reader_hint(reader, search);
    else if (definition->enumerator_count > 0)
        diagnostic_hint(reader->diagnostics, "write one of its values, such as '%s'", definition->enumerators[0].name);
    return NULL;
}

// Returns whether the struct has that field; reports an unknown key.
static bool check_field_key(reader *reader, const tree_node *key, const definition *definition)
{
    for (size_t i = 0; i < definition->fields.count; i++)
        if (strcmp(definition->fields.fields[i].name, key->text) == 0)
            return true;
    diagnostic_error(reader->diagnostics, CODE_UNKNOWN_MEMBER, key->span, "type '%s' has no field '%s'",
                     definition->name, key->text);
    reader_hint(reader, reader_search_members(reader, key->text, definition));
    return false;
}

// Fields missing from the mapping are copied from `base`, or get their defaults if `base` is NULL.
static const constant *read_struct(reader *reader, const tree_node *node, const definition *definition,
                                   const constant *base)
{
    if (!reader_expect_mapping(reader, node, arena_format(reader->arena, "a value of type '%s'", definition->name)))
        return NULL;
    if (node->count == 0)
        return base != NULL ? base : default_struct(reader, definition);
    constant_list list = constant_list_begin(reader, CONSTANT_STRUCT, definition->fields.count, node->span);
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next)
        if (!check_field_key(reader, pair->key, definition))
            list.is_broken = true;
    for (size_t i = 0; i < definition->fields.count; i++) {
        const field *field = &definition->fields.fields[i];
        const tree_node *given = tree_find(node, field->name);
        const constant *former = base != NULL ? schema_constant_item(base, i) : field->default_value;
        if (given != NULL)
            former = check_in_range(reader, field, given, read_override(reader, &field->type, given, former));
        constant_list_append(&list, former);
    }
    return constant_list_end(&list);
}

static const constant *read_array(reader *reader, const tree_node *node, const field_type *type)
{
    const char *name = schema_type_name(reader->arena, type);
    if (type->is_list && node->kind == TREE_SEQUENCE && node->count == 0)
        return constant_of_zero(reader, CONSTANT_ARRAY);
    if (!reader_expect_items(reader, node, arena_format(reader->arena, "a value of %s", name)))
        return NULL;
    bool has_count = type->is_list || node->count == type->array_count;
    if (!has_count)
        diagnostic_error(reader->diagnostics, CODE_ARRAY_COUNT, node->span, "found %zu values; %s requires %zu",
                         node->count, name, type->array_count);
    field_type element = schema_element_type(type);
    constant_list list = constant_list_begin(reader, CONSTANT_ARRAY, node->count, node->span);
    list.is_broken = list.is_broken || !has_count;
    for (const tree_node *item = node->items; item != NULL; item = item->next)
        constant_list_append(&list, read_constant(reader, &element, item));
    if (type->is_list && !list.is_broken)
        list.constant->is_zero = false; // it has a pointer and a count
    return constant_list_end(&list);
}

static const constant *read_scalar(reader *reader, const field_type *type, const tree_node *node)
{
    if (type->kind == TYPE_BOOL)
        return read_bool(reader, node);
    const char *what = arena_format(reader->arena, "a value of %s", schema_type_name(reader->arena, type));
    if (!reader_expect_value(reader, node, what))
        return NULL;
    if (type->kind == TYPE_ENUM)
        return read_enumerator(reader, node, type->definition);
    if (type->kind == TYPE_INLINE_STRING)
        return read_inline_string(reader, node, type->string_size);
    if (type->kind == TYPE_STRING)
        return read_string(reader, node);
    return read_number(reader, node, type->kind);
}

const constant *read_constant(reader *reader, const field_type *type, const tree_node *node)
{
    return read_override(reader, type, node, NULL);
}

// Reads a slot, such as `.head.left`, in a blueprint of the context of the entity's type. read_slots finds its part.
static const constant *read_slot(reader *reader, const field_type *type, const tree_node *node)
{
    const blueprint *of = reader->slots_of;
    if (type->kind == TYPE_CONTEXT_ENTITY && type->context == NULL)
        return NULL; // its context is unknown, which was reported
    if (!tree_is_text(node) || node->text[0] != '.' || of == NULL) {
        diagnostic_error(reader->diagnostics, CODE_NO_DEFAULT_POSSIBLE, node->span,
                         "an entity cannot have a default; it begins as the null entity");
        if (of != NULL && type->kind == TYPE_CONTEXT_ENTITY)
            diagnostic_hint(reader->diagnostics, "name a part of the blueprint, such as '.head', or remove it");
        return NULL;
    }
    if (type->kind != TYPE_CONTEXT_ENTITY || type->context != of->context) {
        diagnostic_error(reader->diagnostics, CODE_NO_SUCH_PART, node->span,
                         "'%s' is a part in context '%s', which a field of type %s cannot name", node->text,
                         of->context == NULL ? "?" : of->context->name, schema_type_name(reader->arena, type));
        return NULL;
    }
    slot *named = arena_allocate(reader->arena, sizeof *named);
    *named = (slot){.path = node->text + 1, .blueprint = of, .span = node->span};
    constant *value = constant_create(reader, CONSTANT_ENTITY);
    value->is_zero = true; // until it is spawned
    value->slot = named;
    return value;
}

const constant *read_override(reader *reader, const field_type *type, const tree_node *node, const constant *base)
{
    if (constant_has_broken_type(type) || node->kind == TREE_BROKEN)
        return NULL;
    bool is_entity = type->kind == TYPE_ENTITY || type->kind == TYPE_CONTEXT_ENTITY;
    if (is_entity && type->array_count == 0)
        return read_slot(reader, type, node);
    if (type->kind == TYPE_OPAQUE) {
        diagnostic_error(reader->diagnostics, CODE_NO_DEFAULT_POSSIBLE, node->span,
                         "an opaque value cannot have a default; all its bytes begin as 0");
        return NULL;
    }
    if (type->array_count > 0 || type->is_list)
        return read_array(reader, node, type);
    if (type->kind == TYPE_STRUCT)
        return read_struct(reader, node, type->definition, base);
    return read_scalar(reader, type, node);
}
