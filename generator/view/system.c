// View of a system: its functions, the columns it accesses, and its triggers and inboxes.
#include "generator/schema/schema.h"

#include "view/private/parts.h"

#include <assert.h>
#include <string.h>

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

// Returns the name in functions and types of a system or message: "my_move".
static const char *snake_name(const view_scope *scope, const char *name)
{
    return arena_format(scope->arena, "%s%s", scope->package->prefix, name_to_snake_case(scope->arena, name));
}

// Returns the group's index among the groups of its context: those of systems follow the declared ones.
static size_t group_number(const view_scope *scope, const group *group)
{
    const package *package = scope->package;
    size_t number = 0;
    for (size_t i = 0; i < package->group_count && package->groups[i] != group; i++)
        number += package->groups[i]->context == group->context;
    for (size_t i = 0; group->is_of_system && package->system_groups[i] != group; i++)
        number += package->system_groups[i]->context == group->context;
    return number;
}

static void set_group(const view_scope *scope, value *map, const group *group)
{
    view_set_count(scope, map, "context_number", view_context_number(scope, group->context));
    view_set_count(scope, map, "group_number", group_number(scope, group));
}

// ---- inboxes

static value *inbox_value(const view_scope *scope, const system_inbox *inbox)
{
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "message", name_to_snake_case(scope->arena, inbox->message->name));
    view_set_text(scope, map, "type", view_type_name(scope, inbox->message->name));
    view_set_bool(scope, map, "has_fields", inbox->message->fields.count > 0);
    view_set_count(scope, map, "number", inbox->message->number);
    view_set_count(scope, map, "capacity", inbox->capacity);
    assert(inbox->full <= INBOX_ERROR);
    view_set_text(scope, map, "full", full_inboxes[inbox->full]);
    return map;
}

static void set_inboxes(const view_scope *scope, value *map, const declared_system *system)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < system->inbox_count; i++)
        value_append(list, inbox_value(scope, &system->inboxes[i]));
    value_set(map, "inboxes", list);
    view_set_bool(scope, map, "has_inboxes", system->inbox_count > 0);
    view_set_count(scope, map, "inbox_count", system->inbox_count);
}

// ---- systems

// Returns whether the role's function receives entities of the system's group.
static bool takes_entities(const declared_system *system, system_role role)
{
    return system->kind == SYSTEM_GROUP &&
           (role == ROLE_FIRST_UPDATE || role == ROLE_ENTER || role == ROLE_LEAVE || role == ROLE_DRAW);
}

static value *role_value(const view_scope *scope, const declared_system *system, system_role role)
{
    bool is_tick = role == ROLE_EXECUTE, is_update = role == ROLE_UPDATE;
    bool is_entities = takes_entities(system, role);
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "role", schema_role_name(role));
    view_set_text(scope, map, "id", view_role_id(role));
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
    size_t calls = 0, entity_roles = 0;
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
    const char *executes = has_role(system, ROLE_EXECUTE) ? "execute" : has_role(system, ROLE_UPDATE) ? "update" : NULL;
    view_set_text(scope, map, "executes", system->job.is_parallel ? NULL : executes);
    view_set_text(scope, map, "runs", system->job.is_parallel ? executes : NULL);
}

// With several contexts, each function has the context's name as suffix.
static void set_reactions(const view_scope *scope, value *map, const declared_system *system)
{
    value *list = value_list(scope->arena);
    system_contexts contexts = schema_contexts_of(scope->arena, system);
    for (size_t i = 0; system->kind == SYSTEM_REACTIVE && i < contexts.count; i++) {
        const char *name = contexts.contexts[i]->name;
        value *reaction = value_map(scope->arena);
        view_set_context(scope, reaction, contexts.contexts[i]);
        view_set_count(scope, reaction, "context_number", view_context_number(scope, contexts.contexts[i]));
        view_set_text(scope, reaction, "suffix", contexts.count == 1 ? "" : arena_format(scope->arena, "_%s", name));
        value_append(list, reaction);
    }
    value_set(map, "reactions", list);
    view_set_bool(scope, map, "has_filter", system->roles[ROLE_FILTER]);
}

static void set_triggers(const view_scope *scope, value *map, const declared_system *system)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < system->trigger_count; i++) {
        value *trigger = value_map(scope->arena);
        set_group(scope, trigger, system->triggers[i].group);
        view_set_text(scope, trigger, "trigger_event", trigger_events[system->triggers[i].event]);
        value_append(list, trigger);
    }
    value_set(map, "triggers", list);
    view_set_count(scope, map, "trigger_count", system->trigger_count);
}

// Sets the columns that `on_leave: keep` stores.
static void set_kept(const view_scope *scope, value *map, const declared_system *system)
{
    value *list = system->keeps_left ? view_columns(scope, system->group, NULL) : value_list(scope->arena);
    size_t count = 0;
    for (const value *each = list->first; each != NULL; each = each->next)
        count++;
    value_set(map, "kept", list);
    view_set_bool(scope, map, "keeps", count > 0);
    view_set_count(scope, map, "kept_count", count);
}

static void set_system_group(const view_scope *scope, value *map, const declared_system *system)
{
    view_set_bool(scope, map, "is_group", system->kind == SYSTEM_GROUP);
    if (system->kind != SYSTEM_GROUP)
        return;
    view_set_text(scope, map, "group", system->group->is_of_system ? NULL : system->group->name);
    set_group(scope, map, system->group);
    view_set_context(scope, map, system->group->context);
    view_set_iterator(scope, map, snake_name(scope, system->name), system->group, system);
}

value *view_system(const view_scope *scope, const declared_system *system)
{
    assert(scope->package->systems[system->number] == system);
    value *map = value_map(scope->arena);
    view_set_name(scope, map, system->name);
    view_set_doc(scope, map, system->doc, NULL);
    view_set_text(scope, map, "system", snake_name(scope, system->name));
    view_set_count(scope, map, "system_number", system->number);
    view_set_text(scope, map, "node", system->node->name);
    view_set_count(scope, map, "node_number", system->node->number);
    view_set_bool(scope, map, "is_late", system->after != system->node);
    view_set_count(scope, map, "after", system->after->number);
    view_set_bool(scope, map, "is_reactive", system->kind == SYSTEM_REACTIVE);
    set_system_group(scope, map, system);
    set_roles(scope, map, system);
    set_reactions(scope, map, system);
    set_triggers(scope, map, system);
    set_inboxes(scope, map, system);
    set_kept(scope, map, system);
    view_set_tree(scope, map, system);
    view_set_job(scope, map, system);
    view_set_system_info(scope, map, system);
    return map;
}
