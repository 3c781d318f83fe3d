// Worlds: creating them from their tables, and destroying them.

#include "world/world.h"

#include "base/base.h"
#include "store/store.h"
#include "world/jobs.h"
#include "world/schema_system.h"

#include <string.h>

// ---- nodes of the schedule

// Reports the error and returns false when out of memory.
static bool add_node(kin__world *world, kin_systems **nodes, uint32_t number)
{
    const kin__node_info *info = &world->info->nodes[number];
    KIN_ASSERT(info->parent == KIN__NO_PARENT || info->parent < number);
    KIN_ASSERT(info->parent == KIN__NO_PARENT || !info->is_manual);
    kin_systems *around = info->parent == KIN__NO_PARENT ? world->root : nodes[info->parent];
    kin_systems *node = kin_systems_create(info->name, &world->options);
    if (node == NULL)
        return false;
    nodes[number] = node;
    if (info->is_manual)
        kin__systems_set_manual(node, &world->pushed);
    bool has_step = info->step == 0 || kin__systems_set_fixed_step(node, info->step, info->max_steps);
    if (!has_step)
        kin__systems_report_error(node, KIN_ERROR_NO_MEMORY, "create a node of the schedule", NULL);
    if (has_step && kin_systems_add_systems(around, node) == KIN_OK)
        return true;
    kin_systems_destroy(node);
    return false;
}

// ---- systems

// Reports the error and returns NULL when out of memory.
static kin_collector *make_collector(kin__world *world, const kin__system_info *info)
{
    size_t size = info->trigger_count * sizeof(kin_trigger);
    kin_trigger *triggers = kin__allocate(&world->memory, size);
    kin_collector *collector = NULL;
    if (triggers != NULL) {
        for (uint32_t i = 0; i < info->trigger_count; i++) {
            const kin__group_place *place = &info->triggers[i].place;
            triggers[i] = (kin_trigger){world->contexts[place->context]->groups[place->group], info->triggers[i].event};
        }
        collector = kin__collector_make(triggers, info->trigger_count);
        if (collector == NULL)
            world->memory.refused = triggers[0].group->context->core->memory.refused;
        kin__release(&world->memory, triggers, size);
    }
    if (collector == NULL)
        kin__world_report_error(world, KIN_ERROR_NO_MEMORY, "create the system", info->name, NULL);
    return collector;
}

// Reports the error and returns false when out of memory.
static bool add_system(kin__world *world, kin_systems *node, uint32_t number)
{
    const kin__system_info *info = &world->info->systems[number];
    kin_collector *collector = NULL;
    if (info->trigger_count > 0) {
        collector = make_collector(world, info);
        if (collector == NULL)
            return false;
    }
    kin__schema_system *schema_system = kin__schema_system_create(world, number);
    if (schema_system != NULL && kin__schema_system_add(node, schema_system, collector))
        return true;
    if (schema_system != NULL)
        kin__systems_report_error(node, KIN_ERROR_NO_MEMORY, "add a system", NULL);
    kin__schema_system_destroy(schema_system);
    kin_collector_destroy(collector);
    return false;
}

// ---- creating

static size_t world_size(const kin__world_info *info)
{
    return sizeof(kin__world) + info->size;
}

// Reports the error and returns false when out of memory.
static bool make_tables(kin__world *world, kin_context *const *contexts)
{
    const kin__world_info *info = world->info;
    world->contexts = kin__allocate(&world->memory, info->context_count * sizeof *world->contexts);
    world->schema_systems =
        kin__allocate_zero(&world->memory, (info->system_count + 1) * sizeof *world->schema_systems);
    world->subscribers = kin__allocate_zero(&world->memory, (info->message_count + 1) * sizeof *world->subscribers);
    if (world->contexts == NULL || world->schema_systems == NULL || world->subscribers == NULL) {
        kin__world_report_error(world, KIN_ERROR_NO_MEMORY, "create the world", info->name, NULL);
        return false;
    }
    memcpy(world->contexts, contexts, info->context_count * sizeof *contexts);
    return true;
}

