// Views of systems, for their functions and for tools.
#include "generator/render/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

// ---- roles

// The names that roles of systems have in C.

static const char *const role_ids[ROLE_COUNT] = {
    [ROLE_INITIALIZE] = "KIN_ROLE_INITIALIZE", [ROLE_START] = "KIN_ROLE_START",
    [ROLE_EXECUTE] = "KIN_ROLE_EXECUTE",       [ROLE_FIRST_UPDATE] = "KIN_ROLE_FIRST_UPDATE",
    [ROLE_ENTER] = "KIN_ROLE_ENTER",           [ROLE_UPDATE] = "KIN_ROLE_UPDATE",
    [ROLE_LEAVE] = "KIN_ROLE_LEAVE",           [ROLE_DRAW] = "KIN_ROLE_DRAW",
    [ROLE_CLEANUP] = "KIN_ROLE_CLEANUP",       [ROLE_TEAR_DOWN] = "KIN_ROLE_TEAR_DOWN",
    [ROLE_DISPOSE] = "KIN_ROLE_DISPOSE",
};

// ---- trees

// View of systems that iterate their groups in the order of a tree: the types of the iterator, and the tree.

// Returns the number of columns that are not optional.
static size_t count_columns(const value *columns)
{
    size_t count = 0;
    for (const value *each = columns->first; each != NULL; each = each->next)
        count += !value_find(each, value_key_create("is_maybe"))->boolean;
    return count;
}

static bool has_soa(const value *columns)
{
    for (const value *each = columns->first; each != NULL; each = each->next)
        if (value_find(each, value_key_create("is_soa"))->boolean)
            return true;
    return false;
}

// Returns the name of a type as the iterator can use it: a column of that name would hide the type in C++.
static const char *type_beside(const view_scope *scope, const value *columns, const char *type)
{
    for (const value *each = columns->first; each != NULL; each = each->next) {
        const char *member = value_find(each, value_key_create("component"))->text;
        if (strcmp(member, type) == 0 || strcmp(arena_format(scope->arena, "parent_%s", member), type) == 0)
            return arena_format(scope->arena, "struct %s", type);
    }
    return type;
}

// Returns the components of the context whose changes count, with `only: changed`.
static value *watched(const view_scope *scope, const declared_system *system)
{
    assert(system->tree != NULL);
    const context *context = system->group->context;
    value *list = value_list(scope->arena);
    for (size_t i = 0; system->only_changed && i < system->read_count; i++) {
        const component *component = system->reads[i];
        bool is_in = false;
        for (size_t k = 0; k < component->context_count; k++)
            is_in = is_in || component->contexts[k] == context;
        if (!is_in)
            continue;
        value *item = value_append_map(scope->arena, list);
        view_set_text(scope, item, "id", view_component_id(scope, context, component));
        view_set_text(scope, item, "separator", text_if(item != list->first, ", "));
    }
    return list;
}

static value *tree_info(const view_scope *scope, const declared_system *system)
{
    value *info = value_map(scope->arena);
    value *list = watched(scope, system);
    size_t count = 0;
    for (const value *each = list->first; each != NULL; each = each->next)
        count++;
    view_set_text(scope, info, "tree_name", system->tree->field->reverse);
    view_set_count(scope, info, "relation", view_relation_number(scope, system->tree));
    view_set_bool(scope, info, "is_breadth", system->order == TREE_BREADTH);
    view_set_bool(scope, info, "is_changed", system->only_changed);
    view_set_bool(scope, info, "is_divided", schema_has_pieces(system));
    value_set(info, "watched", list);
    view_set_count(scope, info, "watched_count", count);
    return info;
}

