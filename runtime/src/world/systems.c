// Collections and their nodes: creating, destroying, finding by name.
#include "world/world.h"

#include <stdio.h>
#include <string.h>

// ---- invariants

static bool node_is_valid(const kin_systems *systems, const kin__node *node)
{
    if (node->owner != systems || (node->nested != NULL && node->nested->place != node))
        return false;
    return (kin__node_roles(node) & ~systems->roles) == 0;
}

static bool systems_is_valid(const kin_systems *systems)
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

// Returns the first node with the name, in depth-first order, or NULL.
static kin__node *systems_find(const kin_systems *systems, const char *name)
{
    for (kin__node *node = systems->first; node != NULL && name != NULL; node = node->next) {
        const char *own = node->nested != NULL ? node->nested->name : node->name;
        if (!node->removed && own != NULL && strcmp(own, name) == 0)
            return node;
        kin__node *inner = node->nested != NULL && !node->removed ? systems_find(node->nested, name) : NULL;
        if (inner != NULL)
            return inner;
    }
    return NULL;
}

kin__node *kin__systems_find_or_report(const kin_systems *systems, const char *name, const char *verb)
{
    kin__node *node = systems == NULL ? NULL : systems_find(systems, name);
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

// Destroys a node that is in no list.
static void node_destroy(kin__node *node)
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
        node_destroy(node);
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
        node_destroy(node);
    }
    systems->last = kept;
    systems->removing = removing;
    KIN_VALIDATE(systems_is_valid(systems));
}

// Destroys the nodes marked as removed, in the collection and those around it, where nothing runs any more.
static void systems_destroy_removed(kin_systems *systems)
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
    systems_destroy_removed(systems);
}

// ---- time

void kin__systems_update_paced(kin_systems *systems)
{
    bool is_probed = systems->place != NULL && systems->place->profile != NULL;
    bool has_time = systems->fixed_step != NULL || systems->end_stage != NULL;
    systems->is_paced = has_time || systems->is_manual || is_probed;
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

// Adding to a collection, at its end.

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

static void node_refresh(kin__node *node);

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
    KIN_VALIDATE(systems_is_valid(systems));
    node_refresh(node);
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
    node_destroy(node);
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
        height = kin__max_32(height, inner);
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

// Clearing: what the systems of a collection have collected, for the reset of a world.

// Clearing calls listeners of released entities, which may remove nodes: the collection is pinned.
void kin__systems_clear(kin_systems *systems)
{
    KIN_ASSERT(systems->removing || systems->first == NULL || systems->last != NULL);
    kin__systems_pin(systems);
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->nested != NULL)
            kin__systems_clear(node->nested);
        kin_collector_clear(node->reactive.collector);
        if (node->type != NULL && node->type->clear != NULL)
            node->type->clear(node->object);
    }
    kin__systems_unpin(systems);
}

// Enabling, activating and removing: which nodes run, and which reactive nodes collect.

static void refresh(kin_systems *systems, bool around);

static void refresh_node(kin__node *node, bool around)
{
    bool on = around && node->enabled && !node->removed;
    if (node->type != NULL && node->type->set_open != NULL)
        node->type->set_open(node->object, on);
    if (node->nested != NULL)
        refresh(node->nested, on);
    else if (on && !node->reactive.deactivated)
        kin_collector_activate(node->reactive.collector);
    else
        kin_collector_deactivate(node->reactive.collector);
}

// A collector that is deactivated releases entities. Their listeners may remove systems, which are destroyed after the
// walk.
static void refresh(kin_systems *systems, bool around)
{
    systems->is_off = !around;
    systems->running++;
    for (kin__node *node = systems->first; node != NULL; node = node->next)
        refresh_node(node, around);
    KIN_ASSERT(systems->running > 0);
    systems->running--;
}

// Returns whether all collections around this one are enabled.
static bool is_on(const kin_systems *systems)
{
    bool on = true;
    for (const kin__node *node = systems->place; node != NULL; node = node->owner->place)
        on = on && node->enabled && !node->removed;
    return on;
}

static kin_systems *outermost(kin_systems *systems)
{
    while (systems->place != NULL)
        systems = systems->place->owner;
    return systems;
}

// A listener may enable or disable systems during the walk. The rest of the walk then applies a state that is out of
// date, so the walk is repeated.
void kin__systems_refresh(kin_systems *systems)
{
    kin_systems *all = outermost(systems);
    uint32_t number;
    kin__systems_pin(systems);
    do {
        number = ++all->refreshes;
        refresh(systems, is_on(systems));
    } while (number != all->refreshes);
    kin__systems_unpin(systems);
}

