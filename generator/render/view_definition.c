// Views of types and components, with their relations and migrations.
#include "generator/render/internal.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

// ---- migrations

// View of migrations: functions of the program that decide about components when a file is read.

value *view_migrated(const view_scope *scope, const component *component)
{
    assert(component->migrates && component->fields.count > 0);
    value *map = value_map(scope->arena);
    const char *name = view_snake_name(scope, component->name);
    view_set_text(scope, map, "function", arena_format(scope->arena, "%s_migrate", name));
    view_set_text(scope, map, "type", view_type_name(scope, component->name));
    view_set_text(scope, map, "component", component->name);
    return map;
}

static void append_migrations(const view_scope *scope, value *list, const component *component)
{
    for (size_t i = 0; i < component->context_count; i++) {
        const context *context = component->contexts[i];
        value *map = view_migrated(scope, component);
        view_set_text(scope, map, "context", view_context_name(scope, context));
        view_set_text(scope, map, "id", view_component_id(scope, context, component));
        value_append(list, map);
    }
}

void view_set_migrations(const view_scope *scope, value *map)
{
    value *migrated = value_list(scope->arena);
    value *migrations = value_list(scope->arena);
    for (size_t i = 0; i < scope->package->component_count; i++) {
        const component *component = scope->package->components[i];
        if (!component->migrates)
            continue;
        value_append(migrated, view_migrated(scope, component));
        append_migrations(scope, migrations, component);
    }
    value_set(map, "migrated", migrated);
    view_set_list(scope, map, "migrations", "has_migrations", "migration_count", migrations);
}

// ---- relations

// View of relations: the rows of their table, and the functions of those with a reverse.

// Sets `off_below`: the flag of `off`, and the end of the name of the function that sets it below an entity.
static void set_off_below(const view_scope *scope, value *map, const relation *relation)
{
    const context *context = relation->context;
    if (context->off == NULL || !relation->field->is_tree) {
        view_set_bool(scope, map, "off_below", false);
        return;
    }
    value *off = value_map(scope->arena);
    const char *tree = "";
    if (!schema_has_one_tree(scope->package, context))
        tree = arena_format(scope->arena, "_%s", relation->field->reverse);
    view_set_text(scope, off, "flag", name_to_snake_case(scope->arena, context->off->name));
    view_set_text(scope, off, "tree", tree);
    value_set(map, "off_below", off);
}

static value *relation_value(const view_scope *scope, const relation *relation, size_t number)
{
    assert(schema_is_relation(relation->field));
    const field *field = relation->field;
    const struct field *fields = relation->component->fields.fields;
    value *map = value_map(scope->arena);
    assert(field >= fields && field < fields + relation->component->fields.count);
    view_set_count(scope, map, "number", number);
    view_set_text(scope, map, "reverse", field->reverse);
    view_set_text(scope, map, "id", view_component_id(scope, relation->context, relation->component));
    view_set_text(scope, map, "component", name_to_snake_case(scope->arena, relation->component->name));
    view_set_text(scope, map, "type", view_type_name(scope, relation->component->name));
    view_set_text(scope, map, "field", field->name);
    view_set_count(scope, map, "at", (size_t)(field - fields));
    view_set_bool(scope, map, "clears", field->on_destroy == ON_DESTROY_CLEAR);
    view_set_bool(scope, map, "removes", field->on_destroy == ON_DESTROY_REMOVE);
    view_set_bool(scope, map, "destroys", field->on_destroy == ON_DESTROY_DESTROY);
    view_set_bool(scope, map, "refuses", field->on_destroy == ON_DESTROY_REFUSE);
    view_set_relation_keys(scope, map, field);
    set_off_below(scope, map, relation);
    return map;
}

void view_set_relations(const view_scope *scope, value *map, const context *context)
{
    value *list = value_list(scope->arena);
    size_t count = 0;
    bool has_reverses = false;
    bool has_trees = false;
    bool can_refuse = false;
    for (size_t i = 0; i < scope->package->relation_count; i++) {
        const relation *relation = &scope->package->relations[i];
        if (relation->context != context)
            continue;
        value_append(list, relation_value(scope, relation, count++));
        has_reverses = has_reverses || relation->field->reverse != NULL;
        has_trees = has_trees || relation->field->is_tree;
        can_refuse = can_refuse || relation->field->on_destroy == ON_DESTROY_REFUSE;
    }
    value_set(map, "relations", list);
    view_set_count(scope, map, "relation_count", count);
    view_set_bool(scope, map, "has_relations", count > 0);
    view_set_bool(scope, map, "has_reverses", has_reverses);
    view_set_bool(scope, map, "has_trees", has_trees);
    view_set_bool(scope, map, "can_refuse", can_refuse);
}

// Whether changes of the component write bits, a value and the links of one relation alone.
static bool is_related(const component *component)
{
    size_t count = 0;
    for (size_t i = 0; i < component->fields.count; i++)
        count += schema_is_relation(&component->fields.fields[i]);
    bool has_one_relation = count == 1 && !component->is_keyed;
    return has_one_relation && view_is_plain(component) && !component->is_unique;
}

