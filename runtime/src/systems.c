#include "systems.h"

#include "assertion.h"
#include "error.h"

#include <stdio.h>
#include <string.h>

// How deep collections may stand in each other, so that walking them needs no more stack than there is.
enum { MAX_NESTING = 64 };

static kin_status refuse(const kin_systems *systems, kin_status status, const char *verb, const char *reason)
{
    kin__attempt attempt = {.verb = verb, .reason = reason};
    return kin__refuse_outside(systems != NULL ? &systems->options : NULL, status, &attempt,
                               systems != NULL ? systems->memory.refused : 0);
}

// ---- names

// False without memory. NULL stays NULL.
static bool copy_name(kin__memory *memory, const char *name, char **copy)
{
    *copy = NULL;
    if (name == NULL)
        return true;
    *copy = kin__allocate(memory, strlen(name) + 1);
    if (*copy == NULL)
        return false;
    memcpy(*copy, name, strlen(name) + 1);
    return true;
}

static void release_name(kin__memory *memory, char *name)
{
    kin__release(memory, name, name == NULL ? 0 : strlen(name) + 1);
}

kin__node *kin__systems_find(const kin_systems *systems, const char *name)
{
    for (kin__node *node = systems->first; node != NULL && name != NULL; node = node->next) {
        const char *own = node->nested != NULL ? node->nested->name : node->name;
        if (!node->removed && own != NULL && strcmp(own, name) == 0)
            return node;
        kin__node *inner = node->nested != NULL && !node->removed ? kin__systems_find(node->nested, name) : NULL;
        if (inner != NULL)
            return inner;
    }
    return NULL;
}

// ---- making and ending

kin_systems *kin_systems_create(const char *name, const kin_context_options *options)
{
    kin_context_options complete = options != NULL ? *options : (kin_context_options){0};
    kin__memory memory = kin__memory_of(complete.allocator);
    kin__attempt attempt = {.verb = "create systems"};
    kin_systems *systems = kin__allocate_zero(&memory, sizeof *systems);
    char *copy = NULL;
    if (systems == NULL || !copy_name(&memory, name, &copy)) {
        kin__release(&memory, systems, sizeof *systems);
        kin__refuse_outside(&complete, KIN_ERROR_NO_MEMORY, &attempt, memory.refused);
        return NULL;
    }
    systems->memory = memory;
    systems->options = complete;
    systems->name = copy;
    return systems;
}

static void release_systems(kin_systems *systems);

static void release_node(kin_systems *owner, kin__node *node)
{
    kin_collector_destroy(node->reactive.collector);
    kin__sweeper_destroy(node->sweeper);
    if (node->nested != NULL)
        release_systems(node->nested);
    release_name(&owner->memory, node->name);
    kin__release(&owner->memory, node, sizeof *node);
}

static void release_systems(kin_systems *systems)
{
    while (systems->first != NULL) {
        kin__node *node = systems->first;
        systems->first = node->next;
        release_node(systems, node);
    }
    kin__memory memory = systems->memory;
    release_name(&memory, systems->name);
    kin__release(&memory, systems, sizeof *systems);
}

bool kin__systems_are_running(const kin_systems *systems)
{
    if (systems->running > 0)
        return true;
    for (const kin__node *node = systems->first; node != NULL; node = node->next)
        if (node->nested != NULL && kin__systems_are_running(node->nested))
            return true;
    return false;
}

void kin_systems_destroy(kin_systems *systems)
{
    if (systems == NULL)
        return;
    if (systems->place != NULL)
        refuse(systems, KIN_ERROR_INVALID, "destroy systems", "they are in a collection; remove them there by name");
    else if (kin__systems_are_running(systems))
        refuse(systems, KIN_ERROR_INVALID, "destroy systems", "they are running; destroy them afterwards");
    else
        release_systems(systems);
}

static void sweep(kin_systems *systems)
{
    bool left = false;
    kin__node *kept = NULL;
    for (kin__node *node = systems->first, *next = NULL; node != NULL; node = next) {
        next = node->next;
        bool busy = node->nested != NULL && kin__systems_are_running(node->nested);
        left = left || (node->removed && busy);
        if (!node->removed || busy) {
            kept = node;
            continue;
        }
        if (kept == NULL)
            systems->first = next;
        else
            kept->next = next;
        release_node(systems, node);
    }
    systems->last = kept;
    systems->removing = left;
}

void kin__systems_settle(kin_systems *systems)
{
    for (kin_systems *around = NULL; systems != NULL; systems = around) {
        around = systems->place != NULL ? systems->place->owner : NULL;
        if (systems->removing && systems->running == 0)
            sweep(systems);
    }
}

// ---- adding and removing

static kin__node *make_node(kin_systems *systems, const char *name)
{
    kin__node *node = kin__allocate_zero(&systems->memory, sizeof *node);
    if (node == NULL || !copy_name(&systems->memory, name, &node->name)) {
        kin__release(&systems->memory, node, sizeof *node);
        return NULL;
    }
    node->owner = systems;
    node->enabled = true;
    return node;
}

