// View of the jobs of a parallel system: what each may read, look up and do by commands.
//
// A function about one context has that context's name as a suffix if the system has the same function for several.
#include "generator/render/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

size_t view_context_number(const view_scope *scope, const context *context)
{
    size_t number = 0;
    for (size_t i = 0; i < scope->package->context_count; i++)
        number += strcmp(scope->package->contexts[i]->name, context->name) < 0;
    assert(number < scope->package->context_count);
    return number;
}

void view_set_context(const view_scope *scope, value *map, const context *context)
{
    view_set_text(scope, map, "context_name", context->name);
    view_set_text(scope, map, "context", view_context_name(scope, context));
    view_set_text(scope, map, "CONTEXT", view_upper_name(scope, context->name));
    view_set_count(scope, map, "row_words", view_row_words(context));
}

const char *view_context_suffix(const view_scope *scope, system_contexts contexts, const context *context)
{
    assert(contexts.count > 0);
    if (contexts.count < 2)
        return "";
    return arena_format(scope->arena, "_%s", context->name);
}

static value *function_value(const view_scope *scope, system_contexts contexts, const context *context)
{
    value *map = value_map(scope->arena);
    view_set_context(scope, map, context);
    view_set_count(scope, map, "context_number", view_context_number(scope, context));
    view_set_count(scope, map, "command_context", view_context_number(scope, context));
    view_set_text(scope, map, "self", arena_format(scope->arena, "world->contexts->%s", context->name));
    view_set_text(scope, map, "suffix", view_context_suffix(scope, contexts, context));
    return map;
}

// ---- components

// Returns the relations of a component in a context whose holders can be listed.
static value *relations(const view_scope *scope, const context *context, const component *component)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < scope->package->relation_count; i++) {
        const relation *relation = &scope->package->relations[i];
        if (relation->context != context || relation->component != component || relation->field->reverse == NULL)
            continue;
        value *map = value_append_map(scope->arena, list);
        view_set_text(scope, map, "reverse", relation->field->reverse);
        view_set_text(scope, map, "field", relation->field->name);
        view_set_bool(scope, map, "is_tree", relation->field->is_tree);
    }
    return list;
}

static void append_component(const view_scope *scope, value *list, const declared_system *system,
                             const component *component)
{
    assert(component->context_count > 0);
    static const char *const getters[] = {"get", "read"};
    system_contexts all = {component->contexts, component->context_count};
    system_contexts contexts = schema_job_contexts(scope->arena, system, all);
    for (size_t i = 0; i < contexts.count; i++) {
        value *map = function_value(scope, contexts, contexts.contexts[i]);
        view_set_text(scope, map, "component", name_to_snake_case(scope->arena, component->name));
        view_set_text(scope, map, "name", component->name);
        view_set_text(scope, map, "type", view_type_name(scope, component->name));
        view_set_text(scope, map, "id", view_component_id(scope, contexts.contexts[i], component));
        view_set_text(scope, map, "flag_prefix", component->flag_prefix);
        view_set_text(scope, map, "getter", getters[component->is_soa]);
        view_set_bool(scope, map, "is_flag", component->fields.count == 0);
        view_set_bool(scope, map, "is_soa", component->is_soa);
        view_set_bool(scope, map, "is_unique", component->is_unique);
        value_set(map, "relations", relations(scope, contexts.contexts[i], component));
        view_set_bool(scope, map, "is_owned", component->has_strings || component->has_lists);
        view_set_bool(scope, map, "has_drops", component->has_drops);
        view_set_bool(scope, map, "is_touchable", false); // jobs neither touch nor stash
        view_set_bool(scope, map, "is_stashable", false);
        view_set_bool(scope, map, "lacks_changes", false);
        view_set_bool(scope, map, "is_read",
                      schema_lists((component_list){system->reads, system->read_count}, component));
        view_set_bool(scope, map, "is_written", schema_writes(system, component));
        view_set_bool(scope, map, "is_changed",
                      schema_lists((component_list){system->job.changes, system->job.change_count}, component));
        value_append(list, map);
    }
}

static value *components(const view_scope *scope, const declared_system *system, component_list components)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < components.count; i++)
        append_component(scope, list, system, components.components[i]);
    return list;
}

// ---- indices

static value *look_ups(const view_scope *scope, const system_job *job)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < job->look_up_count; i++) {
        const entity_index *index = job->looks_up[i];
        system_contexts contexts = schema_job_index_contexts(scope->arena, job, index->name);
        value *map = function_value(scope, contexts, index->context);
        view_set_text(scope, map, "index", index->symbol_name);
        view_set_text(scope, map, "index_name", index->name);
        view_set_bool(scope, map, "is_primary", index->kind == INDEX_PRIMARY);
        view_set_bool(scope, map, "is_ordered", index->kind == INDEX_ORDERED);
        view_set_bool(scope, map, "is_multi", index->kind == INDEX_MULTI);
        if (index->kind == INDEX_ORDERED)
            view_set_key_order(scope, map, index);
        view_set_bool(scope, map, "is_grid", index->kind == INDEX_GRID);
        if (index->kind == INDEX_GRID)
            view_set_grid(scope, map, index);
        view_set_parameters(scope, map, index);
        value_append(list, map);
    }
    return list;
}

