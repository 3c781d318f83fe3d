// View of indices: functions with one parameter for each field of the key, and the steps that append the parameters to
// a key. The bytes must equal those that the runtime reads from the components.
#include "generator/render/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_SIZE = 8 }; // keys of at most this many bytes need no hash in the runtime

// The parameters of an index and the calls that append them to a key.
typedef struct key_view {
    const view_scope *scope;
    value *steps;
    size_t size; // bytes of the key so far
} key_view;

static void append_step(key_view *key, const char *call, const char *arguments)
{
    value *map = value_map(key->scope->arena);
    view_set_text(key->scope, map, "call", call);
    view_set_text(key->scope, map, "arguments", arguments);
    value_append(key->steps, map);
}

static size_t size_of(const field_type *type)
{
    assert(type->kind != TYPE_STRUCT && !type->is_list && type->array_count == 0);
    switch (type->kind) {
    case TYPE_STRING:
        return WORD_SIZE;
    case TYPE_INLINE_STRING:
        return type->string_size + 1;
    case TYPE_ENUM:
        return sizeof(int32_t);
    case TYPE_CONTEXT_ENTITY:
        return sizeof(uint64_t);
    default:
        return scalar_type_of(type->kind)->size;
    }
}

// Recursive over nested structs; the schema allows no recursive ones.
static void append_steps(key_view *key, const field_type *type, const char *path, bool is_parameter)
{
    static const char *const text_calls[] = {"array", "text"};
    arena *arena = key->scope->arena;
    if (type->kind == TYPE_STRUCT) {
        const field_list *fields = &type->definition->fields;
        for (size_t i = 0; i < fields->count; i++)
            append_steps(key, &fields->fields[i].type, arena_format(arena, "%s.%s", path, fields->fields[i].name),
                         false);
        return;
    }
    size_t size = size_of(type);
    key->size += size;
    if (type->kind == TYPE_STRING)
        append_step(key, "string", path);
    else if (type->kind == TYPE_INLINE_STRING)
        append_step(key, text_calls[is_parameter], arena_format(arena, "%s, %zu", path, size));
    else if (type->kind == TYPE_FLOAT)
        append_step(key, "float", path);
    else if (type->kind == TYPE_DOUBLE)
        append_step(key, "double", path);
    else
        append_step(key, NULL, arena_format(arena, "&%s, sizeof %s", path, path));
}

// Returns whether a parameter of that name shadows nothing in the functions of an index. They do not use `not_used`,
// unlike other generated functions; those of a primary index have no capacity either.
static bool is_free(const entity_index *index, const char *name)
{
    static const char *const not_used[] = {"ancestor", "function", "holder", "listener",
                                           "sibling",  "target",   "user",   "value"};
    if (index->kind == INDEX_PRIMARY && strcmp(name, "capacity") == 0)
        return true;
    for (size_t i = 0; i < sizeof not_used / sizeof not_used[0]; i++)
        if (strcmp(name, not_used[i]) == 0)
            return true;
    return name_is_parameter(name);
}

// Returns whether all parameters can have the names of their fields: distinct, and shadowing nothing.
static bool are_parameters(const view_scope *scope, const entity_index *index)
{
    const char *context = arena_format(scope->arena, "%s_", view_context_name(scope, index->context));
    for (size_t i = 0; i < index->key_count; i++) {
        const char *name = index->key[i].field->name;
        if (!is_free(index, name) || strcmp(name, index->context->name) == 0 ||
            strncmp(name, context, strlen(context)) == 0)
            return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(index->key[k].field->name, name) == 0)
                return false;
    }
    return true;
}

// Appends a parameter, which has the type of a field, or is a C string for a text.
static void append_parameter(const view_scope *scope, value *list, const field_type *type, const char *name)
{
    const char *spelled = "const char *";
    if (type->kind != TYPE_STRING && type->kind != TYPE_INLINE_STRING)
        spelled = arena_format(scope->arena, "%s ", view_field_type(scope, type));
    const char *separator = text_if(list->first != NULL, ", ");
    value *map = value_append_map(scope->arena, list);
    view_set_text(scope, map, "separator", separator);
    view_set_text(scope, map, "parameter", arena_format(scope->arena, "%s%s", spelled, name));
    view_set_text(scope, map, "argument", name);
    view_set_text(scope, map, "spelled", spelled);
}

