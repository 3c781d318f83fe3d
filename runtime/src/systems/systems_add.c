// Adding to a collection, at its end.

#include "base/base.h"
#include "store/store.h"
#include "systems/systems.h"

// The maximum depth of nested collections: bounds the stack that walking them needs.
enum { MAX_NESTING = 64 };

static const char no_systems[] = "the collection is NULL; check the result of the call that created it";

// A node with a `run` of its own always gets EXECUTE: it may have work in an execute without a function for that role.
static void add_roles(kin_systems *systems, const kin__node *node)
{
    kin__roles roles = kin__node_roles(node);
    if (node->type != NULL && node->type->run != NULL)
        roles |= (kin__roles)1 << KIN_ROLE_EXECUTE;
    for (; systems != NULL; systems = systems->place == NULL ? NULL : systems->place->owner)
        systems->roles |= roles;
}

void kin__systems_append(kin_systems *systems, kin__node *node)
{
    KIN_ASSERT(node->owner == systems && node->next == NULL);
    KIN_ASSERT(node->nested == NULL || node->nested->place == node);
    if (systems->last == NULL)
        systems->first = node;
    else
        systems->last->next = node;
    systems->last = node;
    add_roles(systems, node);
    KIN_VALIDATE(kin__systems_is_valid(systems));
    kin__node_refresh(node);
}

kin_status kin_systems_add(kin_systems *systems, kin_system system)
{
    if (systems == NULL)
        return kin__systems_report_error(NULL, KIN_ERROR_INVALID, "add a system", no_systems);
    kin__node *node = kin__node_create(systems, system.name);
    if (node == NULL)
        return kin__systems_report_error(systems, KIN_ERROR_NO_MEMORY, "add a system", NULL);
    node->execute = system.execute;
    node->self = system.self;
    node->initialize = system.initialize;
    node->cleanup = system.cleanup;
    node->tear_down = system.tear_down;
    kin__systems_append(systems, node);
    return KIN_OK;
}

static kin__node *create_reactive(kin_systems *systems, const kin_reactive_system *system)
{
    kin__node *node = kin__node_create(systems, system->name);
    if (node == NULL)
        return NULL;
    node->self = system->self;
    node->initialize = system->initialize;
    node->cleanup = system->cleanup;
    node->tear_down = system->tear_down;
    node->reactive = (kin__reactive){.filter = system->filter, .execute = system->execute};
    node->reactive.collector = kin__collector_make(system->triggers, system->trigger_count);
    kin__collector_borrow_name(node->reactive.collector, node->name);
    if (node->reactive.collector != NULL)
        return node;
    systems->memory.refused = system->triggers[0].group->context->core->memory.refused;
    kin__node_destroy(node);
    return NULL;
}

kin_status kin_systems_add_reactive(kin_systems *systems, kin_reactive_system system)
{
    const char *verb = "add a reactive system";
    if (systems == NULL)
        return kin__systems_report_error(NULL, KIN_ERROR_INVALID, verb, no_systems);
    const char *fault = kin__collector_find_fault(system.triggers, system.trigger_count);
    if (fault != NULL)
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, verb, fault);
    kin__node *node = create_reactive(systems, &system);
    if (node == NULL)
        return kin__systems_report_error(systems, KIN_ERROR_NO_MEMORY, verb, NULL);
    kin__systems_append(systems, node);
    return KIN_OK;
}

// Returns how deep collections nest in this one, which counts as 1.
static uint32_t height_of(const kin_systems *systems)
{
    uint32_t height = 0;
    for (const kin__node *node = systems->first; node != NULL; node = node->next) {
        uint32_t inner = node->nested == NULL ? 0 : height_of(node->nested);
        height = inner > height ? inner : height;
    }
    KIN_ASSERT(height < MAX_NESTING);
    return height + 1;
}

// Returns why a collection cannot be added to another one, or NULL.
static const char *find_fault(const kin_systems *systems, const kin_systems *nested)
{
    uint32_t depth = nested == NULL ? 0 : height_of(nested);
    if (nested == NULL)
        return "the systems to add are NULL; check the result of the call that created them";
    if (nested->is_world)
        return "they belong to a world; add other systems";
    if (nested->place != NULL)
        return "they are already in a collection; create others";
    for (const kin_systems *around = systems; around != NULL;
         around = around->place != NULL ? around->place->owner : NULL) {
        if (around == nested)
            return "the collection would contain itself; add other systems";
        if (++depth > MAX_NESTING)
            return "collections would be nested more than 64 deep, which is the limit; add them to an outer collection";
    }
    return NULL;
}

kin_status kin_systems_add_systems(kin_systems *systems, kin_systems *nested)
{
    const char *verb = "add systems to a collection";
    if (systems == NULL)
        return kin__systems_report_error(NULL, KIN_ERROR_INVALID, verb, no_systems);
    const char *fault = find_fault(systems, nested);
    if (fault != NULL)
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, verb, fault);
    kin__node *node = kin__node_create(systems, NULL);
    if (node == NULL)
        return kin__systems_report_error(systems, KIN_ERROR_NO_MEMORY, verb, NULL);
    node->nested = nested;
    nested->place = node;
    kin__systems_append(systems, node);
    return KIN_OK;
}
