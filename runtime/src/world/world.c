#include "world/world.h"
#include "context/context.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// Returns the system whose commands are played, unless a listener makes a call of its own.
static const char *culprit_of(const kin__world *world)
{
    if (world->jobs == NULL || world->jobs->culprit == NULL)
        return NULL;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_inside(world->contexts[i]))
            return NULL;
    return world->jobs->culprit;
}

// Returns the options of a tool that catches the errors of a context of the world; zero, if none does or a listener
// runs.
static kin_context_options caught_of(const kin__world *world)
{
    kin_context_options caught = {0};
    if (world->info == NULL || world->root == NULL) // it is being created, or ends
        return caught;
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        const kin_context *context = world->contexts[i];
        if (kin__context_is_inside(context))
            return (kin_context_options){0};
        if (context->core->caught != NULL)
            caught = (kin_context_options){.on_error = context->core->caught, .error_user = context->core->caught_user};
    }
    return caught;
}

kin_status kin__world_report_error(const kin__world *world, kin_status status, const char *verb, const char *name,
                                   const char *reason)
{
    char what[192];
    snprintf(what, sizeof what, "%s %s", verb, name);
    kin__attempt attempt = {.verb = what, .reason = reason, .culprit = world == NULL ? NULL : culprit_of(world)};
    if (world == NULL)
        return kin__report_error_to(NULL, status, &attempt, 0);
    kin_context_options caught = caught_of(world);
    if (caught.on_error != NULL)
        return kin__report_error_to(&caught, status, &attempt, world->memory.refused);
    kin__error_watch watch = world->error_watch; // the handler may change it
    kin__receiver receiver = {.options = &world->options, .watch = &watch};
    return kin__report_error_at(&receiver, status, &attempt, world->memory.refused);
}

// What tools learn about a world. Nothing here reports an error.

const kin_world_info *kin_world_info_of(const kin_world *world)
{
    return world == NULL ? NULL : world->info->shown;
}

kin_context *kin_world_context(const kin_world *world, uint32_t number)
{
    return world == NULL || number >= world->info->context_count ? NULL : world->contexts[number];
}

kin_tick kin_world_tick(const kin_world *world)
{
    if (world == NULL || world->root == NULL)
        return (kin_tick){0};
    return kin__systems_tick(world->root);
}

kin_systems *kin_world_systems(const kin_world *world)
{
    return world == NULL ? NULL : world->root;
}

// The probe of a world: a tool that is called around each update, and when a message is published.

// Sets `is_followed`.
static void world_update_followed(kin__world *world)
{
    world->is_followed = world->recorder != NULL || world->session != NULL || world->probe.begin != NULL;
}

// The list of a message ends in the tap if the probe sees messages, so that publishing without one is as long as ever.
static void set_tap(kin__world *world, uint32_t message)
{
    kin__inbox **link = &world->subscribers[message];
    while (*link != NULL && *link != &world->tap)
        link = &(*link)->next;
    *link = world->probe.published != NULL ? &world->tap : NULL;
}

// A context whose errors another tool watches stays as it is if no probe watches them.
static void watch_errors(kin__world *world)
{
    kin__error_watch watch = {world->probe.refused, world->probe.user};
    if (watch.refused == NULL && world->error_watch.refused == NULL)
        return;
    world->error_watch = watch;
    world->root->error_watch = &world->error_watch;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        kin_context_watch_errors(world->contexts[i], watch.refused, watch.user);
}

static void use_probe(kin__world *world, const kin_probe *probe)
{
    bool was_tapped = world->probe.published != NULL;
    world->probe = *probe;
    world->tap = (kin__inbox){.unreported = KIN_ERROR_LIMIT};
    for (uint32_t i = 0; i < world->info->message_count && was_tapped != (probe->published != NULL); i++)
        set_tap(world, i);
    watch_errors(world);
    world_update_followed(world);
}

// Removes the probe and tells it that the world ends.
static void world_end_probe(kin__world *world)
{
    static const kin_probe none;
    kin_probe probe = world->probe;
    use_probe(world, &none);
    if (probe.ended != NULL)
        probe.ended(probe.user);
}

static const char *find_fault(const kin__world *world, const kin_probe *probe)
{
    if (world->root == NULL)
        return "the world is ending; do without a probe";
    if (probe == NULL)
        return NULL;
    if (probe->begin == NULL)
        return "the probe has no function begin; set one";
    if (world->probe.begin != NULL && world->probe.user != probe->user)
        return "the world has another probe; remove that first";
    return NULL;
}

