// View of types and components: C names, fields and default values.
#include "generator/render/internal.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

// ---- names in C

const char *view_type_name(const view_scope *scope, const char *name)
{
    return arena_format(scope->arena, "%s%s", scope->package->prefix, name);
}

const char *view_snake_name(const view_scope *scope, const char *name)
{
    return arena_format(scope->arena, "%s%s", scope->package->prefix, name_to_snake_case(scope->arena, name));
}

const char *view_edited_type(const view_scope *scope, const component *component)
{
    return arena_format(scope->arena, "%s%s", view_type_name(scope, component->name),
                        text_if(schema_has_edit_type(component), "Edit"));
}

const char *view_context_name(const view_scope *scope, const context *context)
{
    return arena_format(scope->arena, "%s%s", scope->package->prefix, context->name);
}

const char *view_macro_name(const view_scope *scope, const char *part)
{
    return arena_format(scope->arena, "KIN_GENERATED_%s%s", schema_macro_stem(scope->arena, scope->package),
                        name_to_upper_case(scope->arena, part));
}

const char *view_stamp_macro(const view_scope *scope, const char *part)
{
    return arena_format(scope->arena, "%s_STAMP", view_macro_name(scope, part));
}

// The prefix is converted on its own so that it does not merge with the first word.
const char *view_upper_name(const view_scope *scope, const char *name)
{
    return arena_format(scope->arena, "%s%s", scope->upper_prefix, name_to_upper_case(scope->arena, name));
}

const char *view_component_id(const view_scope *scope, const context *context, const component *component)
{
    assert(context->components[schema_component_id(context, component)] == component);
    return arena_format(scope->arena, "%s_%s", view_upper_name(scope, context->name),
                        name_to_upper_case(scope->arena, component->name));
}

const char *view_enumerator_name(const view_scope *scope, const definition *definition, const enumerator *enumerator)
{
    return arena_format(scope->arena, "%s_%s", view_upper_name(scope, definition->name),
                        name_to_upper_case(scope->arena, enumerator->name));
}

// ---- fields

static const struct {
    const char *c_type, *kin_type; // NULL if it depends on the named type
} scalars[] = {
    [TYPE_BOOL] = {"bool", "KIN_TYPE_BOOL"},
    [TYPE_INT8] = {"int8_t", "KIN_TYPE_INT8"},
    [TYPE_INT16] = {"int16_t", "KIN_TYPE_INT16"},
    [TYPE_INT32] = {"int32_t", "KIN_TYPE_INT32"},
    [TYPE_INT64] = {"int64_t", "KIN_TYPE_INT64"},
    [TYPE_UINT8] = {"uint8_t", "KIN_TYPE_UINT8"},
    [TYPE_UINT16] = {"uint16_t", "KIN_TYPE_UINT16"},
    [TYPE_UINT32] = {"uint32_t", "KIN_TYPE_UINT32"},
    [TYPE_UINT64] = {"uint64_t", "KIN_TYPE_UINT64"},
    [TYPE_FLOAT] = {"float", "KIN_TYPE_FLOAT"},
    [TYPE_DOUBLE] = {"double", "KIN_TYPE_DOUBLE"},
    [TYPE_STRING] = {"const char", "KIN_TYPE_STRING"},
    [TYPE_INLINE_STRING] = {"char", "KIN_TYPE_INLINE_STRING"},
    [TYPE_ENTITY] = {NULL, "KIN_TYPE_ENTITY"},
    [TYPE_CONTEXT_ENTITY] = {NULL, "KIN_TYPE_ENTITY"},
    [TYPE_ENUM] = {NULL, "KIN_TYPE_ENUM"},
    [TYPE_STRUCT] = {NULL, "KIN_TYPE_STRUCT"},
    [TYPE_OPAQUE] = {NULL, "KIN_TYPE_OPAQUE"},
};

// C++ forbids a member with the name of a type that the struct uses unqualified.
static bool hides_type(const field_list *list, const char *type)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->fields[i].name, type) == 0)
            return true;
    return false;
}

