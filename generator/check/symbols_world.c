// The symbols of the world of a package.
#include "check/private/symbols_collector.h"
#include "generator/schema/schema.h"

static void collect_manual_nodes(symbol_collector *collector)
{
    for (size_t i = 0; i < collector->package->node_count; i++) {
        const schedule_node *node = collector->package->nodes[i];
        symbol_origin origin = {arena_format(collector->arena, "node '%s'", node->name), node->span};
        if (node->is_manual)
            symbols_collect(collector, SCOPE_MANUAL_NODE, (symbol_subject){.node = node->name}, origin);
    }
}

static void collect_messages(symbol_collector *collector)
{
    for (size_t i = 0; i < collector->package->message_count; i++) {
        const message *message = collector->package->messages[i];
        symbol_origin origin = {arena_format(collector->arena, "message '%s'", message->name), message->span};
        symbol_subject subject = {.message = message->name};
        symbols_collect(collector, SCOPE_MESSAGE, subject, origin);
        if (message->fields.count > 0)
            symbols_collect(collector, SCOPE_MESSAGE_FIELDS, subject, origin);
    }
}

// A role has one function; roles of a reactive system that receive entities have one for each of its contexts.
static void collect_role(symbol_collector *collector, const declared_system *system, system_role role,
                         symbol_origin origin)
{
    symbol_subject subject = {.system = system->name, .role = schema_role_name(role)};
    symbols_collect(collector, SCOPE_SYSTEM_ROLE, subject, origin);
    bool is_of_contexts = system->kind == SYSTEM_REACTIVE && (role == ROLE_EXECUTE || role == ROLE_FILTER);
    system_contexts contexts = schema_contexts_of(collector->arena, system);
    if (!is_of_contexts || contexts.count < 2) {
        symbols_collect(collector, SCOPE_ROLE, subject, origin);
        return;
    }
    for (size_t i = 0; i < contexts.count; i++) {
        subject.context = contexts.contexts[i]->name;
        symbols_collect(collector, SCOPE_ROLE_OF_CONTEXT, subject, origin);
    }
}

// Collects the members of the system's iterator for a component.
static void collect_column(symbol_collector *collector, const declared_system *system, symbol_subject subject,
                           symbol_origin origin)
{
    if (system->roles[ROLE_UPDATE])
        symbols_collect(collector, SCOPE_SYSTEM_MEMBER, subject, origin);
    if (schema_iterates_tree(system))
        symbols_collect(collector, SCOPE_SYSTEM_PARENT, subject, origin);
}

static void collect_optional_columns(symbol_collector *collector, const declared_system *system, component_list list,
                                     symbol_origin origin)
{
    for (size_t i = 0; i < list.count; i++) {
        symbol_subject subject = {.system = system->name, .component = list.components[i]->name};
        collect_column(collector, system, subject, origin);
    }
}

// Collects the columns of the system's group, of which `on_leave: keep` stores those that are not optional.
static void collect_columns(symbol_collector *collector, const declared_system *system, symbol_origin origin)
{
    for (size_t i = 0; i < system->group->rule_count; i++) {
        const rule *rule = &system->group->rules[i];
        for (size_t k = 0; rule->kind == RULE_ALL && k < rule->count; k++) {
            symbol_subject subject = {.system = system->name, .component = rule->components[k]->name};
            if (rule->components[k]->fields.count == 0)
                continue;
            collect_column(collector, system, subject, origin);
            if (system->keeps_left)
                symbols_collect(collector, SCOPE_SYSTEM_LEFT, subject, origin);
        }
    }
    collect_optional_columns(collector, system, system->group->maybe, origin);
    collect_optional_columns(collector, system, system->maybe, origin);
}

static void collect_iterator(symbol_collector *collector, const declared_system *system, symbol_origin origin)
{
    symbol_subject subject = {.system = system->name};
    if (schema_iterates_tree(system)) {
        symbols_collect(collector, SCOPE_SYSTEM_TREE, subject, origin);
        return;
    }
    symbols_collect(collector, SCOPE_SYSTEM_ITERATOR, subject, origin);
    if (system->group != NULL && schema_is_inlined(system->group, system->group->maybe.count + system->maybe.count))
        symbols_collect(collector, SCOPE_SYSTEM_MATCH, subject, origin);
    if (system->group != NULL && !system->group->is_of_system)
        symbols_collect(collector, SCOPE_SYSTEM_VIEW, subject, origin);
}

static void collect_system(symbol_collector *collector, const declared_system *system)
{
    symbol_origin origin = {arena_format(collector->arena, "system '%s'", system->name), system->span};
    symbols_collect(collector, SCOPE_SYSTEM, (symbol_subject){.system = system->name}, origin);
    if (system->job.is_parallel)
        symbols_collect_job(collector, system, origin);
    for (system_role role = 0; role < ROLE_COUNT; role++)
        if (system->roles[role])
            collect_role(collector, system, role, origin);
    if (system->roles[ROLE_UPDATE])
        collect_iterator(collector, system, origin);
    if (system->group != NULL)
        collect_columns(collector, system, origin);
    for (size_t i = 0; i < system->inbox_count; i++) {
        symbol_subject subject = {.system = system->name, .message = system->inboxes[i].message->name};
        symbols_collect(collector, SCOPE_SYSTEM_INBOX, subject, origin);
    }
}

void symbols_collect_world(symbol_collector *collector)
{
    const package *package = collector->package;
    symbol_origin origin = {arena_format(collector->arena, "world of package '%s'", package->name), package->span};
    if (!package->has_world)
        return;
    symbols_collect(collector, SCOPE_WORLD, (symbol_subject){.prefix = NULL}, origin);
    if (schema_has_jobs(package))
        symbols_collect(collector, SCOPE_WORLD_OF_JOBS, (symbol_subject){.prefix = NULL}, origin);
    collect_manual_nodes(collector);
    collect_messages(collector);
    for (size_t i = 0; i < package->system_count; i++)
        collect_system(collector, package->systems[i]);
}