kin_status kin_world_set_probe(kin_world *world, const kin_probe *probe)
{
    static const kin_probe none;
    if (kin__world_report_null(world, "set the probe of"))
        return KIN_ERROR_INVALID;
    const char *fault = find_fault(world, probe);
    if (fault != NULL)
        return kin__world_report_error(world, KIN_ERROR_INVALID, "set the probe of", world->info->name, fault);
    use_probe(world, probe != NULL ? probe : &none);
    return KIN_OK;
}

bool kin_world_is_open(const kin_world *world)
{
    return world != NULL && world->is_open;
}

// Worlds: creating them from their tables, and destroying them.

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
static const char *find_options_fault(const kin__world_info *info, kin_context *const *contexts)
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
    fault = fault != NULL ? fault : find_options_fault(info, contexts);
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
    world_update_followed(world);
}

void kin__world_track_session(kin__world *world, kin__tracker *tracker)
{
    KIN_ASSERT(world->session == NULL);
    tracker->next = world->trackers;
    world->trackers = tracker;
    world->session = tracker;
    world_update_followed(world);
}

const kin_network_face *kin_network_face_of(const struct kin__world *world, void **session)
{
    *session = world == NULL ? NULL : world->session;
    return *session == NULL ? NULL : world->session_face;
}

void kin__world_untrack(kin__world *world, const kin__tracker *tracker)
{
    kin__tracker **link = &world->trackers;
    while (*link != tracker)
        link = &(*link)->next;
    *link = tracker->next;
    if (world->recorder == tracker)
        world->recorder = NULL;
    if (world->session == tracker)
        world->session = NULL;
    world_update_followed(world);
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
    world_end_probe(world);
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

// Worlds: running them, their time, their messages and last values.

const char kin__null_world[] = "the world is NULL; check the result of the call that created it";

bool kin__world_report_null(const kin__world *world, const char *verb)
{
    if (world != NULL)
        return false;
    kin__world_report_error(NULL, KIN_ERROR_INVALID, verb, "a world", kin__null_world);
    return true;
}

// ---- running

// Returns whether the world cannot run now, and reports that.
static bool report_running(const kin__world *world, const char *verb)
{
    if (kin__world_report_null(world, verb))
        return true;
    if (world->root->running == 0)
        return false;
    kin__world_report_error(world, KIN_ERROR_INVALID, verb, world->info->name,
                            "it is running; call this after the run");
    return true;
}

static bool report_delta(const kin__world *world, double delta, const char *verb, const char *name)
{
    if (kin__is_finite(delta))
        return false;
    kin__world_report_error(world, KIN_ERROR_INVALID, verb, name, "the delta is not a finite number; pass one that is");
    return true;
}

static void update(const kin__world *world, double delta)
{
    kin__systems_pin(world->root);
    kin_systems_execute(world->root, delta);
    kin_systems_cleanup(world->root);
    kin__systems_unpin(world->root);
}

// What a session takes in is outside of the update for a recorder, and it sends what the recorder has saved.
static void update_recorded(const kin__world *world, double delta)
{
    kin__tracker *recorder = world->recorder;
    kin__tracker *session = world->session;
    if (session != NULL)
        session->before_update(session, delta);
    if (session != NULL && session->skips_update)
        return;
    if (recorder != NULL)
        recorder->before_update(recorder, delta);
    update(world, delta);
    if (recorder != NULL)
        recorder->after_update(recorder);
    if (session != NULL)
        session->after_update(session);
}

// Returns whether a callback of a context of the world is being called.
static bool is_in_use(const kin__world *world)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_in_use(world->contexts[i]))
            return true;
    return false;
}

// Calls `begin` of the probe, if there is one and nothing of the world runs. Returns whether the update is to run.
static bool begin_probe(kin__world *world, double *delta, bool *has_begun)
{
    if (world->probe.begin == NULL || is_in_use(world))
        return true;
    *has_begun = world->probe.begin(world->probe.user, delta);
    return *has_begun;
}

// The probe begins before the recorder, as what it changes is outside of the update.
KIN__APART void update_followed(kin__world *world, double delta)
{
    bool has_begun = false;
    if (!begin_probe(world, &delta, &has_begun) || report_delta(world, delta, "update", world->info->name))
        return;
    world->is_open = has_begun && world->recorder == NULL;
    update_recorded(world, delta);
    world->is_open = false;
    if (has_begun && world->probe.end != NULL)
        world->probe.end(world->probe.user);
}

void kin__world_update_unprobed(kin__world *world, double delta)
{
    if (!report_running(world, "update") && !report_delta(world, delta, "update", world->info->name))
        update_recorded(world, delta);
}