static void append_field_parameters(const view_scope *scope, value *list, const entity_index *index, key_view *key)
{
    assert(index->key_count > 0);
    bool are_fields = are_parameters(scope, index);
    const char *other = "key";
    if (strncmp(index->context->name, "key_", strlen("key_")) == 0)
        other = "part";
    for (size_t i = 0; i < index->key_count; i++) {
        const field *field = index->key[i].field;
        const char *name = field->name;
        if (!are_fields)
            name = arena_format(scope->arena, "%s_%zu", other, i + 1);
        append_parameter(scope, list, &field->type, name);
        append_steps(key, &field->type, name, true);
    }
}

// Appends the one parameter of an index over all fields of a component.
static void append_whole_parameter(const view_scope *scope, value *list, const entity_index *index, key_view *key)
{
    assert(index->is_whole && index->key_count > 0);
    value *map = value_append_map(scope->arena, list);
    const char *type = view_type_name(scope, index->key[0].component->name);
    view_set_text(scope, map, "parameter", arena_format(scope->arena, "%s value", type));
    view_set_text(scope, map, "argument", "value");
    for (size_t i = 0; i < index->key_count; i++)
        append_steps(key, &index->key[i].field->type, arena_format(scope->arena, "value.%s", index->key[i].field->name),
                     false);
}

// The name by which the function gets a component; it is not a keyword, and hides no type of the parameters.
static const char *input_name(const view_scope *scope, const entity_index *index, size_t number)
{
    const char *name = name_to_snake_case(scope->arena, index->of[number]->name);
    bool is_taken = name_reserved_as(name) != NULL || strcmp(name, "keys") == 0 ||
                    strcmp(name, view_field_type(scope, &index->key_type)) == 0;
    if (is_taken)
        return arena_format(scope->arena, "value_%zu", number + 1);
    return name;
}

void view_set_index_function(const view_scope *scope, value *map, const entity_index *index)
{
    assert((index->function == NULL) == (index->of_count == 0));
    value *inputs = value_list(scope->arena);
    value *key = value_list(scope->arena);
    for (size_t i = 0; i < index->of_count; i++) {
        value *input = value_append_map(scope->arena, inputs);
        view_set_text(scope, input, "id", view_component_id(scope, index->context, index->of[i]));
        view_set_text(scope, input, "type", view_type_name(scope, index->of[i]->name));
        view_set_text(scope, input, "input", input_name(scope, index, i));
        view_set_count(scope, input, "place", i);
        view_set_text(scope, input, "comma", text_if(i + 1 < index->of_count, ", "));
    }
    field field = {.name = "key", .saved = {.identity = "key"}, .type = index->key_type};
    if (index->function != NULL)
        value_append(key, view_field(scope, &(field_list){.count = 0}, &field));
    view_set_bool(scope, map, "has_function", index->function != NULL);
    view_set_bool(scope, map, "is_given_text", index->key_type.kind == TYPE_INLINE_STRING);
    view_set_text(scope, map, "function", index->function);
    view_set_count(scope, map, "input_count", index->of_count);
    value_set(map, "inputs", inputs);
    value_set(map, "key_fields", key);
}

// Returns the rule that requires all components of the key, each listed once.
static rule rule_of_key(const view_scope *scope, const entity_index *index)
{
    assert(index->function != NULL || index->key_count > 0);
    if (index->function != NULL)
        return (rule){.kind = RULE_ALL, .components = index->of, .count = index->of_count};
    const component **components = arena_allocate(scope->arena, index->key_count * sizeof *components);
    rule rule = {.kind = RULE_ALL, .components = components};
    for (size_t i = 0; i < index->key_count; i++) {
        size_t known = 0;
        while (known < rule.count && components[known] != index->key[i].component)
            known++;
        if (known == rule.count)
            components[rule.count++] = index->key[i].component;
    }
    return rule;
}

static value *rules(const view_scope *scope, const entity_index *index)
{
    value *list = value_list(scope->arena);
    rule key = rule_of_key(scope, index);
    value_append(list, view_rule(scope, index->context, &key));
    for (size_t i = 0; i < index->rule_count; i++)
        value_append(list, view_rule(scope, index->context, &index->rules[i]));
    return list;
}