// Sets `tree`, what the header has of a system that iterates its group in the order of a tree, and `tree_info`, the
// rest; both false for any other system. The map has the `columns` of the system.
static void set_tree(const view_scope *scope, value *map, const declared_system *system)
{
    if (!schema_iterates_tree(system)) {
        view_set_bool(scope, map, "tree", false);
        view_set_bool(scope, map, "tree_info", false);
        return;
    }
    value *tree = value_map(scope->arena);
    const value *columns = value_find(map, value_key_create("columns"));
    const char *context = view_context_name(scope, system->group->context);
    size_t count = count_columns(columns);
    bool has_places = has_soa(columns);
    bool has_maybe = system->group->maybe.count + system->maybe.count > 0;
    view_set_text(scope, tree, "entity_type",
                  type_beside(scope, columns, arena_format(scope->arena, "%s_entity", context)));
    view_set_text(scope, tree, "context_type",
                  type_beside(scope, columns, arena_format(scope->arena, "%s_context", context)));
    view_set_count(scope, tree, "column_count", count);
    view_set_bool(scope, tree, "has_columns", count > 0);
    view_set_bool(scope, tree, "has_places", has_places);
    view_set_bool(scope, tree, "has_skip", !schema_has_pieces(system));
    view_set_bool(scope, tree, "needs_parent", has_places || has_maybe);
    view_set_named(scope, tree, system->group);
    value_set(map, "tree", tree);
    value_set(map, "tree_info", tree_info(scope, system));
}

// ---- tables for tools

// View of the tables that describe a world to tools: what the functions of the world do not need.

static const char *const kinds[] = {
    [SYSTEM_PLAIN] = "KIN_SYSTEM_PLAIN",
    [SYSTEM_GROUP] = "KIN_SYSTEM_GROUP",
    [SYSTEM_REACTIVE] = "KIN_SYSTEM_REACTIVE",
};

static const char *const full_words[] = {
    [INBOX_OLDEST] = "KIN_FULL_OLDEST",
    [INBOX_NEWEST] = "KIN_FULL_NEWEST",
    [INBOX_ERROR] = "KIN_FULL_ERROR",
};

// Sets a list whose items are separated by commas.
static void set_names(const view_scope *scope, value *map, const char *key, const char *has_key, const char *count_key,
                      value *list)
{
    for (value *each = list->first; each != NULL; each = each->next)
        view_set_text(scope, each, "comma", text_if(each->next != NULL, ", "));
    view_set_list(scope, map, key, has_key, count_key, list);
}

static void append_name(const view_scope *scope, value *list, const char *name)
{
    view_set_name(scope, value_append_map(scope->arena, list), name);
}

static value *component_names(const view_scope *scope, const component *const *components, size_t count)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < count; i++)
        append_name(scope, list, components[i]->name);
    return list;
}

static value *inbox_infos(const view_scope *scope, const declared_system *system)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < system->inbox_count; i++) {
        value *item = value_append_map(scope->arena, list);
        view_set_count(scope, item, "number", system->inboxes[i].message->number);
        view_set_count(scope, item, "capacity", system->inboxes[i].capacity);
        view_set_text(scope, item, "full", full_words[system->inboxes[i].full]);
    }
    return list;
}

static value *predecessors(const view_scope *scope, const declared_system *system)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < system->predecessor_count; i++) {
        value *item = value_append_map(scope->arena, list);
        view_set_count(scope, item, "number", system->predecessors[i]->number);
    }
    return list;
}

// The filter of a reactive system has no kin_role; functions for messages have one, and no role of the schema.
static value *list_role_ids(const view_scope *scope, const declared_system *system)
{
    value *list = value_list(scope->arena);
    for (system_role role = 0; role < ROLE_COUNT; role++) {
        if (!system->roles[role] || role == ROLE_FILTER)
            continue;
        value *item = value_append_map(scope->arena, list);
        view_set_text(scope, item, "id", role_ids[role]);
    }
    if (system->inbox_count == 0)
        return list;
    value *inbox = value_append_map(scope->arena, list);
    view_set_text(scope, inbox, "id", "KIN_ROLE_INBOX");
    return list;
}