void kin__world_update(kin__world *world, double delta)
{
    if (report_running(world, "update") || report_delta(world, delta, "update", world->info->name))
        return;
    if (world->is_followed)
        update_followed(world, delta);
    else
        update(world, delta);
}

static bool is_manual(const kin__node *node, const char *name)
{
    if (node->removed || node->nested == NULL)
        return false;
    return node->nested->is_manual && strcmp(node->nested->name, name) == 0;
}

// Returns the node of a manual collection, or NULL if it was removed. Compares the names of the top-level nodes.
static const kin__node *find_manual(const kin_systems *root, const char *name)
{
    const kin__node *node = root->first;
    while (node != NULL && !is_manual(node, name))
        node = node->next;
    return node;
}

void kin__world_run(kin__world *world, uint32_t number, double delta)
{
    if (kin__world_report_null(world, "run a node of"))
        return;
    const char *name = world->info->nodes[number].name;
    KIN_ASSERT(number < world->info->node_count && world->info->nodes[number].is_manual);
    if (report_running(world, "run a node of") || report_delta(world, delta, "run the node", name))
        return;
    const kin__node *node = find_manual(world->root, name);
    if (node == NULL) {
        kin__world_report_error(world, KIN_ERROR_INVALID, "run the node", name,
                                "it was removed from the systems of the world; disable it instead");
        return;
    }
    kin__systems_pin(world->root);
    if (node->enabled)
        kin__systems_run_manual(world->root, node->nested, delta);
    kin__systems_unpin(world->root);
}

void kin__world_draw(kin__world *world)
{
    if (report_running(world, "draw"))
        return;
    kin__systems_draw(world->root);
}

kin_systems *kin__world_systems(kin__world *world)
{
    return kin__world_report_null(world, "get the systems of") ? NULL : world->root;
}

// ---- time

kin_tick kin__world_tick(const kin__world *world)
{
    if (kin__world_report_null(world, "get the tick of"))
        return (kin_tick){0};
    return kin__systems_tick(world->root);
}

// ---- random numbers

// While a batch runs, jobs may read the seed.
kin_status kin__world_set_seed(kin__world *world, uint64_t seed)
{
    if (kin__world_report_null(world, "set the seed of"))
        return KIN_ERROR_INVALID;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_shared(world->contexts[i]))
            return kin__refuse_shared(world->contexts[i]);
    world->seed = seed;
    return KIN_OK;
}

uint64_t kin__world_seed(const kin__world *world)
{
    return kin__world_report_null(world, "get the seed of") ? 0 : world->seed;
}

kin_random kin__world_random(const kin__world *world, uint64_t system, kin_entity entity)
{
    if (kin__world_report_null(world, "make random numbers of"))
        return kin_random_seeded(0);
    uint64_t frame = kin__systems_tick(world->root).frame;
    uint64_t mixed = kin_random_split(world->seed, 1) ^ system;
    mixed = kin_random_split(mixed, 1) ^ frame;
    mixed = kin_random_split(mixed, 1) ^ entity;
    return kin_random_seeded(mixed);
}

// ---- setting the time

void kin__world_set_time(kin__world *world, double time)
{
    if (kin__world_report_null(world, "set the time of"))
        return;
    if (kin__is_finite(time))
        kin__systems_set_time(world->root, time);
    else
        kin__world_report_error(world, KIN_ERROR_INVALID, "set the time of", world->info->name,
                                "the time is not a finite number; pass one that is");
}

void kin__world_push_time(kin__world *world, kin_tick tick)
{
    if (kin__world_report_null(world, "push a time on"))
        return;
    if (world->pushed.count == KIN__MAX_PUSHED)
        kin__world_report_error(world, KIN_ERROR_LIMIT, "push a time on", world->info->name,
                                "8 times are pushed, which is the limit; pop one first");
    else
        world->pushed.ticks[world->pushed.count++] = tick;
}

void kin__world_pop_time(kin__world *world)
{
    if (kin__world_report_null(world, "pop a time of"))
        return;
    if (world->pushed.count == 0)
        kin__world_report_error(world, KIN_ERROR_INVALID, "pop a time of", world->info->name,
                                "no time is pushed; pop once for each push");
    else
        world->pushed.count--;
}

// ---- messages

// Returns the first inbox of a message with an error to report, or NULL.
static kin__inbox *find_unreported(const kin__world *world, uint32_t message)
{
    kin__inbox *inbox = world->subscribers[message];
    while (inbox != NULL && (inbox->unreported == KIN_OK || inbox == &world->tap))
        inbox = inbox->next;
    return inbox;
}

