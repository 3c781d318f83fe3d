// The part of kin doc that says which systems read, write and change what.
#include "describe/private/page_access.h"
#include "generator/base/base.h"
#include "generator/schema/schema.h"

typedef enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_CHANGE } access;

static bool lists(const component *const *components, size_t count, const component *component)
{
    return schema_lists((component_list){components, count}, component);
}

static bool group_names(const group *group, const component *component)
{
    bool is_named = group != NULL && schema_lists(group->maybe, component);
    for (size_t i = 0; group != NULL && i < group->rule_count; i++)
        is_named = is_named || lists(group->rules[i].components, group->rules[i].count, component);
    return is_named;
}

static bool reads(const declared_system *system, const component *component)
{
    bool is_read = lists(system->reads, system->read_count, component) || schema_lists(system->maybe, component) ||
                   group_names(system->group, component);
    for (size_t i = 0; i < system->trigger_count; i++)
        is_read = is_read || group_names(system->triggers[i].group, component);
    return is_read;
}

static bool has_access(const declared_system *system, const component *component, access access)
{
    switch (access) {
    case ACCESS_READ:
        return reads(system, component);
    case ACCESS_WRITE:
        return schema_writes(system, component);
    case ACCESS_CHANGE:
        return lists(system->job.changes, system->job.change_count, component);
    }
    return false;
}

// Appends "`Steer`" to "`Move`, ".
static void append_system(text *text, const declared_system *system)
{
    text_append_format(text, "%s`%s`", text->size == 0 ? "" : ", ", system->name);
}

static text systems_with(arena *arena, const package *package, const component *component, access access)
{
    text names = text_create(arena);
    for (size_t i = 0; i < package->system_count; i++)
        if (has_access(package->systems[i], component, access))
            append_system(&names, package->systems[i]);
    return names;
}

static void set(arena *arena, value *map, const char *key, const char *text)
{
    value_set(map, key, value_text(arena, text));
}

value *page_accesses(arena *arena, const package *package)
{
    value *list = value_list(arena);
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        text read = systems_with(arena, package, component, ACCESS_READ);
        text written = systems_with(arena, package, component, ACCESS_WRITE);
        text changed = systems_with(arena, package, component, ACCESS_CHANGE);
        if (read.size + written.size + changed.size == 0)
            continue;
        value *map = value_map(arena);
        set(arena, map, "name", component->name);
        set(arena, map, "read", read.bytes);
        set(arena, map, "written", written.bytes);
        set(arena, map, "changed", changed.bytes);
        value_append(list, map);
    }
    return list;
}

// ---- indices, blueprints, entities and messages of parallel systems

static void append_use(arena *arena, value *list, const char *what, text systems)
{
    if (systems.size == 0)
        return;
    value *map = value_map(arena);
    set(arena, map, "what", what);
    set(arena, map, "systems", systems.bytes);
    value_append(list, map);
}

static text systems_looking_up(arena *arena, const package *package, const entity_index *index)
{
    text names = text_create(arena);
    for (size_t i = 0; i < package->system_count; i++) {
        const system_job *job = &package->systems[i]->job;
        for (size_t k = 0; k < job->look_up_count; k++)
            if (job->looks_up[k] == index)
                append_system(&names, package->systems[i]);
    }
    return names;
}

static text systems_spawning(arena *arena, const package *package, const blueprint *blueprint)
{
    text names = text_create(arena);
    for (size_t i = 0; i < package->system_count; i++) {
        const system_job *job = &package->systems[i]->job;
        for (size_t k = 0; k < job->spawn_count; k++)
            if (job->spawns[k] == blueprint)
                append_system(&names, package->systems[i]);
    }
    return names;
}

static text systems_publishing(arena *arena, const package *package, const message *message)
{
    text names = text_create(arena);
    for (size_t i = 0; i < package->system_count; i++) {
        const system_job *job = &package->systems[i]->job;
        for (size_t k = 0; k < job->publish_count; k++)
            if (job->publishes[k] == message)
                append_system(&names, package->systems[i]);
    }
    return names;
}

value *page_uses(arena *arena, const package *package)
{
    value *list = value_list(arena);
    text destroying = text_create(arena);
    for (size_t i = 0; i < package->index_count; i++)
        append_use(arena, list, arena_format(arena, "looks up `%s`", package->indices[i]->name),
                   systems_looking_up(arena, package, package->indices[i]));
    for (size_t i = 0; i < package->blueprint_count; i++)
        append_use(arena, list, arena_format(arena, "spawns `%s`", package->blueprints[i]->name),
                   systems_spawning(arena, package, package->blueprints[i]));
    for (size_t i = 0; i < package->system_count; i++)
        if (package->systems[i]->job.destroys)
            append_system(&destroying, package->systems[i]);
    append_use(arena, list, "destroys entities", destroying);
    for (size_t i = 0; i < package->message_count; i++)
        append_use(arena, list, arena_format(arena, "publishes `%s`", package->messages[i]->name),
                   systems_publishing(arena, package, package->messages[i]));
    return list;
}
