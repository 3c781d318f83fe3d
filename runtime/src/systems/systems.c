#include "systems/systems.h"

#include "base/assertion.h"
#include "report/error.h"
#include "report/escape.h"
#include "storage/chunk.h"
#include "systems/schema_system.h"

#include <stdio.h>
#include <string.h>

// ---- names

bool kin__systems_copy_name(kin__memory *memory, const char *name, char **copy)
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
    kin__attempt attempt = {.verb = "create systems", .reason = kin__allocator_fault(&complete.allocator)};
    if (attempt.reason != NULL) {
        kin__refuse_outside(&complete, KIN_ERROR_INVALID, &attempt, 0);
        return NULL;
    }
    kin_systems *systems = kin__allocate_zero(&memory, sizeof *systems);
    char *copy = NULL;
    if (systems == NULL || !kin__systems_copy_name(&memory, name, &copy)) {
        kin__release(&memory, systems, sizeof *systems);
        kin__refuse_outside(&complete, KIN_ERROR_NO_MEMORY, &attempt, memory.refused);
        return NULL;
    }
    systems->memory = memory;
    systems->options = complete;
    systems->name = copy;
    return systems;
}

bool kin__systems_set_fixed_step(kin_systems *systems, double step, uint32_t max_steps)
{
    systems->fixed_step = kin__allocate(&systems->memory, sizeof *systems->fixed_step);
    if (systems->fixed_step == NULL)
        return false;
    *systems->fixed_step = (kin__fixed_step){.step = step, .max_steps = max_steps};
    return true;
}

static void forget(kin__slot_extension *extension)
{
    kin_systems *systems = (kin_systems *)(void *)extension;
    systems->context = NULL;
    kin__memory_leave(&systems->memory);
}

static size_t used(const kin__slot_extension *extension)
{
    return ((const kin_systems *)(const void *)extension)->memory.allocated;
}

void kin__systems_belong(kin_systems *systems, kin_context *context)
{
    systems->extension = (kin__slot_extension){.forget = forget, .used = used};
    systems->context = context;
    kin__memory_join(&systems->memory, &context->core->collector_memory);
    kin__slot_extension_add(context, &systems->extension);
}

void kin__systems_release_node(kin_systems *owner, kin__node *node)
{
    if (node->event_system != NULL)
        kin__event_system_destroy(node->event_system);
    else
        kin_collector_destroy(node->reactive.collector);
    kin__cleanup_system_destroy(node->cleanup_system);
    kin__schema_system_destroy(node->schema_system);
    kin__profile_destroy(&owner->memory, node->profile);
    if (node->nested != NULL)
        kin__systems_release(node->nested);
    release_name(&owner->memory, node->name);
    kin__release(&owner->memory, node, sizeof *node);
}

// A collector that ends may call listeners, which may run the collection or add to it: it stays in order, and is held.
void kin__systems_release(kin_systems *systems)
{
    kin__systems_hold(systems);
    while (systems->first != NULL) {
        kin__node *node = systems->first;
        systems->first = node->next;
        if (systems->first == NULL)
            systems->last = NULL;
        kin__systems_release_node(systems, node);
    }
    if (systems->context != NULL)
        kin__slot_extension_remove(systems->context, &systems->extension);
    kin__memory memory = systems->memory;
    release_name(&memory, systems->name);
    kin__release(&memory, systems->fixed_step, sizeof *systems->fixed_step);
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
    if (systems->is_world)
        kin__systems_refuse(systems, KIN_ERROR_INVALID, "destroy systems",
                            "they are those of a world; destroy the world");
    else if (systems->place != NULL)
        kin__systems_refuse(systems, KIN_ERROR_INVALID, "destroy systems",
                            "they are in a collection; remove them there by name");
    else if (kin__systems_are_running(systems))
        kin__systems_refuse(systems, KIN_ERROR_INVALID, "destroy systems", "they are running; destroy them afterwards");
    else
        kin__systems_release(systems);
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
        kin__systems_release_node(systems, node);
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

void kin__systems_hold(kin_systems *systems)
{
    systems->running++;
}

void kin__systems_let_go(kin_systems *systems)
{
    systems->running--;
    kin__systems_settle(systems);
}

// ---- by name

kin__node *kin__systems_find_or_refuse(const kin_systems *systems, const char *name, const char *verb)
{
    kin__node *node = systems == NULL ? NULL : kin__systems_find(systems, name);
    if (node != NULL)
        return node;
    char escaped[KIN__ESCAPED_SIZE], reason[KIN__ESCAPED_SIZE + 64];
    const char *shown = name == NULL ? "NULL" : kin__escape(escaped, name, strlen(name));
    snprintf(reason, sizeof reason, "nothing in it has the name '%s'; use one that was given", shown);
    kin__systems_refuse(systems, KIN_ERROR_INVALID, verb, reason);
    return NULL;
}

double kin_systems_dropped(const kin_systems *systems, const char *name)
{
    const kin__node *node = kin__systems_find_or_refuse(systems, name, "say what time a collection has dropped");
    return node == NULL || node->nested == NULL || node->nested->fixed_step == NULL ? 0
                                                                                    : node->nested->fixed_step->dropped;
}

kin_status kin_systems_remove(kin_systems *systems, const char *name)
{
    kin__node *node = kin__systems_find_or_refuse(systems, name, "remove a system");
    if (node == NULL)
        return KIN_ERROR_INVALID;
    node->removed = true;
    node->owner->removing = true;
    kin__systems_refresh(node->owner);
    return KIN_OK;
}

kin_status kin_systems_set_enabled(kin_systems *systems, const char *name, bool enabled)
{
    kin__node *node = kin__systems_find_or_refuse(systems, name, "enable or disable a system");
    if (node == NULL)
        return KIN_ERROR_INVALID;
    node->enabled = enabled;
    kin__systems_refresh(node->owner);
    return KIN_OK;
}