// `related`: the arguments of the macros for a component with a relation.
void view_set_related(const view_scope *scope, value *map, const context *context, const component *component)
{
    static const char *const booleans[] = {"false", "true"};
    const relation *relations = scope->package->relations;
    size_t count = 0;
    view_set_bool(scope, map, "is_related", is_related(component));
    for (size_t i = 0; i < scope->package->relation_count && is_related(component); i++) {
        if (relations[i].component == component) {
            const field *field = relations[i].field;
            view_set_text(scope, map, "related",
                          arena_format(scope->arena, "%s, %s, %zu, %s, %s", view_type_name(scope, component->name),
                                       view_component_id(scope, context, component), count, field->name,
                                       booleans[field->is_tree]));
        }
        count += relations[i].context == context;
    }
}

// ---- types and components

// View of types and components. Several files show the same ones, so each value is created once and shared.
//
// Keys that templates read most often are set last: lookups start at the newest key.

static void set_names(const view_scope *scope, value *map, const char *name)
{
    view_set_literal(scope, map, "name_text", name);
    view_set_text(scope, map, "snake", name_to_snake_case(scope->arena, name));
    view_set_text(scope, map, "type", view_type_name(scope, name));
}

static value *enumerators(const view_scope *scope, const definition *definition)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < definition->enumerator_count; i++) {
        const enumerator *enumerator = &definition->enumerators[i];
        value *map = value_append_map(scope->arena, list);
        view_set_text(scope, map, "enumerator", view_enumerator_name(scope, definition, enumerator));
        view_set_text(scope, map, "number", enumerator->literal);
        view_set_text(scope, map, "comma", text_if(i + 1 < definition->enumerator_count, ","));
        view_set_literal(scope, map, "name_text", enumerator->name);
        view_set_identity(scope, map, enumerator->name, &enumerator->saved);
    }
    return list;
}

// Returns the type as it precedes a name: followed by a space unless it ends in '*'.
static const char *opaque_type(const view_scope *scope, const definition *definition)
{
    size_t size = strlen(text_or_empty(definition->opaque));
    while (size > 0 && definition->opaque[size - 1] == ' ')
        size--;
    if (size == 0)
        return NULL;
    const char *gap = text_if(definition->opaque[size - 1] != '*', " ");
    return arena_format(scope->arena, "%.*s%s", (int)size, definition->opaque, gap);
}

enum { MOST_USERS = 8 }; // named in the message of a static assertion

static size_t append_users(text *users, const char *owner, const field_list *list, const definition *definition,
                           size_t count)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->fields[i].type.definition != definition)
            continue;
        if (count < MOST_USERS)
            text_append_item(users, ", ", arena_format(users->arena, "%s.%s", owner, list->fields[i].name));
        count++;
    }
    return count;
}

// Returns the fields of the type, such as "Wide.shape, Pair.first", to which a message about it leads.
static const char *users_of(const view_scope *scope, const definition *definition)
{
    assert(definition->kind == DEFINITION_OPAQUE);
    const package *package = scope->package;
    text users = text_create(scope->arena);
    size_t count = 0;
    for (size_t i = 0; i < package->component_count; i++)
        count = append_users(&users, package->components[i]->name, &package->components[i]->fields, definition, count);
    for (size_t i = 0; i < package->definition_count; i++)
        count =
            append_users(&users, package->definitions[i]->name, &package->definitions[i]->fields, definition, count);
    if (count > MOST_USERS)
        text_append_string(&users, ", ...");
    return users.bytes;
}

static value *make_definition(const view_scope *scope, const definition *definition)
{
    value *map = value_map(scope->arena);
    view_set_doc(scope, map, definition->doc, NULL);
    view_set_bool(scope, map, "is_enum", definition->kind == DEFINITION_ENUM);
    view_set_bool(scope, map, "is_struct", definition->kind == DEFINITION_STRUCT);
    view_set_bool(scope, map, "is_opaque", definition->kind == DEFINITION_OPAQUE);
    view_set_text(scope, map, "opaque", opaque_type(scope, definition));
    const char *users = NULL;
    if (definition->kind == DEFINITION_OPAQUE)
        users = users_of(scope, definition);
    view_set_text(scope, map, "users", users);
    view_set_text(scope, map, "drop", definition->drop);
    view_set_text(scope, map, "save", definition->save);
    view_set_text(scope, map, "load", definition->load);
    value_set(map, "values", enumerators(scope, definition));
    view_set_count(scope, map, "value_count", definition->enumerator_count);
    view_set_fields(scope, map, &definition->fields);
    set_names(scope, map, definition->name);
    return map;
}

bool view_is_plain(const component *component)
{
    bool is_in_column = !schema_is_boxed(component) && !component->is_soa;
    return is_in_column && !schema_is_owned(component) && !component->is_stashable;
}

// The fields that are lists; `at` is the index of the field.
static value *lists(const view_scope *scope, const component *component)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < component->fields.count; i++) {
        const field *field = &component->fields.fields[i];
        if (!field->type.is_list)
            continue;
        value *map = value_append_map(scope->arena, list);
        view_set_text(scope, map, "field", field->name);
        view_set_text(scope, map, "element", view_field_type(scope, &field->type));
        view_set_text(scope, map, "element_default", view_element_default(scope, field));
        view_set_count(scope, map, "at", i);
    }
    return list;
}

