// Systems: what is added to a collection, at its end.

#include "report/error.h"
#include "systems/schema_system.h"
#include "systems/systems.h"

// How many collections may stand in each other, so that walking them needs no more stack than there is.
enum { MAX_NESTING = 64 };

kin_status kin__systems_refuse(const kin_systems *systems, kin_status status, const char *verb, const char *reason)
{
    kin__attempt attempt = {.verb = verb, .reason = reason};
    return kin__refuse_outside(systems != NULL ? &systems->options : NULL, status, &attempt,
                               systems != NULL ? systems->memory.refused : 0);
}

static kin__node *make_node(kin_systems *systems, const char *name)
{
    kin__node *node = kin__allocate_zero(&systems->memory, sizeof *node);
    if (node == NULL || !kin__systems_copy_name(&systems->memory, name, &node->name)) {
        kin__release(&systems->memory, node, sizeof *node);
        return NULL;
    }
    node->owner = systems;
    node->enabled = true;
    return node;
}

kin__roles kin__node_roles(const kin__node *node)
{
    if (node->nested != NULL || node->schema_system != NULL)
        return node->nested != NULL ? node->nested->roles : kin__schema_system_roles(node->schema_system);
    const kin_system *plain = &node->plain;
    const kin_reactive_system *reactive = &node->reactive.system;
    const bool has[KIN_ROLE_COUNT] = {
        [KIN_ROLE_INITIALIZE] = plain->initialize != NULL || reactive->initialize != NULL,
        [KIN_ROLE_EXECUTE] = plain->execute != NULL || node->reactive.collector != NULL,
        [KIN_ROLE_CLEANUP] = plain->cleanup != NULL || reactive->cleanup != NULL,
        [KIN_ROLE_TEAR_DOWN] = plain->tear_down != NULL || reactive->tear_down != NULL,
    };
    kin__roles roles = 0;
    for (uint32_t role = 0; role < KIN_ROLE_COUNT; role++)
        roles |= (kin__roles)has[role] << role;
    return roles;
}

// Of a declared system, whatever it does in its turn makes it execute.
static void add_roles(kin_systems *systems, const kin__node *node)
{
    kin__roles roles = kin__node_roles(node);
    if (node->schema_system != NULL)
        roles |= (kin__roles)1 << KIN_ROLE_EXECUTE;
    for (; systems != NULL; systems = systems->place == NULL ? NULL : systems->place->owner)
        systems->roles |= roles;
}

static void append(kin_systems *systems, kin__node *node)
{
    if (systems->last == NULL)
        systems->first = node;
    else
        systems->last->next = node;
    systems->last = node;
    add_roles(systems, node);
    kin__node_refresh(node);
}

static const char no_systems[] = "there is no collection to add to; check what creating it returned";

kin_status kin_systems_add(kin_systems *systems, kin_system system)
{
    if (systems == NULL)
        return kin__systems_refuse(NULL, KIN_ERROR_INVALID, "add a system", no_systems);
    kin__node *node = make_node(systems, system.name);
    if (node == NULL)
        return kin__systems_refuse(systems, KIN_ERROR_NO_MEMORY, "add a system", NULL);
    node->plain = system;
    node->execute = system.execute;
    node->self = system.self;
    append(systems, node);
    return KIN_OK;
}

static bool add_cleanup(kin_systems *systems, kin_context *context, kin__cleanup cleanup)
{
    kin__cleanup_system *cleanup_system = kin__cleanup_system_create(context, cleanup);
    kin__node *node = cleanup_system == NULL ? NULL : make_node(systems, context->info->components[cleanup.id].name);
    if (node == NULL) {
        kin__cleanup_system_destroy(cleanup_system);
        return false;
    }
    node->cleanup_system = cleanup_system;
    node->plain = (kin_system){.cleanup = kin__cleanup_system_run, .self = cleanup_system};
    append(systems, node);
    return true;
}

kin_systems *kin__cleanup_systems(kin_context *context, const kin__cleanup *cleanups, uint32_t count)
{
    kin_systems *systems = kin_systems_create("cleanup", &context->core->options);
    if (systems == NULL)
        return NULL; // the error handler may have destroyed the context
    kin__systems_belong(systems, context);
    for (uint32_t i = 0; i < count; i++)
        if (!add_cleanup(systems, context, cleanups[i])) {
            kin__attempt attempt = {.verb = "make the cleanup systems"};
            kin__refuse(context, KIN_ERROR_NO_MEMORY, &attempt);
            kin_systems_destroy(systems);
            return NULL;
        }
    return systems;
}