// ---- commands

static value *spawns(const view_scope *scope, const system_job *job)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < job->spawn_count; i++) {
        const blueprint *blueprint = job->spawns[i];
        value *map = function_value(scope, (system_contexts){.count = 1}, blueprint->context);
        view_set_text(scope, map, "blueprint", name_to_snake_case(scope->arena, blueprint->name));
        view_set_text(scope, map, "name", blueprint->name);
        view_set_count(scope, map, "number", view_blueprint_number(scope, blueprint));
        view_set_spawn(scope, map, blueprint);
        value_append(list, map);
    }
    return list;
}

static value *entities(const view_scope *scope, const declared_system *system)
{
    const package *package = scope->package;
    value *list = value_list(scope->arena);
    system_contexts all = {package->contexts, package->context_count};
    system_contexts contexts = schema_job_contexts(scope->arena, system, all);
    for (size_t i = 0; i < contexts.count; i++)
        value_append(list, function_value(scope, contexts, contexts.contexts[i]));
    return list;
}

static value *publishes(const view_scope *scope, const system_job *job)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < job->publish_count; i++) {
        const message *message = job->publishes[i];
        value *map = value_append_map(scope->arena, list);
        view_set_text(scope, map, "message", name_to_snake_case(scope->arena, message->name));
        view_set_text(scope, map, "name", message->name);
        view_set_text(scope, map, "type", view_type_name(scope, message->name));
        view_set_count(scope, map, "number", message->number);
        view_set_bool(scope, map, "has_fields", message->fields.count > 0);
    }
    return list;
}

// ---- what the job lacks
//
// Functions that are declared only to say which key of the schema they need.

static value *lacking_spawns(const view_scope *scope, const declared_system *system)
{
    value *list = value_list(scope->arena);
    blueprint_list lacking = schema_job_lacks_spawns(scope->arena, scope->package, system);
    for (size_t i = 0; i < lacking.count; i++) {
        const blueprint *blueprint = lacking.blueprints[i];
        value *map = value_append_map(scope->arena, list);
        view_set_text(scope, map, "context", view_context_name(scope, blueprint->context));
        view_set_text(scope, map, "blueprint", name_to_snake_case(scope->arena, blueprint->name));
        view_set_text(scope, map, "name", blueprint->name);
    }
    return list;
}

static value *lacking_messages(const view_scope *scope, const declared_system *system)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < scope->package->message_count; i++) {
        const message *message = scope->package->messages[i];
        if (schema_publishes(&system->job, message))
            continue;
        value *map = value_append_map(scope->arena, list);
        view_set_text(scope, map, "message", name_to_snake_case(scope->arena, message->name));
        view_set_text(scope, map, "name", message->name);
    }
    return list;
}

static value *lacking_indices(const view_scope *scope, const declared_system *system)
{
    value *list = value_list(scope->arena);
    index_list lacking = schema_job_lacks_indices(scope->arena, scope->package, system);
    for (size_t i = 0; i < lacking.count; i++) {
        const entity_index *index = lacking.indices[i];
        const char *context = view_context_name(scope, index->context);
        value *map = value_append_map(scope->arena, list);
        view_set_text(scope, map, "index_name", index->name);
        view_set_text(scope, map, "function", schema_look_up_name(scope->arena, index));
        view_set_text(scope, map, "result",
                      arena_format(scope->arena, index->kind == INDEX_PRIMARY ? "%s_entity" : "uint32_t", context));
    }
    return list;
}

void view_set_job(const view_scope *scope, value *map, const declared_system *system)
{
    const system_job *job = &system->job;
    view_set_bool(scope, map, "is_parallel", job->is_parallel);
    view_set_bool(scope, map, "records", schema_has_commands(system));
    if (!job->is_parallel)
        return;
    assert(system->kind != SYSTEM_REACTIVE || system->trigger_count > 0);
    view_set_count(scope, map, "batch", system->batch + 1);
    if (schema_has_pieces(system))
        view_set_count(scope, map, "grain", job->grain);
    else
        view_set_text(scope, map, "grain", "KIN__GRAIN_ALL");
    view_set_bool(scope, map, "has_pieces", schema_has_pieces(system));
    value_set(map, "job_reads", components(scope, system, (component_list){system->reads, system->read_count}));
    value_set(map, "job_components",
              components(scope, system, schema_job_components(scope->arena, scope->package, system)));
    value_set(map, "job_looks_up", look_ups(scope, job));
    value_set(map, "job_changes", components(scope, system, (component_list){job->changes, job->change_count}));
    value_set(map, "job_spawns", spawns(scope, job));
    view_set_bool(scope, map, "destroys", job->destroys);
    value_set(map, "job_entities", entities(scope, system));
    value_set(map, "job_publishes", publishes(scope, job));
    value_set(map, "job_lacks_spawns", lacking_spawns(scope, system));
    value_set(map, "job_lacks_messages", lacking_messages(scope, system));
    value_set(map, "job_lacks_indices", lacking_indices(scope, system));
}