// Returns the number of the last node that is added before the system.
static uint32_t node_before(const kin__system_info *info)
{
    KIN_ASSERT(info->after == 0 || info->after > info->node);
    return info->after != 0 ? info->after : info->node;
}

// Adds all nodes and systems. The tables list both in the order in which they run: a node's own systems run before its
// child nodes, or after one of them.
static bool fill(kin__world *world, kin_systems **nodes)
{
    const kin__world_info *info = world->info;
    uint32_t system = 0;
    for (uint32_t node = 0; node < info->node_count; node++) {
        if (!add_node(world, nodes, node))
            return false;
        for (; system < info->system_count && node_before(&info->systems[system]) == node; system++)
            if (!add_system(world, nodes[info->systems[system].node], system))
                return false;
    }
    KIN_ASSERT(system == info->system_count);
    return true;
}

static bool make_systems(kin__world *world)
{
    const kin__world_info *info = world->info;
    world->root = kin_systems_create(info->name, &world->options);
    if (world->root == NULL)
        return false;
    world->root->is_world = true;
    world->root->pushed = &world->pushed;
    size_t size = (info->node_count + 1) * sizeof(kin_systems *);
    kin_systems **nodes = kin__allocate(&world->memory, size);
    if (nodes == NULL) {
        kin__world_report_error(world, KIN_ERROR_NO_MEMORY, "create the world", info->name, NULL);
        return false;
    }
    bool filled = fill(world, nodes);
    kin__release(&world->memory, nodes, size);
    return filled;
}

// Sets whether the contexts belong to the world, and whose runs they are in. Nothing destroys them until it ends.
static void take_contexts(const kin__world *world, bool taken, const uint32_t *runs)
{
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        world->contexts[i]->core->is_in_world = taken;
        world->contexts[i]->core->runs = runs;
    }
}

// Returns why a world cannot be created on the contexts, or NULL.
static const char *find_fault(const kin__world_info *info, kin_context *const *contexts)
{
    for (uint32_t i = 0; i < info->context_count; i++) {
        if (contexts[i] == NULL)
            return "a context is NULL; check the result of the call that created the contexts";
        if (contexts[i]->core->is_in_world)
            return "a context belongs to another world; destroy that world first";
        if (info->stamps != NULL && contexts[i]->info->stamp != info->stamps[i]) // NULL: by templates of the user
            return "a context has another layout than the code of the world; compile both from one schema";
    }
    return NULL;
}

kin__world *kin__world_create(const kin__world_info *info, kin_context *const *contexts,
                              const kin_context_options *options)
{
    kin_context_options complete = options != NULL ? *options : (kin_context_options){0};
    kin__memory memory = kin__memory_of(complete.allocator);
    const char *fault = kin__allocator_fault(&complete.allocator);
    fault = fault != NULL ? fault : find_fault(info, contexts);
    kin__world *world = fault != NULL ? NULL : kin__allocate_zero(&memory, world_size(info));
    if (world == NULL) {
        kin__world incomplete = {.options = complete, .memory = memory};
        kin_status status = fault != NULL ? KIN_ERROR_INVALID : KIN_ERROR_NO_MEMORY;
        kin__world_report_error(&incomplete, status, "create the world", info->name, fault);
        return NULL;
    }
    world->info = info;
    world->memory = memory;
    world->options = complete;
    bool has_tables = make_tables(world, contexts);
    if (has_tables)
        take_contexts(world, true, NULL);
    if (has_tables && make_systems(world)) {
        take_contexts(world, true, &world->root->running);
        return world;
    }
    kin__world_end(world);
    if (has_tables)
        take_contexts(world, false, NULL);
    kin__world_release(world);
    return NULL;
}

void *kin__world_self(kin__world *world)
{
    return world->typed;
}

void kin__world_own_contexts(kin__world *world)
{
    world->owns_contexts = true;
}

