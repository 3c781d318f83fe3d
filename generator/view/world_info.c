// View of the tables that describe a world to tools: what the functions of the world do not need.
#include "generator/schema/schema.h"
#include "view/private/parts.h"

static const char *const kinds[] = {
    [SYSTEM_PLAIN] = "KIN_SYSTEM_PLAIN",
    [SYSTEM_GROUP] = "KIN_SYSTEM_GROUP",
    [SYSTEM_REACTIVE] = "KIN_SYSTEM_REACTIVE",
};

static const char *const full_inboxes[] = {
    [INBOX_OLDEST] = "KIN_FULL_OLDEST",
    [INBOX_NEWEST] = "KIN_FULL_NEWEST",
    [INBOX_ERROR] = "KIN_FULL_ERROR",
};

// The names of a list in a map: of the list, of whether it has items, and of their number.
typedef struct list_keys {
    const char *list, *has, *count;
} list_keys;

static void set_list(const view_scope *scope, value *map, const list_keys *keys, value *list)
{
    size_t count = 0;
    for (value *each = list->first; each != NULL; each = each->next) {
        view_set_text(scope, each, "comma", each->next == NULL ? "" : ", ");
        count++;
    }
    value_set(map, keys->list, list);
    view_set_bool(scope, map, keys->has, count > 0);
    view_set_count(scope, map, keys->count, count);
}

static value *component_names(const view_scope *scope, const component *const *components, size_t count)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < count; i++) {
        value *item = value_map(scope->arena);
        view_set_name(scope, item, components[i]->name);
        value_append(list, item);
    }
    return list;
}

static value *inbox_infos(const view_scope *scope, const declared_system *system)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < system->inbox_count; i++) {
        value *item = value_map(scope->arena);
        view_set_count(scope, item, "number", system->inboxes[i].message->number);
        view_set_count(scope, item, "capacity", system->inboxes[i].capacity);
        view_set_text(scope, item, "full", full_inboxes[system->inboxes[i].full]);
        value_append(list, item);
    }
    return list;
}

static value *predecessors(const view_scope *scope, const declared_system *system)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < system->predecessor_count; i++) {
        value *item = value_map(scope->arena);
        view_set_count(scope, item, "number", system->predecessors[i]->number);
        value_append(list, item);
    }
    return list;
}

// The filter of a reactive system has no kin_role; functions for messages have one, and no role of the schema.
static value *role_ids(const view_scope *scope, const declared_system *system)
{
    value *list = value_list(scope->arena);
    for (system_role role = 0; role < ROLE_COUNT; role++) {
        if (!system->roles[role] || role == ROLE_FILTER)
            continue;
        value *item = value_map(scope->arena);
        view_set_text(scope, item, "id", view_role_id(role));
        value_append(list, item);
    }
    if (system->inbox_count == 0)
        return list;
    value *inbox = value_map(scope->arena);
    view_set_text(scope, inbox, "id", "KIN_ROLE_INBOX");
    value_append(list, inbox);
    return list;
}

static void append_name(const view_scope *scope, value *list, const char *name)
{
    value *item = value_map(scope->arena);
    view_set_name(scope, item, name);
    value_append(list, item);
}

// What a parallel system does; an empty list for another one.
static value *job_info(const view_scope *scope, const declared_system *system)
{
    static const list_keys look_up_keys = {"look_ups", "has_look_ups", "look_up_count"};
    static const list_keys change_keys = {"changes", "has_changes", "change_count"};
    static const list_keys spawn_keys = {"spawns", "has_spawns", "spawn_count"};
    static const list_keys publish_keys = {"publishes", "has_publishes", "publish_count"};
    const system_job *job = &system->job;
    if (!job->is_parallel)
        return value_list(scope->arena);
    value *info = value_map(scope->arena);
    value *look_ups = value_list(scope->arena), *spawns = value_list(scope->arena),
          *messages = value_list(scope->arena);
    for (size_t i = 0; i < job->look_up_count; i++)
        append_name(scope, look_ups, job->looks_up[i]->name);
    for (size_t i = 0; i < job->spawn_count; i++)
        append_name(scope, spawns, job->spawns[i]->name);
    for (size_t i = 0; i < job->publish_count; i++)
        append_name(scope, messages, job->publishes[i]->name);
    view_set_count(scope, info, "batch", system->batch + 1);
    view_set_bool(scope, info, "destroys", job->destroys);
    set_list(scope, info, &look_up_keys, look_ups);
    set_list(scope, info, &change_keys, component_names(scope, job->changes, job->change_count));
    set_list(scope, info, &spawn_keys, spawns);
    set_list(scope, info, &publish_keys, messages);
    return info;
}

void view_set_system_info(const view_scope *scope, value *map, const declared_system *system)
{
    static const list_keys inbox_keys = {"inbox_infos", "has_inbox_infos", "inbox_info_count"};
    static const list_keys read_keys = {"reads", "has_reads", "read_count"};
    static const list_keys write_keys = {"writes", "has_writes", "write_count"};
    static const list_keys predecessor_keys = {"predecessors", "has_predecessors", "predecessor_count"};
    static const list_keys role_keys = {"role_ids", "has_role_ids", "role_id_count"};
    value *info = value_map(scope->arena);
    view_set_text(scope, info, "kind", kinds[system->kind]);
    view_set_identity(scope, info, system->name, &system->saved);
    view_set_bool(scope, info, "keeps_left", system->keeps_left);
    set_list(scope, info, &role_keys, role_ids(scope, system));
    set_list(scope, info, &inbox_keys, inbox_infos(scope, system));
    set_list(scope, info, &read_keys, component_names(scope, system->reads, system->read_count));
    set_list(scope, info, &write_keys, component_names(scope, system->writes, system->write_count));
    set_list(scope, info, &predecessor_keys, predecessors(scope, system));
    value_set(info, "job_info", job_info(scope, system));
    value_set(map, "info", info);
}

static bool is_in_message(const package *package, const definition *definition)
{
    for (size_t i = 0; i < package->message_count; i++)
        if (view_uses(&package->messages[i]->fields, definition))
            return true;
    return false;
}

// The types that messages mention, and the types of fields in these. Each type comes after the types of its fields, so
// the reverse order visits all users of a type before the type.
void view_set_world_info(const view_scope *scope, value *map)
{
    const package *package = scope->package;
    bool *used = arena_allocate(scope->arena, package->definition_count + 1);
    for (size_t i = package->definition_count; i-- > 0;) {
        used[i] = is_in_message(package, package->definitions[i]);
        for (size_t k = i + 1; k < package->definition_count && !used[i]; k++)
            used[i] = used[k] && view_uses(&package->definitions[k]->fields, package->definitions[i]);
    }
    value *info = value_map(scope->arena), *list = value_list(scope->arena);
    for (size_t i = 0; i < package->definition_count; i++)
        if (used[i])
            value_append(list, view_definition(scope, package->definitions[i]));
    value_set(info, "definitions", list);
    value_set(map, "info", info);
}