// The same for one node and everything in it.
static void node_refresh(kin__node *node)
{
    KIN_ASSERT(node->nested != NULL || kin_collector_count(node->reactive.collector) == 0);
    if (node->nested != NULL)
        kin__systems_refresh(node->nested);
    else
        refresh_node(node, is_on(node->owner)); // the node is new and has collected nothing: no listener is called
}

kin_status kin_systems_remove(kin_systems *systems, const char *name)
{
    kin__node *node = kin__systems_find_or_report(systems, name, "remove a system");
    if (node == NULL)
        return KIN_ERROR_INVALID;
    KIN_ASSERT(!node->removed);
    node->removed = true;
    node->owner->removing = true;
    kin__systems_refresh(node->owner);
    return KIN_OK;
}

void kin__node_set_enabled(kin__node *node, bool enabled)
{
    node->is_wanted = enabled;
    node->enabled = enabled && !node->is_elsewhere;
}

void kin__node_set_elsewhere(kin__node *node, bool is_elsewhere)
{
    bool is_wanted = kin__node_is_wanted(node);
    node->is_elsewhere = is_elsewhere;
    kin__node_set_enabled(node, is_wanted);
}

kin_status kin_systems_set_enabled(kin_systems *systems, const char *name, bool enabled)
{
    kin__node *node = kin__systems_find_or_report(systems, name, "enable or disable a system");
    if (node == NULL)
        return KIN_ERROR_INVALID;
    kin__node_set_enabled(node, enabled);
    kin__systems_refresh(node->owner);
    return KIN_OK;
}

static void set_deactivated(kin_systems *systems, bool deactivated)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        node->reactive.deactivated = deactivated;
        if (node->nested != NULL)
            set_deactivated(node->nested, deactivated);
    }
}

void kin_systems_activate_reactive(kin_systems *systems)
{
    if (systems == NULL)
        return;
    set_deactivated(systems, false);
    kin__systems_refresh(systems);
}

void kin_systems_deactivate_reactive(kin_systems *systems)
{
    if (systems == NULL)
        return;
    set_deactivated(systems, true);
    kin__systems_refresh(systems);
}

void kin_systems_clear_reactive(kin_systems *systems)
{
    if (systems == NULL)
        return;
    kin__systems_pin(systems); // listeners may remove systems, as in refresh()
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        kin_collector_clear(node->reactive.collector);
        kin_systems_clear_reactive(node->nested);
    }
    kin__systems_unpin(systems);
}

// Running: walks over all nodes of a collection, one for each role of a phase.

// A walk in progress, which runs one role.
typedef struct run {
    kin_role role;
    kin_systems *root; // shows the tick of a fixed step; only set by an execute
    kin_tick tick;     // that of the collection, or of the fixed step that is being run
    bool is_pushed;    // the tick was pushed: collections with fixed steps also run once, with this tick
} run;

static void run_collection(kin_systems *systems, const run *run);
static void run_node(kin__node *node, const run *run);

static void execute(const kin__node *node, const kin_tick *tick)
{
    kin__profile *profile = node->profile;
    uint64_t began = kin__profile_begin(profile, KIN_ROLE_EXECUTE);
    node->execute(node->self, tick);
    kin__profile_end(profile, KIN_ROLE_EXECUTE, began);
}

void kin__node_react(kin__node *node)
{
    kin__profile *profile = node->profile;
    uint64_t began = kin__profile_begin(profile, KIN_ROLE_EXECUTE);
    kin__reactive_run(node);
    kin__profile_end(profile, KIN_ROLE_EXECUTE, began);
}

static kin__node_call *function_of(const kin__node *node, kin_role role)
{
    switch (role) {
    case KIN_ROLE_INITIALIZE:
        return node->initialize;
    case KIN_ROLE_CLEANUP:
        return node->cleanup;
    case KIN_ROLE_TEAR_DOWN:
        return node->tear_down;
    default:
        return NULL; // only systems of a world have the other roles
    }
}

static void call(const kin__node *node, kin_role role)
{
    kin__node_call *function = function_of(node, role);
    if (function == NULL)
        return;
    kin__profile *profile = node->profile;
    uint64_t began = kin__profile_begin(profile, role);
    function(node->self);
    kin__profile_end(profile, role, began);
}

// Walks a collection, with the end of each of its stages.
static void run_stages(kin_systems *systems, const run *run)
{
    const kin__node *last = systems->last;
    systems->running++;
    for (kin__node *node = systems->first; node != NULL && last != NULL; node = node->next) {
        if (node->nested != NULL)
            systems->end_stage(systems->end_stage_user);
        if (!node->removed && node->enabled && !systems->is_off)
            run_node(node, run);
        if (node == last)
            break;
    }
    systems->end_stage(systems->end_stage_user);
    KIN_ASSERT(systems->running > 0);
    systems->running--;
}

