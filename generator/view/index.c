// What the templates see of indices: functions with a parameter for each field of the key, and how the key is put
// together from them, which must be what the runtime reads of the components.
#include "model/names.h"
#include "model/type.h"
#include "view/private/parts.h"

#include <string.h>

enum { WORD_SIZE = 8 }; // bytes of a key that the runtime does not have to hash

// A parameter, and the calls that put it into a key.
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

// Recursive over structs in structs, which end because the schema refuses recursive ones.
static void append_steps(key_view *key, const field_type *type, const char *path, bool is_parameter)
{
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
        append_step(key, is_parameter ? "text" : "array", arena_format(arena, "%s, %zu", path, size));
    else if (type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE)
        append_step(key, type->kind == TYPE_FLOAT ? "float" : "double", path);
    else
        append_step(key, NULL, arena_format(arena, "&%s, sizeof %s", path, path));
}

// Whether a parameter of that name hides nothing that a function of an index uses; other functions use more.
static bool is_free(const char *name)
{
    static const char *const not_used[] = {"function", "listener", "user", "value"};
    for (size_t i = 0; i < sizeof not_used / sizeof not_used[0]; i++)
        if (strcmp(name, not_used[i]) == 0)
            return true;
    return name_is_parameter(name);
}

// Whether fields can give the parameters their names: these are different, and hide nothing that the function uses.
static bool are_parameters(const view_scope *scope, const entity_index *index)
{
    const char *context = arena_format(scope->arena, "%s_", view_context_name(scope, index->context));
    for (size_t i = 0; i < index->key_count; i++) {
        const char *name = index->key[i].field->name;
        if (!is_free(name) || strcmp(name, index->context->name) == 0 || strncmp(name, context, strlen(context)) == 0)
            return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(index->key[k].field->name, name) == 0)
                return false;
    }
    return true;
}

static value *parameters(const view_scope *scope, const entity_index *index, key_view *key)
{
    value *list = value_list(scope->arena);
    bool are_fields = are_parameters(scope, index);
    const char *other = strncmp(index->context->name, "key_", strlen("key_")) == 0 ? "part" : "key";
    for (size_t i = 0; i < index->key_count; i++) {
        const field *field = index->key[i].field;
        const char *name = are_fields ? field->name : arena_format(scope->arena, "%s_%zu", other, i + 1);
        bool is_text = field->type.kind == TYPE_STRING || field->type.kind == TYPE_INLINE_STRING;
        const char *type =
            is_text ? "const char *" : arena_format(scope->arena, "%s ", view_field_type(scope, &field->type));
        value *map = value_map(scope->arena);
        view_set_text(scope, map, "parameter", arena_format(scope->arena, "%s%s", type, name));
        value_append(list, map);
        append_steps(key, &field->type, name, true);
    }
    return list;
}

// The rule by which an entity has all components of the key, each once.
static rule rule_of_key(const view_scope *scope, const entity_index *index)
{
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

static value *index_value(const view_scope *scope, const entity_index *index, size_t number)
{
    value *map = value_map(scope->arena);
    key_view key = {.scope = scope, .steps = value_list(scope->arena)};
    view_set_text(scope, map, "index", index->symbol_name);
    view_set_text(scope, map, "index_name", index->name);
    view_set_text(scope, map, "name_text", view_literal(scope->arena, index->name, strlen(index->name)));
    view_set_doc(scope, map, index->doc, NULL);
    view_set_count(scope, map, "number", number);
    view_set_bool(scope, map, "is_primary", index->kind == INDEX_PRIMARY);
    view_set_bool(scope, map, "is_custom", index->is_custom);
    view_set_count(scope, map, "key_count", index->key_count);
    view_set_count(scope, map, "rule_count", index->rule_count + 1);
    value_set(map, "rules", rules(scope, index));
    value_set(map, "parameters", parameters(scope, index, &key));
    value_set(map, "steps", key.steps);
    view_set_count(scope, map, "key_size", key.size);
    const field_type *first = &index->key[0].field->type;
    bool is_lone = index->kind == INDEX_PRIMARY && index->key_count == 1;
    view_set_bool(scope, map, "is_text", is_lone && first->kind == TYPE_INLINE_STRING && key.size > WORD_SIZE);
    view_set_bool(scope, map, "is_string", is_lone && first->kind == TYPE_STRING);
    return map;
}

static void append_keys(const view_scope *scope, value *list, const entity_index *index)
{
    for (size_t i = 0; i < index->key_count; i++) {
        const key_part *part = &index->key[i];
        value *map = value_map(scope->arena);
        view_set_text(scope, map, "id", view_component_id(scope, index->context, part->component));
        view_set_text(scope, map, "type", view_type_name(scope, part->component->name));
        view_set_count(scope, map, "at", (size_t)(part->field - part->component->fields.fields));
        value_append(list, map);
    }
}

void view_set_indices(const view_scope *scope, value *map, const context *context)
{
    value *list = value_list(scope->arena), *keys = value_list(scope->arena);
    size_t count = 0, key_count = 0;
    for (size_t i = 0; i < scope->package->index_count; i++) {
        const entity_index *index = scope->package->indices[i];
        if (index->context != context)
            continue;
        value *item = index_value(scope, index, count++);
        view_set_count(scope, item, "first_key", key_count);
        value_append(list, item);
        append_keys(scope, keys, index);
        key_count += index->key_count;
    }
    value_set(map, "indices", list);
    value_set(map, "keys", keys);
    view_set_bool(scope, map, "has_indices", count > 0);
    view_set_count(scope, map, "index_count", count);
}