kin_status kin_systems_add_reactive(kin_systems *systems, kin_reactive_system system)
{
    const char *verb = "add a reactive system";
    if (systems == NULL)
        return kin__systems_refuse(NULL, KIN_ERROR_INVALID, verb, no_systems);
    const char *fault = kin__collector_find_fault(system.triggers, system.trigger_count);
    if (fault != NULL)
        return kin__systems_refuse(systems, KIN_ERROR_INVALID, verb, fault);
    kin__node *node = make_node(systems, system.name);
    if (node == NULL)
        return kin__systems_refuse(systems, KIN_ERROR_NO_MEMORY, verb, NULL);
    node->reactive.system = system;
    node->reactive.collector = kin__collector_make(system.triggers, system.trigger_count);
    if (node->reactive.collector == NULL) {
        systems->memory.refused = system.triggers[0].group->context->core->memory.refused;
        kin__systems_release_node(systems, node);
        return kin__systems_refuse(systems, KIN_ERROR_NO_MEMORY, verb, NULL);
    }
    append(systems, node);
    return KIN_OK;
}

bool kin__systems_add_event_system(kin_systems *systems, kin__event_system *event_system)
{
    const kin_event_info *event = &event_system->context->info->events[event_system->event];
    kin__node *node = make_node(systems, event->name);
    if (node == NULL)
        return false;
    node->event_system = event_system;
    node->reactive.system = (kin_reactive_system){
        .filter = kin__event_system_filter, .execute = kin__event_system_execute, .self = event_system};
    node->reactive.collector = event_system->collector;
    append(systems, node);
    return true;
}

bool kin__systems_add_schema_system(kin_systems *systems, kin__schema_system *schema_system, kin_collector *collector)
{
    const kin__system_info *info = schema_system->info;
    kin__node *node = make_node(systems, info->name);
    if (node == NULL)
        return false;
    node->schema_system = schema_system;
    schema_system->node = node;
    if (!info->has_group && collector == NULL && info->inbox_count == 0)
        node->execute = info->execute;
    node->self = kin__world_self(schema_system->world);
    if (collector != NULL)
        node->reactive.system =
            (kin_reactive_system){.filter = info->filter, .execute = info->react, .self = node->self};
    node->reactive.collector = collector;
    append(systems, node);
    return true;
}

// How many collections stand in each other, this one counted.
static uint32_t height_of(const kin_systems *systems)
{
    uint32_t height = 0;
    for (const kin__node *node = systems->first; node != NULL; node = node->next) {
        uint32_t inner = node->nested == NULL ? 0 : height_of(node->nested);
        height = inner > height ? inner : height;
    }
    return height + 1;
}

// Why a collection cannot come into another one, in words; NULL when it can.
static const char *find_fault(const kin_systems *systems, const kin_systems *nested)
{
    uint32_t depth = nested == NULL ? 0 : height_of(nested);
    if (nested == NULL)
        return "there is nothing to add; check what creating it returned";
    if (nested->is_world)
        return "they are those of a world; add others";
    if (nested->place != NULL)
        return "they are in a collection already; create others";
    for (const kin_systems *around = systems; around != NULL;
         around = around->place != NULL ? around->place->owner : NULL) {
        if (around == nested)
            return "the collection is these systems or inside of them; add others";
        if (++depth > MAX_NESTING)
            return "collections stand 64 deep in each other, which is the limit; add them further out";
    }
    return NULL;
}

kin_status kin_systems_add_systems(kin_systems *systems, kin_systems *nested)
{
    const char *verb = "add systems to a collection";
    if (systems == NULL)
        return kin__systems_refuse(NULL, KIN_ERROR_INVALID, verb, no_systems);
    const char *fault = find_fault(systems, nested);
    if (fault != NULL)
        return kin__systems_refuse(systems, KIN_ERROR_INVALID, verb, fault);
    kin__node *node = make_node(systems, NULL);
    if (node == NULL)
        return kin__systems_refuse(systems, KIN_ERROR_NO_MEMORY, verb, NULL);
    node->nested = nested;
    nested->place = node;
    append(systems, node);
    return KIN_OK;
}
