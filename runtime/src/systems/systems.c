// Collections and their nodes: creating, destroying, finding by name.

#include "systems/systems.h"

#include "base/base.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

// ---- invariants

static bool node_is_valid(const kin_systems *systems, const kin__node *node)
{
    if (node->owner != systems || (node->nested != NULL && node->nested->place != node))
        return false;
    return (kin__node_roles(node) & ~systems->roles) == 0;
}

bool kin__systems_is_valid(const kin_systems *systems)
{
    const kin__node *last = NULL;
    for (const kin__node *node = systems->first; node != NULL; node = node->next) {
        if (!node_is_valid(systems, node))
            return false;
        last = node;
    }
    return last == systems->last;
}

// ---- errors

kin_status kin__systems_report_error(const kin_systems *systems, kin_status status, const char *verb,
                                     const char *reason)
{
    kin__attempt attempt = {.verb = verb, .reason = reason};
    const kin_systems *outermost = systems;
    KIN_ASSERT(status != KIN_OK && (reason != NULL || status == KIN_ERROR_NO_MEMORY));
    if (systems == NULL)
        return kin__report_error_to(NULL, status, &attempt, 0);
    while (outermost->place != NULL)
        outermost = outermost->place->owner;
    kin__receiver receiver = {.options = &systems->options, .watch = outermost->error_watch};
    return kin__report_error_at(&receiver, status, &attempt, systems->memory.refused);
}

// ---- names

// Copies a name; NULL stays NULL. Returns false when out of memory.
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

kin__node *kin__systems_find_or_report(const kin_systems *systems, const char *name, const char *verb)
{
    kin__node *node = systems == NULL ? NULL : kin__systems_find(systems, name);
    if (node != NULL)
        return node;
    char escaped[KIN__ESCAPED_SIZE], reason[KIN__ESCAPED_SIZE + 128];
    const char *shown = name == NULL ? "NULL" : kin__escape(escaped, name, strlen(name));
    snprintf(reason, sizeof reason,
             "the collection contains no system or collection named '%s'; use a name that was added", shown);
    kin__systems_report_error(systems, KIN_ERROR_INVALID, verb, reason);
    return NULL;
}

// ---- nodes

kin__node *kin__node_create(kin_systems *systems, const char *name)
{
    kin__node *node = kin__allocate_zero(&systems->memory, sizeof *node);
    if (node == NULL || !copy_name(&systems->memory, name, &node->name)) {
        kin__release(&systems->memory, node, sizeof *node);
        return NULL;
    }
    node->owner = systems;
    node->enabled = true;
    node->open = KIN__OPEN_ROLES;
    return node;
}

void kin__node_destroy(kin__node *node)
{
    kin__memory *memory = &node->owner->memory;
    KIN_ASSERT(node->next_profile == NULL);
    KIN_ASSERT(!node->reactive.running);
    if (node->reactive.collector != NULL && node->reactive.collector->taken)
        kin__collector_drop_taken(node->reactive.collector);    // by a run that was abandoned
    kin__collector_borrow_name(node->reactive.collector, NULL); // it may outlive the node: listeners may still run
    kin_collector_destroy(node->reactive.collector);
    if (node->type != NULL && node->type->destroy != NULL)
        node->type->destroy(node->object);
    kin__profile_destroy(memory, node->profile);
    if (node->nested != NULL)
        kin__systems_release(node->nested);
    release_name(memory, node->name);
    kin__release(memory, node, sizeof *node);
}

kin__roles kin__node_roles(const kin__node *node)
{
    if (node->nested != NULL)
        return node->nested->roles;
    if (node->type != NULL && node->type->roles != NULL)
        return node->type->roles(node);
    bool executes = node->execute != NULL || node->reactive.collector != NULL;
    return (kin__roles)(node->initialize != NULL) << KIN_ROLE_INITIALIZE | (kin__roles)executes << KIN_ROLE_EXECUTE |
           (kin__roles)(node->cleanup != NULL) << KIN_ROLE_CLEANUP |
           (kin__roles)(node->tear_down != NULL) << KIN_ROLE_TEAR_DOWN;
}