// Runs a collection that is in another one. `step` is the number of the fixed step in this execute.
static void run_once(kin_systems *systems, const run *run, uint32_t step)
{
    const kin__profile *profile = systems->place->profile;
    if (profile != NULL)
        kin__profile_enter(profile, KIN_ROLE_EXECUTE, step);
    if (systems->end_stage != NULL)
        run_stages(systems, run);
    else
        run_collection(systems, run);
    if (profile != NULL)
        kin__profile_leave(profile, KIN_ROLE_EXECUTE, step, 1);
}

// Executes a collection: once, or in the steps that are due.
static void run_steps(kin_systems *systems, const run *run)
{
    if (systems->fixed_step == NULL || run->is_pushed) {
        run_once(systems, run, 0);
        return;
    }
    struct run step = *run;
    const kin_tick *outer = run->root->inner_tick;
    run->root->inner_tick = &step.tick;
    kin__fixed_step_advance(systems->fixed_step, run->tick.delta);
    for (uint32_t number = 0; kin__fixed_step_next(systems->fixed_step, &step.tick); number++)
        run_once(systems, &step, number);
    run->root->inner_tick = outer;
}

static void run_nested(kin_systems *systems, const run *run)
{
    if (!systems->is_paced || run->role != KIN_ROLE_EXECUTE)
        run_collection(systems, run);
    else if (!systems->is_manual)
        run_steps(systems, run);
}

static void run_node(kin__node *node, const run *run)
{
    if (run->role == KIN_ROLE_EXECUTE && node->execute != NULL)
        execute(node, &run->tick);
    else if (node->nested != NULL)
        run_nested(node->nested, run);
    else if (node->type != NULL && node->type->run != NULL)
        node->type->run(node, run->role, &run->tick);
    else if (run->role == KIN_ROLE_EXECUTE && node->reactive.collector != NULL)
        kin__node_react(node);
    else
        call(node, run->role);
}

// A node added during the walk runs from the next walk on. Skips nodes that are removed or disabled, or are in a
// collection that is.
static void run_collection(kin_systems *systems, const run *run)
{
    const kin__node *last = systems->last;
    if ((systems->roles >> run->role & 1) == 0)
        return;
    systems->running++;
    for (kin__node *node = systems->first; node != NULL && last != NULL; node = node->next) {
        if (!node->removed && node->enabled && !systems->is_off)
            run_node(node, run);
        if (node == last)
            break;
    }
    KIN_ASSERT(systems->running > 0);
    systems->running--;
}

static void run_root(kin_systems *systems, const run *run)
{
    KIN_ASSERT(run->role < KIN_ROLE_COUNT);
    run_collection(systems, run);
    systems_destroy_removed(systems);
}

static void run_role(kin_systems *systems, kin_role role)
{
    if (systems != NULL)
        run_root(systems, &(run){.role = role});
}

// Runs two roles as one phase. What a callback removes, a node or the collection itself, is destroyed after the second
// role.
static void run_roles(kin_systems *systems, kin_role first, kin_role second)
{
    if (systems == NULL)
        return;
    kin__systems_pin(systems);
    run_role(systems, first);
    run_role(systems, second);
    kin__systems_unpin(systems);
}

void kin_systems_initialize(kin_systems *systems)
{
    run_roles(systems, KIN_ROLE_INITIALIZE, KIN_ROLE_START);
}

// Advances the clock of the collection, unless a tick is pushed.
static run begin_execute(kin_systems *systems, kin_systems *root, double delta)
{
    run run = {
        .role = KIN_ROLE_EXECUTE, .root = root, .is_pushed = systems->pushed != NULL && systems->pushed->count > 0};
    if (run.is_pushed) {
        run.tick = systems->pushed->ticks[systems->pushed->count - 1];
    } else {
        systems->time += delta;
        run.tick = (kin_tick){delta, systems->time, systems->frame++};
    }
    systems->tick = run.tick;
    return run;
}

void kin_systems_execute(kin_systems *systems, double delta)
{
    if (systems == NULL)
        return;
    run run = begin_execute(systems, systems, delta);
    run_root(systems, &run);
}

void kin__systems_run_manual(kin_systems *root, kin_systems *systems, double delta)
{
    KIN_ASSERT(systems->is_manual && root->inner_tick == NULL && root->running > 0);
    run run = begin_execute(systems, root, delta);
    root->inner_tick = &run.tick;
    run_steps(systems, &run);
    root->inner_tick = NULL;
    systems_destroy_removed(systems);
}

void kin__systems_draw(kin_systems *systems)
{
    run_role(systems, KIN_ROLE_DRAW);
}

void kin_systems_cleanup(kin_systems *systems)
{
    run_role(systems, KIN_ROLE_CLEANUP);
}

void kin_systems_tear_down(kin_systems *systems)
{
    run_roles(systems, KIN_ROLE_TEAR_DOWN, KIN_ROLE_DISPOSE);
}
