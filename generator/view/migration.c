// View of migrations: functions of the program that decide about components when a file is read.
#include "generator/schema/schema.h"
#include "view/private/parts.h"

value *view_migrated(const view_scope *scope, const component *component)
{
    value *map = value_map(scope->arena);
    const char *name = name_to_snake_case(scope->arena, component->name);
    view_set_text(scope, map, "function", arena_format(scope->arena, "%s%s_migrate", scope->package->prefix, name));
    view_set_text(scope, map, "type", view_type_name(scope, component->name));
    view_set_text(scope, map, "component", component->name);
    return map;
}

static size_t append_migrations(const view_scope *scope, value *list, const component *component)
{
    for (size_t i = 0; i < component->context_count; i++) {
        const context *context = component->contexts[i];
        value *map = view_migrated(scope, component);
        view_set_text(scope, map, "context", view_context_name(scope, context));
        view_set_text(scope, map, "id", view_component_id(scope, context, component));
        value_append(list, map);
    }
    return component->context_count;
}

void view_set_migrations(const view_scope *scope, value *map)
{
    value *migrated = value_list(scope->arena), *migrations = value_list(scope->arena);
    size_t count = 0;
    for (size_t i = 0; i < scope->package->component_count; i++) {
        const component *component = scope->package->components[i];
        if (!component->migrates)
            continue;
        value_append(migrated, view_migrated(scope, component));
        count += append_migrations(scope, migrations, component);
    }
    value_set(map, "migrated", migrated);
    value_set(map, "migrations", migrations);
    view_set_bool(scope, map, "has_migrations", count > 0);
    view_set_count(scope, map, "migration_count", count);
}
