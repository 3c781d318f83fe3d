// View of what is sent to replicas: the leaves of components and messages, and where systems run.
#include "generator/render/internal.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The tables of leaves, each before those that refer to it, and the text that says what replicates.
typedef struct net_view {
    const view_scope *scope;
    const char *unit; // how the names of the tables begin
    value *tables, *enums;
    dictionary made; // names of tables that exist
    text described;  // of everything, by names: its hash
} net_view;

// Where leaves are listed: those of a C type, or of a struct in it.
typedef struct leaf_place {
    value *leaves;
    const char *type;   // the C type of the value or element
    const char *member; // "" or "at."
    const char *path;   // the same, by the names that saves have
    size_t field;       // index of the field of the value or element
    double precision;   // of the field around it; 0: none
    bool is_blended;    // the field around it is
} leaf_place;

static void append_leaves(net_view *net, const field_list *list, leaf_place place);

// ---- enums

static const char *enum_names(const net_view *net, const definition *definition)
{
    return arena_format(net->scope->arena, "%s_names_of_%s_", net->unit, definition->name);
}

static void append_enum(net_view *net, const definition *definition)
{
    const view_scope *scope = net->scope;
    const char *symbol = arena_format(scope->arena, "%s_known_of_%s_", net->unit, definition->name);
    if (dictionary_add(&net->made, symbol, definition) != NULL)
        return;
    value *map = value_append_map(scope->arena, net->enums);
    value *values = value_list(scope->arena);
    view_set_text(scope, map, "symbol", symbol);
    for (size_t i = 0; i < definition->enumerator_count; i++) {
        value *item = value_append_map(scope->arena, values);
        view_set_text(scope, item, "literal", view_enumerator_name(scope, definition, &definition->enumerators[i]));
        view_set_literal(scope, item, "name", definition->enumerators[i].saved.identity);
    }
    view_set_text(scope, map, "names", enum_names(net, definition));
    value_set(map, "values", values);
}

// ---- tables

static size_t append_table(net_view *net, const char *symbol, const field_list *list, const char *type)
{
    const view_scope *scope = net->scope;
    value *leaves = value_list(scope->arena);
    append_leaves(net, list, (leaf_place){.leaves = leaves, .type = type, .member = "", .path = ""});
    size_t count = 0;
    for (const value *leaf = leaves->first; leaf != NULL; leaf = leaf->next)
        count++;
    if (count == 0)
        return 0;
    value *map = value_append_map(scope->arena, net->tables);
    view_set_text(scope, map, "symbol", symbol);
    value_set(map, "leaves", leaves);
    return count;
}

// Makes the table of the elements of arrays and lists, once for each struct. Recursive over nested structs.
static void set_inner(net_view *net, value *map, const definition *definition)
{
    const view_scope *scope = net->scope;
    const char *symbol = arena_format(scope->arena, "%s_leaves_in_%s_", net->unit, definition->name);
    const char *type = view_type_name(scope, definition->name);
    if (dictionary_add(&net->made, symbol, definition) == NULL)
        append_table(net, symbol, &definition->fields, type);
    view_set_text(scope, map, "inner", symbol);
}

// ---- leaves

static const char *size_of(const net_view *net, const field_type *type)
{
    arena *arena = net->scope->arena;
    switch (type->kind) {
    case TYPE_STRING:
        return "sizeof(const char *)";
    case TYPE_INLINE_STRING:
        return arena_format(arena, "%zu", type->string_size + 1);
    case TYPE_ENTITY:
    case TYPE_CONTEXT_ENTITY:
        return "sizeof(kin_entity)";
    case TYPE_ENUM:
    case TYPE_STRUCT:
        return arena_format(arena, "sizeof(%s)", view_type_name(net->scope, type->definition->name));
    default:
        return arena_format(arena, "%zu", scalar_type_of(type->kind)->size);
    }
}