kin_system_kind kin__node_kind(const kin__node *node)
{
    if (node->nested != NULL)
        return KIN_SYSTEM_COLLECTION;
    if (node->type != NULL && node->type->kind != NULL)
        return node->type->kind(node);
    return node->reactive.collector != NULL ? KIN_SYSTEM_REACTIVE : KIN_SYSTEM_PLAIN;
}

// ---- creating and destroying collections

kin_systems *kin_systems_create(const char *name, const kin_context_options *options)
{
    kin_context_options complete = options != NULL ? *options : (kin_context_options){0};
    kin__memory memory = kin__memory_of(complete.allocator);
    kin__attempt attempt = {.verb = "create systems", .reason = kin__allocator_fault(&complete.allocator)};
    if (attempt.reason != NULL) {
        kin__report_error_to(&complete, KIN_ERROR_INVALID, &attempt, 0);
        return NULL;
    }
    kin_systems *systems = kin__allocate_zero(&memory, sizeof *systems);
    char *copy = NULL;
    if (systems == NULL || !copy_name(&memory, name, &copy)) {
        kin__release(&memory, systems, sizeof *systems);
        kin__report_error_to(&complete, KIN_ERROR_NO_MEMORY, &attempt, memory.refused);
        return NULL;
    }
    systems->memory = memory;
    systems->options = complete;
    systems->name = copy;
    return systems;
}

static void forget_context(kin__slot_extension *extension)
{
    kin_systems *systems = (kin_systems *)(void *)extension;
    systems->context = NULL;
    kin__memory_leave(&systems->memory);
}

static size_t used_memory(const kin__slot_extension *extension)
{
    return ((const kin_systems *)(const void *)extension)->memory.allocated;
}

void kin__systems_attach(kin_systems *systems, kin_context *context)
{
    KIN_ASSERT(systems->context == NULL && systems->first == NULL);
    systems->extension = (kin__slot_extension){.forget = forget_context, .used = used_memory};
    systems->context = context;
    kin__memory_join(&systems->memory, &context->core->collector_memory);
    kin__slot_extension_add(context, &systems->extension);
}

// A collector that is destroyed may call listeners, which may run the collection or add to it. So the list stays valid
// after each node, and the collection is held.
void kin__systems_release(kin_systems *systems)
{
    kin__systems_pin(systems);
    while (systems->first != NULL) {
        kin__node *node = systems->first;
        systems->first = node->next;
        if (systems->first == NULL)
            systems->last = NULL;
        kin__node_destroy(node);
    }
    KIN_ASSERT(systems->last == NULL);
    if (systems->context != NULL)
        kin__slot_extension_remove(systems->context, &systems->extension);
    kin__memory memory = systems->memory;
    release_name(&memory, systems->name);
    kin__release(&memory, systems->fixed_step, sizeof *systems->fixed_step);
    kin__release(&memory, systems, sizeof *systems);
}

void kin_systems_destroy(kin_systems *systems)
{
    const char *reason = NULL;
    if (systems == NULL)
        return;
    if (systems->is_world)
        reason = "they belong to a world; destroy the world instead";
    else if (systems->place != NULL)
        reason = "they are in a collection; remove them from it by name";
    else if (kin__systems_are_running(systems))
        reason = "they are running; destroy them after the run, or call kin_systems_abandon if an exception or longjmp "
                 "left it";
    if (reason == NULL)
        kin__systems_release(systems);
    else
        kin__systems_report_error(systems, KIN_ERROR_INVALID, "destroy systems", reason);
}

// ---- runs that never return

// The contexts of reactive systems are no longer busy. What was taken from their collectors stays held until the nodes
// are destroyed.
void kin__systems_forget_runs(kin_systems *systems)
{
    systems->running = 0;
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        kin__reactive_forget(node);
        if (node->nested != NULL)
            kin__systems_forget_runs(node->nested);
    }
}

