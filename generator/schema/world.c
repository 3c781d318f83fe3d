// Questions about systems, nodes and messages.
#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

const char *const schema_default_nodes[SCHEMA_DEFAULT_NODE_COUNT] = {"initialization", "simulation", "presentation"};

const char *schema_role_name(system_role role)
{
    assert(role < ROLE_COUNT);
    return language_word(&language_role, role);
}

bool schema_node_is_within(const schedule_node *node, const schedule_node *outer)
{
    assert(outer->last >= outer->number);
    return node->number >= outer->number && node->number <= outer->last;
}

const schedule_node *schema_node_root(const schedule_node *node)
{
    while (node->parent != NULL)
        node = node->parent;
    return node;
}

bool schema_role_is_of(system_role role, system_kind kind)
{
    assert(role < ROLE_COUNT);
    switch (role) {
    case ROLE_EXECUTE:
        return kind != SYSTEM_GROUP;
    case ROLE_FILTER:
        return kind == SYSTEM_REACTIVE;
    case ROLE_FIRST_UPDATE:
    case ROLE_ENTER:
    case ROLE_UPDATE:
    case ROLE_LEAVE:
        return kind == SYSTEM_GROUP;
    default:
        return true;
    }
}

const entity_index *schema_order_of(const declared_system *system)
{
    if (system->tree != NULL || system->index_order != NULL || system->group == NULL)
        return system->tree != NULL ? NULL : system->index_order;
    return system->group->order;
}

bool schema_iterates_tree(const declared_system *system)
{
    assert(system->tree == NULL || system->group != NULL);
    return system->tree != NULL && system->roles[ROLE_UPDATE];
}

bool schema_lists(component_list list, const component *component)
{
    for (size_t i = 0; i < list.count; i++)
        if (list.components[i] == component)
            return true;
    return false;
}

bool schema_is_column_of(const declared_system *system, const component *component)
{
    const group *group = system->group;
    if (group == NULL)
        return false;
    if (schema_lists(group->maybe, component) || schema_lists(system->maybe, component))
        return true;
    for (size_t i = 0; i < group->rule_count; i++)
        for (size_t k = 0; k < group->rules[i].count; k++)
            if (group->rules[i].kind == RULE_ALL && group->rules[i].components[k] == component)
                return component->fields.count > 0;
    return false;
}

bool schema_writes(const declared_system *system, const component *component)
{
    for (size_t i = 0; i < system->write_count; i++)
        if (system->writes[i] == component)
            return true;
    return false;
}

bool schema_has_pieces(const declared_system *system)
{
    return system->job.is_parallel && system->roles[ROLE_UPDATE] && system->job.grain != SCHEMA_GRAIN_ALL;
}

bool schema_has_jobs(const package *package)
{
    for (size_t i = 0; i < package->system_count; i++)
        if (package->systems[i]->job.is_parallel)
            return true;
    return false;
}

bool schema_has_random(const package *package)
{
    for (size_t i = 0; i < package->system_count; i++)
        if (package->systems[i]->has_random)
            return true;
    return false;
}

runs_kind schema_runs(const declared_system *system)
{
    const schedule_node *node = system->node;
    runs_kind runs = system->runs;
    for (; runs == RUNS_UNSET && node != NULL; node = node->parent)
        runs = node->runs;
    return runs == RUNS_UNSET ? RUNS_HOST : runs;
}

bool schema_has_commands(const declared_system *system)
{
    const system_job *job = &system->job;
    bool has_commands = job->change_count + job->spawn_count + job->publish_count > 0 || job->destroys;
    assert(job->is_parallel || !has_commands);
    return has_commands;
}

static void insert_context(const context **contexts, size_t *count, const context *context)
{
    size_t place = 0;
    while (place < *count && contexts[place]->order < context->order)
        place++;
    if (place < *count && contexts[place] == context)
        return;
    for (size_t i = (*count)++; i > place; i--)
        contexts[i] = contexts[i - 1];
    contexts[place] = context;
}

system_contexts schema_contexts_of(arena *arena, const declared_system *system)
{
    const context **contexts = arena_allocate(arena, (system->trigger_count + 1) * sizeof *contexts);
    size_t count = 0;
    if (system->group != NULL && system->group->context != NULL)
        insert_context(contexts, &count, system->group->context);
    for (size_t i = 0; i < system->trigger_count; i++)
        if (system->triggers[i].group->context != NULL)
            insert_context(contexts, &count, system->triggers[i].group->context);
    assert(count <= system->trigger_count + 1);
    return (system_contexts){contexts, count};
}

system_contexts schema_job_contexts(arena *arena, const declared_system *system, system_contexts list)
{
    system_contexts own = schema_contexts_of(arena, system);
    const context **found = arena_allocate(arena, (list.count + 1) * sizeof *found);
    size_t count = 0;
    for (size_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < own.count; k++)
            if (own.contexts[k] == list.contexts[i])
                found[count++] = list.contexts[i];
    if (count == 0)
        return list;
    return (system_contexts){found, count};
}

