// The names that a package's world brings.
#include "check/private/symbols_collect.h"
#include "model/world.h"

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

// A function a role; of a reactive system over several contexts one a context, where it is about entities.
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

// The columns that its group gives it.
static void collect_columns(symbol_collector *collector, const declared_system *system, symbol_origin origin)
{
    for (size_t i = 0; i < system->group->rule_count; i++) {
        const rule *rule = &system->group->rules[i];
        for (size_t k = 0; rule->kind == RULE_ALL && k < rule->count; k++) {
            symbol_subject subject = {.system = system->name, .component = rule->components[k]->name};
            if (rule->components[k]->fields.count == 0)
                continue;
            if (system->roles[ROLE_UPDATE])
                symbols_collect(collector, SCOPE_SYSTEM_MEMBER, subject, origin);
            if (system->keeps_left)
                symbols_collect(collector, SCOPE_SYSTEM_LEFT, subject, origin);
        }
    }
}

static void collect_system(symbol_collector *collector, const declared_system *system)
{
    symbol_origin origin = {arena_format(collector->arena, "system '%s'", system->name), system->span};
    symbols_collect(collector, SCOPE_SYSTEM, (symbol_subject){.system = system->name}, origin);
    for (system_role role = 0; role < ROLE_COUNT; role++)
        if (system->roles[role])
            collect_role(collector, system, role, origin);
    if (system->roles[ROLE_UPDATE])
        symbols_collect(collector, SCOPE_SYSTEM_ITERATOR, (symbol_subject){.system = system->name}, origin);
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
    symbol_origin origin = {arena_format(collector->arena, "the world of package '%s'", package->name), package->span};
    if (!package->has_world)
        return;
    symbols_collect(collector, SCOPE_WORLD, (symbol_subject){.prefix = NULL}, origin);
    collect_messages(collector);
    for (size_t i = 0; i < package->system_count; i++)
        collect_system(collector, package->systems[i]);
}