static void append(kin_systems *systems, kin__node *node)
{
    if (systems->last == NULL)
        systems->first = node;
    else
        systems->last->next = node;
    systems->last = node;
    kin__systems_refresh(systems);
}

static const char no_systems[] = "there is no collection to add to; check what creating it returned";

kin_status kin_systems_add(kin_systems *systems, kin_system system)
{
    if (systems == NULL)
        return refuse(NULL, KIN_ERROR_INVALID, "add a system", no_systems);
    kin__node *node = make_node(systems, system.name);
    if (node == NULL)
        return refuse(systems, KIN_ERROR_NO_MEMORY, "add a system", NULL);
    node->plain = system;
    append(systems, node);
    return KIN_OK;
}

static bool add_cleanup(kin_systems *systems, kin_context *context, kin__cleanup cleanup)
{
    kin__sweeper *sweeper = kin__sweeper_create(context, cleanup);
    kin__node *node = sweeper == NULL ? NULL : make_node(systems, context->info->components[cleanup.id].name);
    if (node == NULL) {
        kin__sweeper_destroy(sweeper);
        return false;
    }
    node->sweeper = sweeper;
    node->plain = (kin_system){.cleanup = kin__sweeper_run, .self = sweeper};
    append(systems, node);
    return true;
}

kin_systems *kin__cleanup_systems(kin_context *context, const kin__cleanup *cleanups, uint32_t count)
{
    kin_systems *systems = kin_systems_create("cleanup", &context->core->options);
    for (uint32_t i = 0; systems != NULL && i < count; i++)
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
        return refuse(NULL, KIN_ERROR_INVALID, verb, no_systems);
    const char *fault = kin__collector_find_fault(system.triggers, system.trigger_count);
    if (fault != NULL)
        return refuse(systems, KIN_ERROR_INVALID, verb, fault);
    kin__node *node = make_node(systems, system.name);
    if (node == NULL)
        return refuse(systems, KIN_ERROR_NO_MEMORY, verb, NULL);
    node->reactive.system = system;
    node->reactive.collector = kin__collector_make(system.triggers, system.trigger_count);
    if (node->reactive.collector == NULL) {
        systems->memory.refused = system.triggers[0].group->context->core->memory.refused;
        release_node(systems, node);
        return refuse(systems, KIN_ERROR_NO_MEMORY, verb, NULL);
    }
    append(systems, node);
    return KIN_OK;
}

// Why a collection cannot come into another one, in words; NULL when it can.
static const char *find_fault(const kin_systems *systems, const kin_systems *nested)
{
    uint32_t depth = 0;
    if (nested == NULL)
        return "there is nothing to add; check what creating it returned";
    if (nested->place != NULL)
        return "they are in a collection already; create others";
    for (const kin_systems *around = systems; around != NULL;
         around = around->place != NULL ? around->place->owner : NULL) {
        if (around == nested)
            return "the collection is these systems or inside of them; add others";
        if (++depth == MAX_NESTING)
            return "collections stand 64 deep in each other, which is the limit; add them further out";
    }
    return NULL;
}

kin_status kin_systems_add_systems(kin_systems *systems, kin_systems *nested)
{
    const char *verb = "add systems to a collection";
    if (systems == NULL)
        return refuse(NULL, KIN_ERROR_INVALID, verb, no_systems);
    const char *fault = find_fault(systems, nested);
    if (fault != NULL)
        return refuse(systems, KIN_ERROR_INVALID, verb, fault);
    kin__node *node = make_node(systems, NULL);
    if (node == NULL)
        return refuse(systems, KIN_ERROR_NO_MEMORY, verb, NULL);
    node->nested = nested;
    nested->place = node;
    append(systems, node);
    return KIN_OK;
}

static kin__node *find_or_refuse(const kin_systems *systems, const char *name, const char *verb)
{
    kin__node *node = systems == NULL ? NULL : kin__systems_find(systems, name);
    char reason[128];
    snprintf(reason, sizeof reason, "nothing in it has the name '%.64s'; use one that was given", name ? name : "NULL");
    if (node == NULL)
        refuse(systems, KIN_ERROR_INVALID, verb, reason);
    return node;
}

kin_status kin_systems_remove(kin_systems *systems, const char *name)
{
    kin__node *node = find_or_refuse(systems, name, "remove a system");
    if (node == NULL)
        return KIN_ERROR_INVALID;
    node->removed = true;
    node->owner->removing = true;
    kin__systems_refresh(node->owner);
    kin__systems_settle(node->owner);
    return KIN_OK;
}

kin_status kin_systems_set_enabled(kin_systems *systems, const char *name, bool enabled)
{
    kin__node *node = find_or_refuse(systems, name, "enable or disable a system");
    if (node == NULL)
        return KIN_ERROR_INVALID;
    node->enabled = enabled;
    kin__systems_refresh(node->owner);
    return KIN_OK;
}