static const char *entity_type(const view_scope *scope, const field_list *list, const field_type *type)
{
    assert(type->kind == TYPE_ENTITY || type->kind == TYPE_CONTEXT_ENTITY);
    const char *name = "kin_entity";
    if (type->kind == TYPE_CONTEXT_ENTITY)
        name = arena_format(scope->arena, "%s_entity", view_context_name(scope, type->context));
    if (!hides_type(list, name))
        return name;
    if (type->kind == TYPE_ENTITY)
        return "uint64_t";
    return arena_format(scope->arena, "struct %s", name);
}

static const char *c_type(const view_scope *scope, const field_list *list, const field_type *type)
{
    assert(!type->is_unknown && (size_t)type->kind < sizeof scalars / sizeof *scalars);
    if (scalars[type->kind].c_type != NULL)
        return scalars[type->kind].c_type;
    if (type->kind == TYPE_ENTITY || type->kind == TYPE_CONTEXT_ENTITY)
        return entity_type(scope, list, type);
    return view_type_name(scope, type->definition->name);
}

const char *view_field_type(const view_scope *scope, const field_type *type)
{
    return c_type(scope, &(field_list){.count = 0}, type);
}

const char *view_kin_type(type_kind kind)
{
    return scalars[kind].kin_type;
}

static const char *dimensions(const view_scope *scope, const field_type *type)
{
    text text = text_create(scope->arena);
    if (type->array_count > 0)
        text_append_format(&text, "[%zu]", (size_t)type->array_count);
    if (type->kind == TYPE_INLINE_STRING)
        text_append_format(&text, "[%zu]", type->string_size + 1);
    return text.bytes;
}

// Returns the declaration before the field's name in the struct of `edit`.
static const char *edit_type(const view_scope *scope, const field_list *list, const field *field)
{
    const char *type = c_type(scope, list, &field->type);
    if (field->type.kind == TYPE_STRING)
        return arena_format(scope->arena, "%s *const ", type);
    return arena_format(scope->arena, "%s%s ", text_if(schema_field_is_const(field), "const "), type);
}

void view_set_inspect(const view_scope *scope, value *map, inspect_kind inspect)
{
    static const char *const names[] = {
        [INSPECT_EDIT] = NULL, [INSPECT_READ_ONLY] = "KIN_INSPECT_READ_ONLY", [INSPECT_HIDDEN] = "KIN_INSPECT_HIDDEN"};
    view_set_text(scope, map, "inspect", names[inspect]);
}

void view_set_relation_keys(const view_scope *scope, value *map, const field *field)
{
    static const char *const names[] = {[ON_DESTROY_KEEP] = NULL,
                                        [ON_DESTROY_CLEAR] = "KIN_ON_DESTROY_CLEAR",
                                        [ON_DESTROY_REMOVE] = "KIN_ON_DESTROY_REMOVE",
                                        [ON_DESTROY_DESTROY] = "KIN_ON_DESTROY_DESTROY",
                                        [ON_DESTROY_REFUSE] = "KIN_ON_DESTROY_REFUSE"};
    assert((size_t)field->on_destroy < sizeof names / sizeof *names);
    view_set_text(scope, map, "on_destroy", names[field->on_destroy]);
    view_set_literal(scope, map, "reverse_text", field->reverse);
    view_set_bool(scope, map, "is_tree", field->is_tree);
}

// Sets a bound of a range; null without one.
static void set_bound(const view_scope *scope, value *map, const char *key, const field *field, const constant *bound)
{
    assert(bound == NULL || bound->kind == CONSTANT_NUMBER);
    const char *literal = NULL;
    if (bound != NULL)
        literal = bound->literal;
    if (bound != NULL && field->type.kind == TYPE_FLOAT)
        literal = arena_format(scope->arena, "(double)(float)%s", literal); // a compiler may know 0.1f more exactly
    view_set_text(scope, map, key, literal);
}

// `range`: the literals of the bounds, and the member of kin_number that has them; null without a range.
static value *range_of(const view_scope *scope, const field *field)
{
    type_kind kind = field->type.kind;
    value *map = value_map(scope->arena);
    if (field->minimum == NULL && field->maximum == NULL)
        return value_null(scope->arena);
    const char *member = "integer";
    if (kind >= TYPE_UINT8)
        member = "natural";
    if (kind >= TYPE_FLOAT)
        member = "number";
    view_set_text(scope, map, "member", member);
    set_bound(scope, map, "min", field, field->minimum);
    set_bound(scope, map, "max", field, field->maximum);
    return map;
}