static void report_loss(const kin__world *world, kin__inbox *inbox)
{
    char verb[160], reason[160];
    kin_status status = inbox->unreported;
    inbox->unreported = KIN_OK;
    snprintf(verb, sizeof verb, "publish %s to", world->info->messages[inbox->info->message].name);
    snprintf(reason, sizeof reason, "%" PRIu32 " messages fill its inbox, and %s is lost; raise its capacity",
             inbox->info->capacity, inbox->info->full == KIN__FULL_OLDEST ? "the oldest one" : "the new one");
    kin__world_report_error(world, status, verb, inbox->system, status == KIN_ERROR_LIMIT ? reason : NULL);
}

// The error handler may remove systems, but not destroy the world.
static void report_losses(kin__world *world, uint32_t message)
{
    kin__inbox *inbox = NULL;
    kin__systems_pin(world->root);
    while ((inbox = find_unreported(world, message)) != NULL)
        report_loss(world, inbox);
    kin__systems_unpin(world->root);
}

// What is left when an inbox has something to report. The probe, whose `tap` always has, comes first.
KIN__APART void end_publish(kin__world *world, uint32_t message, const void *value)
{
    if (world->probe.published != NULL)
        world->probe.published(world->probe.user, message, value);
    report_losses(world, message);
}

void kin__world_publish(kin__world *world, uint32_t message, const void *value)
{
    if (kin__world_report_null(world, "publish in"))
        return;
    KIN_ASSERT(message < world->info->message_count);
    uint64_t serial = world->published++;
    bool is_complete = true;
    for (kin__inbox *inbox = world->subscribers[message]; inbox != NULL; inbox = inbox->next)
        is_complete = kin__inbox_put(inbox, serial, value) && is_complete;
    if (!is_complete)
        end_publish(world, message, value);
}

// ---- last values

const void *kin__world_leave_value(const kin__world *world, uint32_t system, uint32_t kept, uint32_t place)
{
    const kin__schema_system *schema_system = world == NULL ? NULL : world->schema_systems[system];
    if (schema_system == NULL || !schema_system->is_leaving || place >= schema_system->membership.left_count)
        return NULL;
    KIN_ASSERT(kept < schema_system->info->kept_count);
    return kin__leave_values_get(&schema_system->leave_values[kept], place);
}

// The reset of a world: destroys all entities, so that the systems see them leave, then restarts the contexts.
//
// Order: all entities are destroyed; each system's `leave` is called with all its members; entities that listeners have
// created meanwhile are destroyed, and inboxes and collectors cleared, until no entity is left; `first_update` becomes
// due again; the contexts are reset, which reports entities that are still held.

// Makes room for all that the calls of `leave` will need. Reports the error and returns false when out of memory.
static bool reserve(kin__world *world)
{
    for (uint32_t i = 0; i < world->info->system_count; i++)
        if (world->schema_systems[i] != NULL && !kin__schema_system_reserve_leave(world->schema_systems[i])) {
            kin__world_report_error(world, KIN_ERROR_NO_MEMORY, "reset the world", world->info->name, NULL);
            return false;
        }
    return true;
}

static void destroy_entities(const kin__world *world)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        kin__entities_destroy(world->contexts[i]);
}

static bool has_entities(const kin__world *world)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__entity_count(world->contexts[i]) > 0)
            return true;
    return false;
}

static void call_leaves(kin__world *world)
{
    for (uint32_t i = 0; i < world->info->system_count; i++)
        if (world->schema_systems[i] != NULL)
            kin__schema_system_leave_all(world->schema_systems[i]);
}

// Resets all contexts. Returns the last error, as the generated function that resets all contexts of a package does.
static kin_status reset_contexts(const kin__world *world)
{
    kin_status status = KIN_OK;
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        kin_status reset = kin__context_reset(world->contexts[i]);
        status = reset != KIN_OK ? reset : status;
    }
    return status;
}

kin_status kin__world_reset(kin__world *world)
{
    if (kin__world_report_null(world, "reset") || !kin__world_is_idle(world, "reset the world"))
        return KIN_ERROR_INVALID;
    if (!reserve(world))
        return KIN_ERROR_NO_MEMORY;
    kin__systems_pin(world->root); // a callback cannot run or destroy the world
    destroy_entities(world);
    call_leaves(world);
    do {
        destroy_entities(world);
        kin__systems_clear(world->root);
    } while (has_entities(world));
    for (uint32_t i = 0; i < world->info->system_count; i++)
        if (world->schema_systems[i] != NULL)
            kin__schema_system_restart(world->schema_systems[i]);
    kin_status status = reset_contexts(world);
    kin__systems_unpin(world->root);
    return status;
}