static void set_parameters(const view_scope *scope, value *map, const entity_index *index, key_view *key)
{
    value *list = value_list(scope->arena);
    if (index->function != NULL) {
        append_parameter(scope, list, &index->key_type, "value"); // it hides nothing (is_free)
        append_steps(key, &index->key_type, "value", true);
    } else if (index->is_whole) {
        append_whole_parameter(scope, list, index, key);
    } else {
        append_field_parameters(scope, list, index, key);
    }
    value_set(map, "parameters", list);
}

void view_set_parameters(const view_scope *scope, value *map, const entity_index *index)
{
    key_view key = {.scope = scope, .steps = value_list(scope->arena)};
    set_parameters(scope, map, index, &key);
}

// "ascending Sprite.layer, then descending Sprite.depth"
static const char *order_of(const view_scope *scope, const entity_index *index)
{
    text text = text_create(scope->arena);
    for (size_t i = 0; i < index->key_count; i++) {
        const key_part *part = &index->key[i];
        text_append_format(&text, "%s%s %s.%s", text_if(i > 0, ", then "),
                           part->is_descending ? "descending" : "ascending", part->component->name, part->field->name);
    }
    return text.bytes;
}

void view_set_key_order(const view_scope *scope, value *map, const entity_index *index)
{
    view_set_count(scope, map, "words", view_ordered_words(index));
    view_set_text(scope, map, "order", order_of(scope, index));
    bool is_low = strncmp(index->context->name, "low_", strlen("low_")) == 0;
    bool is_high = strncmp(index->context->name, "high_", strlen("high_")) == 0;
    view_set_text(scope, map, "low", is_low ? "least" : "low"); // hides no parameter
    view_set_text(scope, map, "high", is_high ? "most" : "high");
}

// ---- grids

const char *view_number_literal(const view_scope *scope, double number)
{
    assert(number >= 0);
    const char *digits = "0";
    for (int precision = 1; strtod(digits, NULL) != number; precision++)
        digits = arena_format(scope->arena, "%.*g", precision, number);
    return floating_literal(scope->arena, digits, TYPE_DOUBLE);
}

// Names the parameters of the functions of a grid, so that they hide nothing of the context.
static const char *grid_name(const view_scope *scope, const entity_index *index, const char *name)
{
    static const char *const names[] = {"at", "high", "limit", "low", "radius", "x", "y", "z"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t size = strlen(names[i]);
        const char *context = index->context->name;
        if (strncmp(context, names[i], size) == 0 && (context[size] == '\0' || context[size] == '_'))
            return arena_format(scope->arena, "the_%s", name);
    }
    return name;
}

// The texts for a point: parameters, arguments, and coordinates as doubles.
typedef struct point_view {
    text parameters, arguments, coordinates;
} point_view;

static point_view view_point(const view_scope *scope, const entity_index *index, const char *name)
{
    static const char *const axes[] = {"x", "y", "z"};
    point_view view = {text_create(scope->arena), text_create(scope->arena), text_create(scope->arena)};
    const field_type *type = &index->key[0].field->type;
    const char *prefix = text_if(strcmp(name, "at") != 0, arena_format(scope->arena, "%s_", name));
    if (type->kind == TYPE_STRUCT) {
        const char *argument = grid_name(scope, index, name);
        const field_list *fields = &type->definition->fields;
        text_append_format(&view.parameters, "%s %s", view_field_type(scope, type), argument);
        text_append_string(&view.arguments, argument);
        for (size_t i = 0; i < fields->count; i++)
            text_append_format(&view.coordinates, "%s(double)%s.%s", text_if(i > 0, ", "), argument,
                               fields->fields[i].name);
        return view;
    }
    for (size_t i = 0; i < index->key_count; i++) {
        const char *argument = grid_name(scope, index, arena_format(scope->arena, "%s%s", prefix, axes[i]));
        const char *separator = text_if(i > 0, ", ");
        text_append_format(&view.parameters, "%s%s %s", separator, view_field_type(scope, &index->key[i].field->type),
                           argument);
        text_append_format(&view.arguments, "%s%s", separator, argument);
        text_append_format(&view.coordinates, "%s(double)%s", separator, argument);
    }
    return view;
}