// What a parallel system does; an empty list for another one.
static value *job_info(const view_scope *scope, const declared_system *system)
{
    const system_job *job = &system->job;
    if (!job->is_parallel)
        return value_list(scope->arena);
    value *info = value_map(scope->arena);
    value *look_ups = value_list(scope->arena);
    value *spawns = value_list(scope->arena);
    value *messages = value_list(scope->arena);
    for (size_t i = 0; i < job->look_up_count; i++)
        append_name(scope, look_ups, job->looks_up[i]->name);
    for (size_t i = 0; i < job->spawn_count; i++)
        append_name(scope, spawns, job->spawns[i]->name);
    for (size_t i = 0; i < job->publish_count; i++)
        append_name(scope, messages, job->publishes[i]->name);
    view_set_count(scope, info, "batch", system->batch + 1);
    view_set_bool(scope, info, "destroys", job->destroys);
    set_names(scope, info, "look_ups", "has_look_ups", "look_up_count", look_ups);
    set_names(scope, info, "changes", "has_changes", "change_count",
              component_names(scope, job->changes, job->change_count));
    set_names(scope, info, "spawns", "has_spawns", "spawn_count", spawns);
    set_names(scope, info, "publishes", "has_publishes", "publish_count", messages);
    return info;
}

// Sets the indices that follow what the system has written in place.
static void set_refreshes(const view_scope *scope, value *map, const declared_system *system)
{
    index_list refreshes = schema_refreshes(scope->arena, scope->package, system);
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < refreshes.count; i++) {
        const entity_index *index = refreshes.indices[i];
        size_t number = 0;
        for (size_t k = 0; scope->package->indices[k] != index; k++)
            number += scope->package->indices[k]->context == index->context;
        value *item = value_append_map(scope->arena, list);
        view_set_count(scope, item, "context_number", index->context->order);
        view_set_count(scope, item, "number", number);
    }
    view_set_list(scope, map, "refreshes", "has_refreshes", "refresh_count", list);
}

// Sets `info`: what only the tables for tools show of a system.
static void set_system_info(const view_scope *scope, value *map, const declared_system *system)
{
    value *info = value_map(scope->arena);
    view_set_text(scope, info, "kind", kinds[system->kind]);
    view_set_identity(scope, info, system->name, &system->saved);
    view_set_bool(scope, info, "keeps_left", system->keeps_left);
    set_names(scope, info, "role_ids", "has_role_ids", "role_id_count", list_role_ids(scope, system));
    set_names(scope, info, "inbox_infos", "has_inbox_infos", "inbox_info_count", inbox_infos(scope, system));
    set_names(scope, info, "reads", "has_reads", "read_count",
              component_names(scope, system->reads, system->read_count));
    set_names(scope, info, "writes", "has_writes", "write_count",
              component_names(scope, system->writes, system->write_count));
    set_names(scope, info, "predecessors", "has_predecessors", "predecessor_count", predecessors(scope, system));
    value_set(info, "job_info", job_info(scope, system));
    value_set(map, "info", info);
}

void view_set_world_info(const view_scope *scope, value *map)
{
    const package *package = scope->package;
    bool *used = arena_allocate(scope->arena, package->definition_count + 1);
    for (size_t i = 0; i < package->definition_count; i++)
        for (size_t k = 0; k < package->message_count; k++)
            used[i] = used[i] || view_uses(&package->messages[k]->fields, package->definitions[i]);
    value *info = value_map(scope->arena);
    value_set(info, "definitions", view_used_definitions(scope, used));
    value_set(map, "info", info);
}

// ---- systems

// View of a system: its functions, the columns it accesses, and its triggers and inboxes.

static const char *const trigger_events[] = {
    [TRIGGER_ADDED] = "KIN_ADDED",
    [TRIGGER_REMOVED] = "KIN_REMOVED",
    [TRIGGER_ADDED_OR_REMOVED] = "KIN_ADDED_OR_REMOVED",
    [TRIGGER_MODIFIED] = "KIN_MODIFIED",
};

static const char *const full_inboxes[] = {
    [INBOX_OLDEST] = "KIN__FULL_OLDEST",
    [INBOX_NEWEST] = "KIN__FULL_NEWEST",
    [INBOX_ERROR] = "KIN__FULL_ERROR",
};

// ---- names and numbers

static void set_group(const view_scope *scope, value *map, const group *group)
{
    view_set_count(scope, map, "context_number", view_context_number(scope, group->context));
    view_set_count(scope, map, "group_number", view_group_number(scope, group));
}

// ---- inboxes