// What each field of the component is, which all are const where values are written in place.
static const char *describe_fields(const component *component)
{
    size_t keys = 0, relations = 0, owned = 0;
    for (size_t i = 0; i < component->fields.count; i++) {
        const field *field = &component->fields.fields[i];
        assert(schema_field_is_const(field));
        keys += field->is_keyed;
        relations += schema_is_relation(field);
        owned += schema_field_is_owned(field);
    }
    if (keys == component->fields.count)
        return "has only keys of indices";
    if (relations == component->fields.count)
        return "has only relations";
    if (owned == component->fields.count)
        return "has only values that the context owns";
    return "has no field that may be written in place";
}

// Why values cannot be written in place; NULL if they can, and of flags.
static const char *no_edit(const view_scope *scope, const component *component)
{
    const char *reason = "has a column for each field";
    if (component->fields.count == 0 || schema_is_editable(component))
        return NULL;
    if (component->is_shared)
        reason = "shares equal values";
    else if (!component->is_soa)
        reason = describe_fields(component);
    return arena_format(scope->arena, "%s %s", view_type_name(scope, component->name), reason);
}

static bool has_prefix(const component *component, const char *prefix)
{
    return strcmp(component->flag_prefix, prefix) == 0;
}

static value *make_component(const view_scope *scope, const component *component)
{
    const field *unwritable;
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "flag_prefix", component->flag_prefix);
    view_set_doc(scope, map, component->doc, NULL);
    view_set_bool(scope, map, "is_flag", component->fields.count == 0);
    view_set_bool(scope, map, "is_shared", component->context_count > 1);
    view_set_bool(scope, map, "is_unique", component->is_unique);
    view_set_bool(scope, map, "is_boxed", schema_is_boxed(component));
    view_set_bool(scope, map, "shares_values", component->is_shared);
    view_set_bool(scope, map, "is_owned", schema_is_owned(component));
    view_set_bool(scope, map, "is_soa", component->is_soa);
    view_set_bool(scope, map, "is_stashable", component->is_stashable);
    view_set_bool(scope, map, "is_plain", view_is_plain(component));
    view_set_bool(scope, map, "is_editable", schema_is_editable(component));
    view_set_bool(scope, map, "is_touchable", schema_is_touchable(component));
    view_set_bool(scope, map, "has_lists", component->has_lists);
    value_set(map, "lists", lists(scope, component));
    view_set_bool(scope, map, "has_edit_type", schema_has_edit_type(component));
    view_set_text(scope, map, "edited", view_edited_type(scope, component));
    view_set_bool(scope, map, "has_strings", component->has_strings);
    view_set_bool(scope, map, "has_drops", component->has_drops);
    view_set_inspect(scope, map, component->inspect);
    view_set_identity(scope, map, component->name, &component->saved);
    view_set_bool(scope, map, "is_unsaved", component->is_unsaved);
    view_set_bool(scope, map, "is_not_content", component->is_not_content);
    view_set_bool(scope, map, "migrates", component->migrates);
    view_set_bool(scope, map, "is_unwritable", !schema_is_writable(component, &unwritable));
    view_set_fields(scope, map, &component->fields);
    view_set_layout(scope, map);
    view_set_text(scope, map, "no_edit", no_edit(scope, component));
    view_set_bool(scope, map, "has_relations", component->has_relations);
    view_set_bool(scope, map, "lacks_changes", !has_prefix(component, "add") && !has_prefix(component, "remove"));
    view_set_bool(scope, map, "lacks_has", !has_prefix(component, "has"));
    set_names(scope, map, component->name);
    view_set_text(scope, map, "component", name_to_snake_case(scope->arena, component->name));
    return map;
}

// Each type comes after the types of its fields, so the reverse order visits all users of a type before the type.
value *view_used_definitions(const view_scope *scope, bool *used)
{
    const package *package = scope->package;
    value *list = value_list(scope->arena);
    for (size_t i = package->definition_count; i-- > 0;)
        for (size_t k = i + 1; k < package->definition_count && !used[i]; k++)
            used[i] = used[k] && view_uses(&package->definitions[k]->fields, package->definitions[i]);
    for (size_t i = 0; i < package->definition_count; i++)
        if (used[i])
            value_append(list, view_definition(scope, package->definitions[i]));
    return list;
}

value *view_definition(const view_scope *scope, const definition *definition)
{
    const value *made = dictionary_find(scope->definitions, definition->name);
    if (made == NULL) {
        made = make_definition(scope, definition);
        dictionary_add(scope->definitions, definition->name, made);
    }
    return value_copy(scope->arena, made);
}

value *view_component(const view_scope *scope, const component *component)
{
    const value *made = dictionary_find(scope->components, component->name);
    if (made == NULL) {
        made = make_component(scope, component);
        dictionary_add(scope->components, component->name, made);
    }
    return value_copy(scope->arena, made);
}
