// Running: walks over all nodes of a collection, one for each role of a phase.

#include "base/base.h"
#include "systems/systems.h"

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
    kin__systems_destroy_removed(systems);
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
    kin__systems_destroy_removed(systems);
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