static void append_leaf(net_view *net, const field *field, leaf_place place)
{
    const view_scope *scope = net->scope;
    const field_type *type = &field->type;
    double precision = field->precision > 0 ? field->precision : place.precision;
    value *map = value_append_map(scope->arena, place.leaves);
    bool has_precision = precision > 0 && schema_is_floating(type);
    const char *path = arena_format(scope->arena, "%s%s", place.path, field->saved.identity);
    field_type element = schema_element_type(type);
    view_set_literal(scope, map, "path", path);
    view_set_text(scope, map, "type", place.type);
    view_set_text(scope, map, "member", arena_format(scope->arena, "%s%s", place.member, field->name));
    view_set_text(scope, map, "size", size_of(net, &element));
    view_set_count(scope, map, "count", type->array_count);
    view_set_bool(scope, map, "has_count", type->array_count > 0);
    view_set_count(scope, map, "field", place.field);
    view_set_text(scope, map, "kin_type", view_kin_type(type->kind));
    view_set_bool(scope, map, "is_list", type->is_list);
    view_set_bool(scope, map, "is_blended", place.is_blended || field->is_blended);
    view_set_bool(scope, map, "has_precision", has_precision);
    view_set_text(scope, map, "precision", view_number_literal(scope, has_precision ? precision : 1));
    view_set_text(scope, map, "inner", NULL);
    view_set_text(scope, map, "values", NULL);
    view_set_text(scope, map, "target", NULL);
    if (type->kind == TYPE_CONTEXT_ENTITY)
        view_set_literal(scope, map, "target", type->context->saved.identity);
    text_append_format(&net->described, "\n  %s %s", path, schema_type_name(scope->arena, type));
    if (has_precision)
        text_append_format(&net->described, " %s", view_number_literal(scope, precision));
    if (type->kind == TYPE_STRUCT)
        set_inner(net, map, type->definition);
    if (type->kind != TYPE_ENUM)
        return;
    append_enum(net, type->definition);
    view_set_text(scope, map, "values",
                  arena_format(scope->arena, "%s_known_of_%s_", net->unit, type->definition->name));
    view_set_text(scope, map, "names", enum_names(net, type->definition));
    for (size_t i = 0; i < type->definition->enumerator_count; i++)
        text_append_format(&net->described, " %s=%" PRId32, type->definition->enumerators[i].saved.identity,
                           type->definition->enumerators[i].number);
}

// Returns whether a value of the type has a leaf. Recursive over structs.
static bool has_leaves(const field_type *type)
{
    if (type->kind != TYPE_STRUCT)
        return true;
    const field_list *list = &type->definition->fields;
    for (size_t i = 0; i < list->count; i++)
        if (schema_field_is_sent(&list->fields[i]) && has_leaves(&list->fields[i].type))
            return true;
    return false;
}

// Appends the leaves of the fields that are sent. Recursive over structs.
static void append_leaves(net_view *net, const field_list *list, leaf_place place)
{
    arena *arena = net->scope->arena;
    for (size_t i = 0; i < list->count; i++) {
        const field *field = &list->fields[i];
        leaf_place inner = place;
        bool is_one_struct = field->type.kind == TYPE_STRUCT && field->type.array_count == 0 && !field->type.is_list;
        if (!schema_field_is_sent(field) || !has_leaves(&field->type))
            continue;
        if (place.member[0] == '\0')
            inner.field = i;
        if (!is_one_struct) {
            append_leaf(net, field, inner);
            continue;
        }
        inner.member = arena_format(arena, "%s%s.", place.member, field->name);
        inner.path = arena_format(arena, "%s%s.", place.path, field->saved.identity);
        inner.is_blended = place.is_blended || field->is_blended;
        inner.precision = field->precision > 0 ? field->precision : place.precision;
        append_leaves(net, &field->type.definition->fields, inner);
    }
}

static void set_leaves(net_view *net, value *map, const char *name, const field_list *list)
{
    const view_scope *scope = net->scope;
    const char *symbol = arena_format(scope->arena, "%s_leaves_of_%s_", net->unit, name);
    const char *type = view_type_name(scope, name);
    size_t count = 0;
    if (list->count > 0)
        count = append_table(net, symbol, list, type);
    view_set_text(scope, map, "leaves", count == 0 ? NULL : symbol);
    view_set_bool(scope, map, "has_leaves", count > 0);
}

// ---- components