bool kin__world_owns_contexts(const kin__world *world)
{
    return world->owns_contexts;
}

bool kin__world_append(kin__world *world, kin_systems *systems)
{
    if (systems != NULL && kin_systems_add_systems(world->root, systems) == KIN_OK)
        return true;
    kin_systems_destroy(systems);
    world->is_broken = true;
    return false;
}

bool kin__world_begin(kin__world *world)
{
    if (world->is_broken)
        return false;
    KIN_ASSERT(!world->has_begun);
    world->has_begun = true;
    kin_systems_initialize(world->root);
    return true;
}

// ---- trackers

void kin__world_track(kin__world *world, kin__tracker *tracker)
{
    tracker->next = world->trackers;
    world->trackers = tracker;
    if (tracker->before_update != NULL) {
        KIN_ASSERT(world->recorder == NULL);
        world->recorder = tracker;
    }
    kin__world_update_followed(world);
}

void kin__world_untrack(kin__world *world, const kin__tracker *tracker)
{
    kin__tracker **link = &world->trackers;
    while (*link != tracker)
        link = &(*link)->next;
    *link = tracker->next;
    if (world->recorder == tracker)
        world->recorder = NULL;
    kin__world_update_followed(world);
}

static void end_trackers(kin__world *world)
{
    while (world->trackers != NULL) {
        kin__tracker *tracker = world->trackers;
        kin__world_untrack(world, tracker);
        tracker->world_ends(tracker);
    }
}

// ---- destroying

bool kin__world_is_idle(const kin__world *world, const char *verb)
{
    static const char busy[] =
        "a listener, a system or the error handler of this context is being called; try again after the call returns";
    if (kin__systems_are_running(world->root)) {
        kin__world_report_error(
            world, KIN_ERROR_INVALID, verb, world->info->name,
            "it is running; try again after the run, or call kin_world_abandon and destroy it if an "
            "exception or longjmp left it");
        return false;
    }
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_in_use(world->contexts[i])) {
            kin__attempt attempt = {.verb = verb, .reason = busy};
            kin__report_error(world->contexts[i], KIN_ERROR_INVALID, &attempt);
            return false;
        }
    return true;
}

// The root still counts as running, which refuses all else; destroying the world does not look at that.
void kin_world_abandon(kin_world *world)
{
    if (world == NULL)
        return;
    world->is_abandoned = true;
    if (world->jobs != NULL)
        world->jobs->culprit = NULL; // it was on a stack that is gone
    kin__systems_forget_runs(world->root);
    kin__systems_pin(world->root);
    for (uint32_t i = 0; i < world->info->context_count; i++)
        kin_context_abandon(world->contexts[i]);
}

bool kin__world_end(kin__world *world)
{
    bool calls_systems = world->has_begun && !world->is_abandoned;
    if (calls_systems && !kin__world_is_idle(world, "destroy the world"))
        return false;
    if (world->root == NULL)
        return true;
    kin__world_end_probe(world);
    kin__systems_pin(world->root); // a callback cannot destroy the world again
    end_trackers(world);
    if (calls_systems)
        kin_systems_tear_down(world->root);
    kin__systems_release(world->root);
    take_contexts(world, false, NULL);
    world->root = NULL;
    return true;
}

void kin__world_release(kin__world *world)
{
    if (world == NULL)
        return;
    KIN_ASSERT(world->root == NULL);
    const kin__world_info *info = world->info;
    kin__memory memory = world->memory;
    kin__release(&memory, world->contexts, info->context_count * sizeof *world->contexts);
    kin__release(&memory, world->schema_systems, (info->system_count + 1) * sizeof *world->schema_systems);
    kin__array_release(&memory, &world->parts, sizeof(void *));
    kin__jobs_destroy(world);
    kin__release(&memory, world->subscribers, (info->message_count + 1) * sizeof *world->subscribers);
    kin__release(&memory, world, world_size(info));
}