static void set_inboxes(const view_scope *scope, value *map, const declared_system *system)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < system->inbox_count; i++) {
        const system_inbox *inbox = &system->inboxes[i];
        value *item = value_append_map(scope->arena, list);
        view_set_text(scope, item, "message", name_to_snake_case(scope->arena, inbox->message->name));
        view_set_text(scope, item, "type", view_type_name(scope, inbox->message->name));
        view_set_bool(scope, item, "has_fields", inbox->message->fields.count > 0);
        view_set_count(scope, item, "number", inbox->message->number);
        view_set_count(scope, item, "capacity", inbox->capacity);
        assert(inbox->full <= INBOX_ERROR);
        view_set_text(scope, item, "full", full_inboxes[inbox->full]);
    }
    view_set_list(scope, map, "inboxes", "has_inboxes", "inbox_count", list);
}

// ---- systems

// Returns whether the role's function receives entities of the system's group.
static bool takes_entities(const declared_system *system, system_role role)
{
    bool is_for_each = role == ROLE_FIRST_UPDATE || role == ROLE_DRAW;
    bool is_of_members = role == ROLE_ENTER || role == ROLE_LEAVE;
    return system->kind == SYSTEM_GROUP && (is_for_each || is_of_members);
}

static value *role_value(const view_scope *scope, const declared_system *system, system_role role)
{
    assert(role != ROLE_FILTER && role_ids[role] != NULL);
    bool is_tick = role == ROLE_EXECUTE;
    bool is_update = role == ROLE_UPDATE;
    bool is_entities = takes_entities(system, role);
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "role", schema_role_name(role));
    view_set_text(scope, map, "id", role_ids[role]);
    view_set_bool(scope, map, "is_tick", is_tick);
    view_set_bool(scope, map, "is_update", is_update);
    view_set_bool(scope, map, "is_entities", is_entities);
    view_set_bool(scope, map, "is_call", !is_tick && !is_update && !is_entities);
    view_set_bool(scope, map, "is_job", system->job.is_parallel && (is_tick || is_update));
    return map;
}

// Returns whether the role has one function. `execute` and `filter` of a reactive system have one per context, in
// `reactions`.
static bool has_role(const declared_system *system, system_role role)
{
    bool is_reaction = system->kind == SYSTEM_REACTIVE && (role == ROLE_EXECUTE || role == ROLE_FILTER);
    return system->roles[role] && !is_reaction;
}

static void set_roles(const view_scope *scope, value *map, const declared_system *system)
{
    value *list = value_list(scope->arena);
    size_t calls = 0;
    size_t entity_roles = 0;
    for (system_role role = 0; role < ROLE_COUNT; role++) {
        if (!has_role(system, role))
            continue;
        value_append(list, role_value(scope, system, role));
        entity_roles += takes_entities(system, role);
        calls += !takes_entities(system, role) && role != ROLE_EXECUTE && role != ROLE_UPDATE;
    }
    value_set(map, "roles", list);
    view_set_bool(scope, map, "updates", has_role(system, ROLE_UPDATE));
    view_set_bool(scope, map, "has_calls", calls > 0);
    view_set_bool(scope, map, "has_tells", entity_roles > 0);
    const char *executes = NULL;
    if (has_role(system, ROLE_UPDATE))
        executes = "update";
    if (has_role(system, ROLE_EXECUTE))
        executes = "execute";
    const char *runs = NULL;
    if (system->job.is_parallel) {
        runs = executes;
        executes = NULL;
    }
    view_set_text(scope, map, "executes", executes);
    view_set_text(scope, map, "runs", runs);
}

// With several contexts, each function has the context's name as suffix.
static void set_reactions(const view_scope *scope, value *map, const declared_system *system)
{
    value *list = value_list(scope->arena);
    system_contexts contexts = schema_contexts_of(scope->arena, system);
    for (size_t i = 0; system->kind == SYSTEM_REACTIVE && i < contexts.count; i++) {
        const context *context = contexts.contexts[i];
        value *reaction = value_append_map(scope->arena, list);
        view_set_context(scope, reaction, context);
        view_set_count(scope, reaction, "context_number", view_context_number(scope, context));
        view_set_text(scope, reaction, "suffix", view_context_suffix(scope, contexts, context));
    }
    value_set(map, "reactions", list);
    view_set_bool(scope, map, "has_filter", system->roles[ROLE_FILTER]);
}