component_list schema_job_components(arena *arena, const package *package, const declared_system *system)
{
    component_list reads = {system->reads, system->read_count};
    component_list writes = {system->writes, system->write_count};
    component_list changes = {system->job.changes, system->job.change_count};
    const component **found = arena_allocate(arena, (package->component_count + 1) * sizeof *found);
    size_t count = 0;
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        bool is_listed = schema_lists(reads, component) || schema_lists(writes, component);
        if (is_listed || schema_lists(changes, component) || schema_is_column_of(system, component))
            found[count++] = component;
    }
    return (component_list){found, count};
}

system_contexts schema_job_index_contexts(arena *arena, const system_job *job, const char *name)
{
    const context **contexts = arena_allocate(arena, (job->look_up_count + 1) * sizeof *contexts);
    size_t count = 0;
    for (size_t i = 0; i < job->look_up_count; i++)
        if (strcmp(job->looks_up[i]->name, name) == 0)
            contexts[count++] = job->looks_up[i]->context;
    return (system_contexts){contexts, count};
}

bool schema_is_key_of(const entity_index *index, const component *component)
{
    for (size_t i = 0; i < index->key_count; i++)
        if (index->key[i].component == component)
            return true;
    return false;
}

static bool is_looked_up(const package *package, const entity_index *index)
{
    for (size_t i = 0; i < package->system_count; i++) {
        const system_job *job = &package->systems[i]->job;
        for (size_t k = 0; k < job->look_up_count; k++)
            if (job->looks_up[k] == index)
                return true;
    }
    return false;
}

// Returns whether the system may write keys of the index: it works on its context, and declares to write a component.
static bool writes_key(const declared_system *system, const entity_index *index)
{
    if (system->group != NULL && system->group->context != index->context)
        return false;
    for (size_t i = 0; i < system->write_count; i++)
        if (schema_is_key_of(index, system->writes[i]))
            return true;
    return false;
}

index_list schema_refreshes(arena *arena, const package *package, const declared_system *system)
{
    const entity_index **found = arena_allocate(arena, (package->index_count + 1) * sizeof *found);
    size_t count = 0;
    for (size_t i = 0; i < package->index_count; i++) {
        const entity_index *index = package->indices[i];
        bool is_refreshed = index->kind == INDEX_ORDERED || index->kind == INDEX_GRID;
        bool is_needed = index->refresh == REFRESH_ALWAYS || is_looked_up(package, index);
        if (is_refreshed && is_needed && writes_key(system, index))
            found[count++] = index;
    }
    return (index_list){found, count};
}

// ---- what a job lacks

static bool works_in(arena *arena, const package *package, const declared_system *system, const context *context)
{
    system_contexts all = {package->contexts, package->context_count};
    system_contexts contexts = schema_job_contexts(arena, system, all);
    for (size_t i = 0; i < contexts.count; i++)
        if (contexts.contexts[i] == context)
            return true;
    return false;
}

static bool spawns(const system_job *job, const blueprint *blueprint)
{
    for (size_t i = 0; i < job->spawn_count; i++)
        if (job->spawns[i] == blueprint)
            return true;
    return false;
}

blueprint_list schema_job_lacks_spawns(arena *arena, const package *package, const declared_system *system)
{
    const blueprint **found = arena_allocate(arena, (package->blueprint_count + 1) * sizeof *found);
    size_t count = 0;
    for (size_t i = 0; i < package->blueprint_count; i++) {
        const blueprint *blueprint = package->blueprints[i];
        if (!spawns(&system->job, blueprint) && works_in(arena, package, system, blueprint->context))
            found[count++] = blueprint;
    }
    return (blueprint_list){found, count};
}

static bool has_name(const entity_index *const *indices, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(indices[i]->symbol_name, name) == 0)
            return true;
    return false;
}

index_list schema_job_lacks_indices(arena *arena, const package *package, const declared_system *system)
{
    const system_job *job = &system->job;
    const entity_index **found = arena_allocate(arena, (package->index_count + 1) * sizeof *found);
    size_t count = 0;
    for (size_t i = 0; i < package->index_count; i++) {
        const entity_index *index = package->indices[i];
        bool is_known = has_name(job->looks_up, job->look_up_count, index->symbol_name) ||
                        has_name(found, count, index->symbol_name);
        if (!is_known && works_in(arena, package, system, index->context))
            found[count++] = index;
    }
    return (index_list){found, count};
}

bool schema_publishes(const system_job *job, const message *message)
{
    for (size_t i = 0; i < job->publish_count; i++)
        if (job->publishes[i] == message)
            return true;
    return false;
}

const char *schema_look_up_name(arena *arena, const entity_index *index)
{
    static const char *const forms[] = {[INDEX_NONE] = "%s",
                                        [INDEX_PRIMARY] = "entity_with_%s",
                                        [INDEX_MULTI] = "copy_entities_with_%s",
                                        [INDEX_ORDERED] = "%s_from",
                                        [INDEX_GRID] = "%s_near"};
    return arena_format(arena, forms[index->kind], index->symbol_name);
}