void view_set_grid(const view_scope *scope, value *map, const entity_index *index)
{
    static const char *const names[] = {"at", "low", "high"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        point_view point = view_point(scope, index, names[i]);
        view_set_text(scope, map, arena_format(scope->arena, "%s_parameters", names[i]), point.parameters.bytes);
        view_set_text(scope, map, arena_format(scope->arena, "%s_arguments", names[i]), point.arguments.bytes);
        view_set_text(scope, map, arena_format(scope->arena, "%s_coordinates", names[i]), point.coordinates.bytes);
    }
    view_set_text(scope, map, "cell", view_number_literal(scope, index->cell));
    view_set_text(scope, map, "radius", grid_name(scope, index, "radius"));
    view_set_text(scope, map, "limit", grid_name(scope, index, "limit"));
}

static value *index_value(const view_scope *scope, const entity_index *index, size_t number)
{
    value *map = value_map(scope->arena);
    key_view key = {.scope = scope, .steps = value_list(scope->arena)};
    view_set_text(scope, map, "index", index->symbol_name);
    view_set_text(scope, map, "index_name", index->name);
    view_set_literal(scope, map, "name_text", index->name);
    view_set_doc(scope, map, index->doc, NULL);
    view_set_count(scope, map, "number", number);
    view_set_bool(scope, map, "is_primary", index->kind == INDEX_PRIMARY);
    view_set_bool(scope, map, "is_ordered", index->kind == INDEX_ORDERED);
    if (index->kind == INDEX_ORDERED)
        view_set_key_order(scope, map, index);
    view_set_bool(scope, map, "is_hash", index->kind == INDEX_PRIMARY || index->kind == INDEX_MULTI);
    view_set_bool(scope, map, "is_grid", index->kind == INDEX_GRID);
    if (index->kind == INDEX_GRID)
        view_set_grid(scope, map, index);
    view_set_bool(scope, map, "is_custom", index->is_custom);
    view_set_bool(scope, map, "hides_keys", schema_hides_keys(index));
    const char *whole = NULL;
    if (index->is_whole)
        whole = view_type_name(scope, index->name);
    view_set_text(scope, map, "whole", whole);
    view_set_count(scope, map, "key_count", index->key_count);
    view_set_count(scope, map, "rule_count", index->rule_count + 1);
    value_set(map, "rules", rules(scope, index));
    set_parameters(scope, map, index, &key);
    view_set_index_function(scope, map, index);
    value_set(map, "steps", key.steps);
    assert(key.size > 0 && key.steps->first != NULL);
    view_set_count(scope, map, "key_size", key.size);
    bool is_single = index->kind == INDEX_PRIMARY && index->key_count == 1;
    type_kind first = TYPE_BOOL;
    if (is_single)
        first = index->key[0].field->type.kind;
    view_set_bool(scope, map, "is_text", first == TYPE_INLINE_STRING && key.size > WORD_SIZE);
    view_set_bool(scope, map, "is_string", first == TYPE_STRING);
    return map;
}

static void append_keys(const view_scope *scope, value *list, const entity_index *index)
{
    for (size_t i = 0; i < index->key_count; i++) {
        const key_part *part = &index->key[i];
        assert((size_t)(part->field - part->component->fields.fields) < part->component->fields.count);
        value *map = value_append_map(scope->arena, list);
        view_set_text(scope, map, "id", view_component_id(scope, index->context, part->component));
        view_set_text(scope, map, "type", view_type_name(scope, part->component->name));
        view_set_count(scope, map, "at", (size_t)(part->field - part->component->fields.fields));
        view_set_bool(scope, map, "is_descending", part->is_descending);
    }
}

void view_set_indices(const view_scope *scope, value *map, const context *context)
{
    value *list = value_list(scope->arena);
    value *keys = value_list(scope->arena);
    size_t count = 0;
    size_t key_count = 0;
    size_t function_count = 0;
    size_t input_count = 0;
    for (size_t i = 0; i < scope->package->index_count; i++) {
        const entity_index *index = scope->package->indices[i];
        if (index->context != context)
            continue;
        value *item = index_value(scope, index, count++);
        view_set_count(scope, item, "first_key", key_count);
        view_set_count(scope, item, "function_number", function_count);
        view_set_count(scope, item, "first_input", input_count);
        value_append(list, item);
        append_keys(scope, keys, index);
        key_count += index->key_count;
        function_count += index->function != NULL;
        input_count += index->of_count;
    }
    value_set(map, "indices", list);
    value_set(map, "keys", keys);
    view_set_bool(scope, map, "has_keys", key_count > 0);
    view_set_bool(scope, map, "has_functions", function_count > 0);
    view_set_bool(scope, map, "has_indices", count > 0);
    view_set_count(scope, map, "index_count", count);
}