// Sets the index in whose order `execute` receives entities.
static void set_order_of_reactions(const view_scope *scope, value *map, const declared_system *system)
{
    if (system->kind != SYSTEM_REACTIVE || system->index_order == NULL)
        return;
    value *picked = value_map(scope->arena);
    view_set_order(scope, map, picked, system->index_order);
    value_set(map, "picked", picked);
}

static void set_triggers(const view_scope *scope, value *map, const declared_system *system)
{
    assert(system->kind == SYSTEM_REACTIVE || system->trigger_count == 0);
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < system->trigger_count; i++) {
        value *trigger = value_append_map(scope->arena, list);
        set_group(scope, trigger, system->triggers[i].group);
        view_set_text(scope, trigger, "trigger_event", trigger_events[system->triggers[i].event]);
    }
    value_set(map, "triggers", list);
    view_set_count(scope, map, "trigger_count", system->trigger_count);
}

static void set_system_group(const view_scope *scope, value *map, const declared_system *system)
{
    assert(system->kind != SYSTEM_GROUP || system->group != NULL);
    view_set_bool(scope, map, "is_group", system->kind == SYSTEM_GROUP);
    if (system->kind != SYSTEM_GROUP)
        return;
    const char *group = system->group->name;
    if (system->group->is_of_system)
        group = NULL;
    view_set_text(scope, map, "group", group);
    set_group(scope, map, system->group);
    view_set_context(scope, map, system->group->context);
    view_set_iterator(scope, map, view_snake_name(scope, system->name), system->group, system);
}

// ---- random numbers

// Returns the number that tells systems and contexts apart, in saves of all versions: their identities by FNV-1a.
static const char *stream_of(const view_scope *scope, const declared_system *system, const context *context)
{
    const char *name = arena_format(scope->arena, "%s.%s", system->saved.identity, context->saved.identity);
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
    return arena_format(scope->arena, "UINT64_C(0x%016" PRIX64 ")", hash);
}

// Sets `randoms`: for each context of a system that draws random numbers.
static void set_randoms(const view_scope *scope, value *map, const declared_system *system)
{
    const package *package = scope->package;
    value *list = value_list(scope->arena);
    system_contexts all = {package->contexts, package->context_count};
    system_contexts contexts = schema_job_contexts(scope->arena, system, all);
    for (size_t i = 0; system->has_random && i < contexts.count; i++) {
        value *item = value_append_map(scope->arena, list);
        view_set_context(scope, item, contexts.contexts[i]);
        view_set_text(scope, item, "suffix", view_context_suffix(scope, contexts, contexts.contexts[i]));
        view_set_text(scope, item, "stream", stream_of(scope, system, contexts.contexts[i]));
    }
    value_set(map, "randoms", list);
}

value *view_system(const view_scope *scope, const declared_system *system)
{
    assert(scope->package->systems[system->number] == system);
    assert(!system->keeps_left || system->group != NULL);
    value *map = value_map(scope->arena);
    value *kept = value_list(scope->arena);
    if (system->keeps_left)
        kept = view_columns(scope, system->group, NULL);
    view_set_name(scope, map, system->name);
    view_set_doc(scope, map, system->doc, NULL);
    view_set_text(scope, map, "system", view_snake_name(scope, system->name));
    view_set_count(scope, map, "system_number", system->number);
    view_set_text(scope, map, "node", system->node->name);
    view_set_count(scope, map, "node_number", system->node->number);
    view_set_bool(scope, map, "is_late", system->after != system->node);
    view_set_count(scope, map, "after", system->after->number);
    view_set_bool(scope, map, "is_reactive", system->kind == SYSTEM_REACTIVE);
    set_system_group(scope, map, system);
    set_roles(scope, map, system);
    set_reactions(scope, map, system);
    set_order_of_reactions(scope, map, system);
    set_triggers(scope, map, system);
    set_inboxes(scope, map, system);
    view_set_list(scope, map, "kept", "keeps", "kept_count", kept);
    set_tree(scope, map, system);
    view_set_job(scope, map, system);
    set_refreshes(scope, map, system);
    set_randoms(scope, map, system);
    set_system_info(scope, map, system);
    return map;
}
