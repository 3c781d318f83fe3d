// The view of the file of a new system.
#include "generator/render/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

static const char *const kinds[] = {[SYSTEM_PLAIN] = "plain", [SYSTEM_GROUP] = "group", [SYSTEM_REACTIVE] = "reactive"};

// Sets the roles with at most one function.
static void set_roles(const view_scope *scope, value *map, const declared_system *system)
{
    static const system_role simple[] = {ROLE_INITIALIZE, ROLE_START,   ROLE_ENTER,     ROLE_LEAVE,  ROLE_FIRST_UPDATE,
                                         ROLE_UPDATE,     ROLE_CLEANUP, ROLE_TEAR_DOWN, ROLE_DISPOSE};
    bool is_group = system->kind == SYSTEM_GROUP;
    bool is_plain = system->kind == SYSTEM_PLAIN;
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        view_set_bool(scope, map, schema_role_name(simple[i]), system->roles[simple[i]]);
    view_set_bool(scope, map, "execute", system->roles[ROLE_EXECUTE] && is_plain);
    view_set_bool(scope, map, "draw", system->roles[ROLE_DRAW] && !is_group);
    view_set_bool(scope, map, "draw_group", system->roles[ROLE_DRAW] && is_group);
}

// Returns the functions of a reactive system's role: one, or one per context if the system reacts to several.
static value *functions_of(const view_scope *scope, const declared_system *system, system_role role)
{
    system_contexts contexts = schema_contexts_of(scope->arena, system);
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < contexts.count && system->roles[role]; i++) {
        const context *context = contexts.contexts[i];
        value *map = value_append_map(scope->arena, list);
        const char *suffix = view_context_suffix(scope, contexts, context);
        const char *function =
            arena_format(scope->arena, "%s_%s%s", view_snake_name(scope, system->name), schema_role_name(role), suffix);
        view_set_text(scope, map, "function", function);
        view_set_text(scope, map, "entity", arena_format(scope->arena, "%s_entity", view_context_name(scope, context)));
    }
    return list;
}

static value *messages_of(const view_scope *scope, const declared_system *system)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < system->inbox_count; i++) {
        const char *name = system->inboxes[i].message->name;
        value *map = value_append_map(scope->arena, list);
        view_set_text(scope, map, "message", name_to_snake_case(scope->arena, name));
        view_set_text(scope, map, "type", view_type_name(scope, name));
        view_set_bool(scope, map, "has_fields", system->inboxes[i].message->fields.count > 0);
    }
    return list;
}

// Appends, for each component with fields, its `column` and an `element` of it: the column itself, or the first field's
// array of a component with `layout: soa`.
static void append_columns(const view_scope *scope, value *list, component_list components, bool is_maybe)
{
    for (size_t i = 0; i < components.count; i++) {
        const component *component = components.components[i];
        const char *column = name_to_snake_case(scope->arena, component->name);
        const char *element = column;
        if (component->fields.count == 0)
            continue;
        if (component->is_soa)
            element = arena_format(scope->arena, "%s.%s", column, component->fields.fields[0].name);
        value *map = value_append_map(scope->arena, list);
        view_set_text(scope, map, "column", column);
        view_set_text(scope, map, "element", element);
        view_set_bool(scope, map, "is_maybe", is_maybe);
    }
}

// Returns the columns of the system's iterator.
static value *columns_of(const view_scope *scope, const declared_system *system)
{
    value *list = value_list(scope->arena);
    const group *group = system->group;
    if (group == NULL)
        return list;
    for (size_t i = 0; i < group->rule_count; i++)
        if (group->rules[i].kind == RULE_ALL)
            append_columns(scope, list, (component_list){group->rules[i].components, group->rules[i].count}, false);
    append_columns(scope, list, group->maybe, true);
    append_columns(scope, list, system->maybe, true);
    return list;
}

value *view_scaffold(arena *arena, const package *package, const declared_system *system)
{
    view_scope scope = view_scope_create(arena, package);
    value *map = value_map(arena);
    view_set_text(&scope, map, "package", package->name);
    view_set_text(&scope, map, "system", system->name);
    view_set_text(&scope, map, "kind", kinds[system->kind]);
    view_set_text(&scope, map, "name", view_snake_name(&scope, system->name));
    view_set_text(&scope, map, "world", arena_format(arena, "%s%s_world", package->prefix, package->name));
    const char *entity = NULL, *tree = NULL;
    value *executions = value_list(arena);
    if (system->group != NULL)
        entity = arena_format(arena, "%s_entity", view_context_name(&scope, system->group->context));
    if (system->tree != NULL)
        tree = system->tree->field->reverse;
    if (system->kind == SYSTEM_REACTIVE)
        executions = functions_of(&scope, system, ROLE_EXECUTE);
    view_set_text(&scope, map, "entity", entity);
    view_set_doc(&scope, map, system->doc, NULL);
    set_roles(&scope, map, system);
    value_set(map, "executions", executions);
    value_set(map, "filters", functions_of(&scope, system, ROLE_FILTER));
    value_set(map, "messages", messages_of(&scope, system));
    value_set(map, "columns", columns_of(&scope, system));
    view_set_bool(&scope, map, "is_parallel", system->job.is_parallel);
    view_set_bool(&scope, map, "has_pieces", schema_has_pieces(system));
    view_set_bool(&scope, map, "keeps_left", system->keeps_left);
    view_set_text(&scope, map, "tree", tree);
    return map;
}

const char *view_scaffold_path(arena *arena, const declared_system *system)
{
    return arena_format(arena, "%s.c", name_to_snake_case(arena, system->name));
}

value *view_scaffold_index(arena *arena, const package *package, const entity_index *index)
{
    view_scope scope = view_scope_create(arena, package);
    value *map = value_map(arena);
    assert(index->function != NULL);
    view_set_text(&scope, map, "package", package->name);
    view_set_text(&scope, map, "index_name", index->name);
    view_set_index_function(&scope, map, index);
    return map;
}

// Returns the name of a file that no system has. None of theirs ends in an underscore.
static const char *free_path(arena *arena, const package *package, const char *name)
{
    assert(strchr(name, '/') == NULL);
    const char *path = arena_format(arena, "%s.c", name);
    for (size_t i = 0; i < package->system_count; i++)
        if (strcmp(view_scaffold_path(arena, package->systems[i]), path) == 0)
            return arena_format(arena, "%s__.c", name);
    return path;
}

const char *view_scaffold_index_path(arena *arena, const package *package, const entity_index *index)
{
    return free_path(arena, package, arena_format(arena, "%s_keys", index->function));
}

value *view_scaffold_migration(arena *arena, const package *package, const component *component)
{
    assert(component->migrates);
    view_scope scope = view_scope_create(arena, package);
    const char *identity = component->saved.identity;
    if (identity == NULL)
        identity = component->name;
    value *map = view_migrated(&scope, component);
    view_set_text(&scope, map, "package", package->name);
    view_set_text(&scope, map, "saved_name", identity);
    view_set_literal(&scope, map, "identity", identity);
    return map;
}

const char *view_scaffold_migration_path(arena *arena, const package *package, const component *component)
{
    return free_path(arena, package, arena_format(arena, "%s_migrate", name_to_snake_case(arena, component->name)));
}