// Sets the place of the field of the context that has `zone`, or `peer`.
static void set_place(net_view *net, value *map, const char *key, const context *context, bool is_peer)
{
    const view_scope *scope = net->scope;
    value *place = NULL;
    for (size_t i = 0; i < context->component_count && place == NULL; i++) {
        const component *component = context->components[i];
        for (size_t k = 0; k < component->fields.count; k++) {
            const field *field = &component->fields.fields[k];
            if (!(is_peer ? field->is_peer : field->is_zone))
                continue;
            place = value_map(scope->arena);
            view_set_text(scope, place, "id", view_component_id(scope, context, component));
            view_set_text(scope, place, "type", view_type_name(scope, component->name));
            view_set_text(scope, place, "member", field->name);
            view_set_count(scope, place, "field", k);
            text_append_format(&net->described, "\n%s %s.%s", key, component->saved.identity, field->saved.identity);
            break;
        }
    }
    value_set(map, key, place == NULL ? value_null(scope->arena) : place);
}

static value *component_value(net_view *net, const context *context, const component *component)
{
    const view_scope *scope = net->scope;
    bool is_of_owner = component->replicate == REPLICATE_OWNER;
    value *map = value_map(scope->arena);
    text_append_format(&net->described, "\n %s%s", component->saved.identity, text_if(is_of_owner, " owner"));
    view_set_text(scope, map, "id", view_component_id(scope, context, component));
    view_set_literal(scope, map, "identity", component->saved.identity);
    view_set_bool(scope, map, "is_of_owner", is_of_owner);
    // A component of several contexts has one table.
    const char *symbol = arena_format(scope->arena, "%s_leaves_of_%s_", net->unit, component->name);
    value *made = (value *)dictionary_find(&net->made, symbol);
    if (made == NULL) {
        made = value_map(scope->arena);
        set_leaves(net, made, component->name, &component->fields);
        dictionary_add(&net->made, symbol, made);
    }
    value_set(map, "table", value_copy(scope->arena, made));
    return map;
}

static value *blend_value(const view_scope *scope, const context *context, const component *component)
{
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "context", view_context_name(scope, context));
    view_set_count(scope, map, "number", view_context_number(scope, context));
    view_set_text(scope, map, "id", view_component_id(scope, context, component));
    view_set_text(scope, map, "type", view_type_name(scope, component->name));
    view_set_text(scope, map, "component", name_to_snake_case(scope->arena, component->name));
    return map;
}

// Makes a view of what one file sends.
static net_view net_create(const view_scope *scope, const char *unit)
{
    return (net_view){.scope = scope,
                      .unit = unit,
                      .tables = value_list(scope->arena),
                      .enums = value_list(scope->arena),
                      .made = dictionary_create(scope->arena),
                      .described = text_create(scope->arena)};
}

// Sets the tables and the hash of what was described.
static void set_tables(const net_view *net, value *map)
{
    const view_scope *scope = net->scope;
    value_set(map, "tables", net->tables);
    value_set(map, "sent_enums", net->enums);
    view_set_text(
        scope, map, "hash",
        arena_format(scope->arena, "UINT64_C(0x%016" PRIx64 ")", hash_of(net->described.bytes, net->described.size)));
}

static value *context_value(net_view *net, const context *context)
{
    const view_scope *scope = net->scope;
    value *map = value_map(scope->arena);
    value *list = value_list(scope->arena);
    text_append_format(&net->described, "\n%s %zu", context->saved.identity, view_context_number(scope, context));
    view_set_literal(scope, map, "identity", context->saved.identity);
    view_set_text(scope, map, "context", view_context_name(scope, context));
    view_set_text(scope, map, "name", context->name);
    view_set_count(scope, map, "number", view_context_number(scope, context));
    for (size_t i = 0; i < context->component_count; i++)
        if (schema_is_sent(context->components[i]))
            value_append(list, component_value(net, context, context->components[i]));
    view_set_list(scope, map, "sent", "has_sent", "sent_count", list);
    set_place(net, map, "zone", context, false);
    set_place(net, map, "peer", context, true);
    return map;
}

static int compare_contexts(const void *a, const void *b)
{
    return strcmp((*(const context *const *)a)->name, (*(const context *const *)b)->name);
}