value *view_field(const view_scope *scope, const field_list *list, const field *field)
{
    const field_type *type = &field->type;
    const char *target = NULL, *count = NULL, *declared = NULL;
    if (type->definition != NULL)
        declared = view_type_name(scope, type->definition->name);
    if (type->kind == TYPE_CONTEXT_ENTITY)
        target = type->context->name;
    if (type->array_count > 0)
        count = arena_format(scope->arena, "%zu", (size_t)type->array_count);
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "field", field->name);
    view_set_text(scope, map, "c_type", c_type(scope, list, type));
    view_set_text(scope, map, "edit_type", edit_type(scope, list, field));
    view_set_text(scope, map, "star", text_if(type->kind == TYPE_STRING, "*"));
    view_set_text(scope, map, "dimensions", dimensions(scope, type));
    view_set_bool(scope, map, "is_array", type->array_count > 0 || type->kind == TYPE_INLINE_STRING);
    view_set_text(scope, map, "kin_type", scalars[type->kind].kin_type);
    view_set_text(scope, map, "count", count);
    view_set_bool(scope, map, "is_list", type->is_list);
    view_set_text(scope, map, "of", declared);
    view_set_literal(scope, map, "target", target);
    view_set_literal(scope, map, "name_text", field->name);
    value_set(map, "range", range_of(scope, field));
    view_set_inspect(scope, map, field->inspect);
    view_set_identity(scope, map, field->name, &field->saved);
    view_set_bool(scope, map, "is_unsaved", field->is_unsaved);
    view_set_bool(scope, map, "is_not_content", field->is_not_content);
    view_set_relation_keys(scope, map, field);
    view_set_doc(scope, map, field->doc, field->unit);
    return map;
}

// ---- values: a designated initializer for each part that is not all zero bytes

static void append_initializer(const view_scope *scope, value *list, const char *path, const char *literal)
{
    value *map = value_append_map(scope->arena, list);
    view_set_text(scope, map, "path", path);
    view_set_text(scope, map, "literal", literal);
}

// Returns the initializer of an array of char: for a string that is longer than C promises of a literal, a list.
static const char *array_literal(const view_scope *scope, const constant *constant)
{
    assert(constant->kind == CONSTANT_STRING && constant->bytes != NULL);
    if (constant->size <= VIEW_LITERAL_LIMIT)
        return view_literal(scope->arena, constant->bytes, constant->size);
    text list = text_create(scope->arena);
    text_append_string(&list, "{");
    for (size_t i = 0; i < constant->size; i++) {
        text_separate(&list, i, ", ");
        text_append_format(&list, "'\\%03o'", (unsigned char)constant->bytes[i]);
    }
    text_append_string(&list, "}");
    return list.bytes;
}

static void append_initializers(const view_scope *scope, value *list, const char *path, const field_type *type,
                                const constant *constant);

static void append_struct(const view_scope *scope, value *list, const char *path, const field_type *type,
                          const constant *constant)
{
    assert(constant->count == type->definition->fields.count);
    for (size_t i = 0; i < constant->count; i++) {
        const field *field = &type->definition->fields.fields[i];
        const char *member = arena_format(scope->arena, "%s.%s", path, field->name);
        append_initializers(scope, list, member, &field->type, constant->items[i]);
    }
}

static void append_array(const view_scope *scope, value *list, const char *path, const field_type *type,
                         const constant *constant)
{
    assert(constant->count == type->array_count || type->is_list);
    field_type element = schema_element_type(type);
    for (size_t i = 0; i < constant->count; i++) {
        const char *place = arena_format(scope->arena, "%s[%zu]", path, i);
        append_initializers(scope, list, place, &element, schema_constant_item(constant, i));
    }
}

static const char *text_of(const value *part, const char *key)
{
    return value_find(part, value_key_create(key))->text;
}

// Returns the initializers of a list of parts, in braces: `{.kind = 1, .count = 2}`.
static const char *braced(const view_scope *scope, const value *list)
{
    text all = text_create(scope->arena);
    if (list->first == NULL)
        return "{0}";
    text_append_string(&all, "{");
    for (const value *part = list->first; part != NULL; part = part->next) {
        text_append_string(&all, text_if(part != list->first, ", "));
        text_append_format(&all, "%s = %s", text_of(part, "path"), text_of(part, "literal"));
    }
    text_append_string(&all, "}");
    return all.bytes;
}