void kin_systems_abandon(kin_systems *systems)
{
    if (systems == NULL)
        return;
    if (systems->is_world || systems->place != NULL)
        kin__systems_report_error(systems, KIN_ERROR_INVALID, "abandon systems",
                                  "they are in a collection or belong to a world; abandon that instead");
    else
        kin__systems_forget_runs(systems);
}

// ---- removed nodes

bool kin__systems_are_running(const kin_systems *systems)
{
    if (systems->running > 0)
        return true;
    for (const kin__node *node = systems->first; node != NULL; node = node->next)
        if (node->nested != NULL && kin__systems_are_running(node->nested))
            return true;
    return false;
}

static void destroy_removed_nodes(kin_systems *systems)
{
    bool removing = false;
    kin__node *kept = NULL;
    for (kin__node *node = systems->first, *next = NULL; node != NULL; node = next) {
        next = node->next;
        bool busy = node->nested != NULL && kin__systems_are_running(node->nested);
        removing = removing || (node->removed && busy);
        if (!node->removed || busy) {
            kept = node;
            continue;
        }
        if (kept == NULL)
            systems->first = next;
        else
            kept->next = next;
        kin__node_destroy(node);
    }
    systems->last = kept;
    systems->removing = removing;
    KIN_VALIDATE(kin__systems_is_valid(systems));
}

void kin__systems_destroy_removed(kin_systems *systems)
{
    for (kin_systems *around = NULL; systems != NULL; systems = around) {
        around = systems->place != NULL ? systems->place->owner : NULL;
        if (systems->removing && systems->running == 0)
            destroy_removed_nodes(systems);
    }
}

void kin__systems_pin(kin_systems *systems)
{
    KIN_ASSERT(systems->running < UINT32_MAX);
    systems->running++;
}

void kin__systems_unpin(kin_systems *systems)
{
    KIN_ASSERT(systems->running > 0);
    systems->running--;
    kin__systems_destroy_removed(systems);
}

// ---- time

void kin__systems_update_paced(kin_systems *systems)
{
    bool is_probed = systems->place != NULL && systems->place->profile != NULL;
    systems->is_paced = systems->fixed_step != NULL || systems->end_stage != NULL || systems->is_manual || is_probed;
}

bool kin__systems_set_fixed_step(kin_systems *systems, double step, uint32_t max_steps)
{
    KIN_ASSERT(systems->place == NULL && systems->fixed_step == NULL);
    KIN_ASSERT(step > 0);
    systems->fixed_step = kin__allocate(&systems->memory, sizeof *systems->fixed_step);
    if (systems->fixed_step == NULL)
        return false;
    *systems->fixed_step = (kin__fixed_step){.step = step, .max_steps = max_steps};
    kin__systems_update_paced(systems);
    return true;
}

void kin__systems_set_stages(kin_systems *systems, void (*end_stage)(void *), void *user)
{
    systems->end_stage = end_stage;
    systems->end_stage_user = user;
    kin__systems_update_paced(systems);
}

void kin__systems_set_manual(kin_systems *systems, const kin__pushed *pushed)
{
    KIN_ASSERT(systems->place == NULL && !systems->is_manual);
    systems->is_manual = true;
    systems->pushed = pushed;
    kin__systems_update_paced(systems);
}

kin_tick kin__systems_tick(const kin_systems *systems)
{
    return systems->inner_tick != NULL ? *systems->inner_tick : systems->tick;
}

void kin__systems_set_time(kin_systems *systems, double time)
{
    KIN_ASSERT(kin__is_finite(time));
    systems->time = time;
    systems->tick.time = time;
    if (systems->fixed_step != NULL)
        kin__fixed_step_set(systems->fixed_step, time);
    for (const kin__node *node = systems->first; node != NULL; node = node->next)
        if (node->nested != NULL)
            kin__systems_set_time(node->nested, time);
}

double kin_systems_dropped(const kin_systems *systems, const char *name)
{
    const kin__node *node = kin__systems_find_or_report(systems, name, "get the dropped time of a collection");
    return node == NULL || node->nested == NULL || node->nested->fixed_step == NULL ? 0
                                                                                    : node->nested->fixed_step->dropped;
}