static void set_contexts(net_view *net, value *map)
{
    const view_scope *scope = net->scope;
    const package *package = scope->package;
    value *list = value_list(scope->arena);
    const context **sorted = arena_allocate(scope->arena, package->context_count * sizeof *sorted);
    memcpy(sorted, package->contexts, package->context_count * sizeof *sorted);
    qsort(sorted, package->context_count, sizeof *sorted, compare_contexts); // as worlds number them
    for (size_t i = 0; i < package->context_count; i++)
        if (sorted[i]->is_replicated)
            value_append(list, context_value(net, sorted[i]));
    view_set_list(scope, map, "net_contexts", "has_net_contexts", "net_context_count", list);
}

static void append_blends(const view_scope *scope, value *blends, const context *context)
{
    for (size_t i = 0; i < context->component_count; i++) {
        const component *component = context->components[i];
        if (schema_is_sent(component) && schema_is_blended(component))
            value_append(blends, blend_value(scope, context, component));
    }
}

static void set_blends(const view_scope *scope, value *map)
{
    const package *package = scope->package;
    value *blends = value_list(scope->arena);
    for (size_t i = 0; i < package->context_count; i++)
        if (package->contexts[i]->is_replicated)
            append_blends(scope, blends, package->contexts[i]);
    view_set_list(scope, map, "blends", "has_blends", "blend_count", blends);
}

// ---- the world

static const char *field_named(const field_list *list, bool is_peer)
{
    for (size_t i = 0; i < list->count; i++)
        if (is_peer ? list->fields[i].is_peer : list->fields[i].is_zone)
            return list->fields[i].name;
    return NULL;
}

static value *message_value(net_view *net, const message *message)
{
    const view_scope *scope = net->scope;
    const char *snake = name_to_snake_case(scope->arena, message->name);
    value *map = value_map(scope->arena);
    text_append_format(&net->described, "\nmessage %s %zu%s%s", message->saved.identity, message->number,
                       text_if(message->is_from_replica, " from"), text_if(message->is_to_replica, " to"));
    view_set_name(scope, map, message->name);
    view_set_literal(scope, map, "identity", message->saved.identity);
    view_set_text(scope, map, "type", view_type_name(scope, message->name));
    view_set_text(scope, map, "send",
                  arena_format(scope->arena, "%s%s_send_%s", scope->package->prefix, scope->package->name, snake));
    view_set_count(scope, map, "number", message->number);
    view_set_bool(scope, map, "has_fields", message->fields.count > 0);
    view_set_bool(scope, map, "is_from_replica", message->is_from_replica);
    view_set_bool(scope, map, "is_to_replica", message->is_to_replica);
    view_set_text(scope, map, "peer", field_named(&message->fields, true));
    view_set_text(scope, map, "zone", field_named(&message->fields, false));
    set_leaves(net, map, message->name, &message->fields);
    return map;
}

static void set_messages(net_view *net, value *map)
{
    const view_scope *scope = net->scope;
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < scope->package->message_count; i++) {
        const message *message = scope->package->messages[i];
        if (message->is_from_replica || message->is_to_replica)
            value_append(list, message_value(net, message));
    }
    view_set_list(scope, map, "net_messages", "has_net_messages", "net_message_count", list);
}

static void set_runs(net_view *net, value *map)
{
    static const char *const names[] = {
        [RUNS_HOST] = "KIN__RUNS_HOST", [RUNS_REPLICA] = "KIN__RUNS_REPLICA", [RUNS_PREDICTED] = "KIN__RUNS_PREDICTED"};
    const view_scope *scope = net->scope;
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < scope->package->system_count; i++) {
        const declared_system *system = scope->package->systems[i];
        value *item = value_append_map(scope->arena, list);
        view_set_text(scope, item, "where", names[schema_runs(system)]);
        view_set_text(scope, item, "name", system->name);
    }
    view_set_list(scope, map, "runs", "has_runs", "run_count", list);
}

void view_set_net(const view_scope *scope, value *map)
{
    const package *package = scope->package;
    net_view net = net_create(scope, arena_format(scope->arena, "%s%s_net", package->prefix, package->name));
    view_set_text(scope, map, "world", arena_format(scope->arena, "%s%s_world", package->prefix, package->name));
    view_set_literal(scope, map, "package_text", package->name);
    set_contexts(&net, map);
    set_blends(scope, map);
    set_messages(&net, map);
    set_runs(&net, map);
    set_tables(&net, map);
}