// A constant outside of functions: its elements are a compound literal, which lives as long as the program.
static void append_list(const view_scope *scope, value *list, const char *path, const field_type *type,
                        const constant *constant)
{
    assert(type->is_list && constant->kind == CONSTANT_ARRAY);
    value *elements = value_list(scope->arena);
    append_array(scope, elements, "", type, constant);
    append_initializer(scope, list, arena_format(scope->arena, "%s.at", path),
                       arena_format(scope->arena, "(const %s[%zu])%s", view_field_type(scope, type), constant->count,
                                    braced(scope, elements)));
    append_initializer(scope, list, arena_format(scope->arena, "%s.count", path),
                       arena_format(scope->arena, "%zu", constant->count));
}

// Returns the literal of a value without parts; NULL if C cannot write the type's values.
static const char *scalar_literal(const view_scope *scope, const field_type *type, const constant *constant)
{
    static const char *const booleans[] = {"false", "true"};
    switch (constant->kind) {
    case CONSTANT_BOOL:
        return booleans[constant->boolean];
    case CONSTANT_NUMBER:
        return constant->literal;
    case CONSTANT_STRING:
        if (type->kind == TYPE_STRING)
            return view_literal(scope->arena, constant->bytes, constant->size);
        return array_literal(scope, constant);
    case CONSTANT_ENUMERATOR:
        return view_enumerator_name(scope, type->definition, constant->enumerator);
    case CONSTANT_ENTITY:
    case CONSTANT_OPAQUE:
    case CONSTANT_STRUCT:
    case CONSTANT_ARRAY:
        break;
    }
    return NULL;
}

// Recursive over structs in structs, which end because the schema refuses recursive ones.
static void append_initializers(const view_scope *scope, value *list, const char *path, const field_type *type,
                                const constant *constant)
{
    if (constant->is_zero)
        return;
    const char *literal = scalar_literal(scope, type, constant);
    if (constant->kind == CONSTANT_STRUCT)
        append_struct(scope, list, path, type, constant);
    else if (constant->kind == CONSTANT_ARRAY && type->is_list)
        append_list(scope, list, path, type, constant);
    else if (constant->kind == CONSTANT_ARRAY)
        append_array(scope, list, path, type, constant);
    else if (literal != NULL)
        append_initializer(scope, list, path, literal);
}

const char *view_element_default(const view_scope *scope, const field *field)
{
    value *parts = value_list(scope->arena);
    const field_type element = schema_element_type(&field->type);
    assert(field->type.is_list);
    if (field->element_default->is_zero)
        return NULL;
    append_initializers(scope, parts, "", &element, field->element_default);
    if (field->element_default->kind == CONSTANT_STRUCT)
        return braced(scope, parts);
    return text_of(parts->first, "literal");
}

void view_append_initializers(const view_scope *scope, value *list, const char *path, const field *field,
                              const constant *constant)
{
    append_initializers(scope, list, path, &field->type, constant);
}

void view_set_initializers(const view_scope *scope, value *map, value *list)
{
    assert(list->kind == VALUE_LIST);
    view_set_bool(scope, map, "has_initializers", list->first != NULL);
    value_set(map, "initializers", list);
}

void view_set_default_symbol(const view_scope *scope, value *map, const char *owner, const char *name)
{
    view_set_text(scope, map, "default_owner", owner);
    view_set_text(scope, map, "default_symbol",
                  arena_format(scope->arena, "kin__default_of_%s_%s", owner, view_type_name(scope, name)));
}

bool view_uses(const field_list *list, const definition *definition)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->fields[i].type.definition == definition)
            return true;
    return false;
}

void view_set_fields(const view_scope *scope, value *map, const field_list *list)
{
    value *fields = value_list(scope->arena);
    value *initializers = value_list(scope->arena);
    for (size_t i = 0; i < list->count; i++) {
        const field *field = &list->fields[i];
        assert(field->default_value != NULL);
        value_append(fields, view_field(scope, list, field));
        view_append_initializers(scope, initializers, field->name, field, field->default_value);
    }
    value_set(map, "fields", fields);
    view_set_count(scope, map, "field_count", list->count);
    view_set_initializers(scope, map, initializers);
}
