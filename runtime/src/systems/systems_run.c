// Systems: the walks over all of a collection, one for each phase, and which reactive systems collect.

#include "systems/schema_system.h"
#include "systems/systems.h"

// One walk under way, for one of the roles that systems have. The tick is that of the collection that was executed;
// while one is pushed, no clock goes on.
typedef struct run {
    kin_role role;
    kin_tick tick;
    bool is_pushed;
} run;

static void run_collection(kin_systems *systems, const run *run);

static void call(kin__profile *profile, kin_role role, void (*function)(void *self), void *self)
{
    if (function == NULL)
        return;
    uint64_t began = kin__profile_begin(profile);
    function(self);
    kin__profile_end(profile, role, began);
}

static void execute(const kin__node *node, const kin_tick *tick)
{
    kin__profile *profile = node->profile;
    uint64_t began = kin__profile_begin(profile);
    node->execute(node->self, tick);
    kin__profile_end(profile, KIN_ROLE_EXECUTE, began);
}

static void run_plain(const kin__node *node, const run *run)
{
    const kin_system *system = &node->plain;
    switch (run->role) {
    case KIN_ROLE_INITIALIZE:
        call(node->profile, run->role, system->initialize, system->self);
        break;
    case KIN_ROLE_CLEANUP:
        call(node->profile, run->role, system->cleanup, system->self);
        break;
    case KIN_ROLE_TEAR_DOWN:
        call(node->profile, run->role, system->tear_down, system->self);
        break;
    default:
        break; // of declared systems only, or done already
    }
}

void kin__node_react(kin__node *node)
{
    kin__profile *profile = node->profile;
    uint64_t began = kin__profile_begin(profile);
    kin__reactive_run(&node->reactive);
    kin__profile_end(profile, KIN_ROLE_EXECUTE, began);
}

static void run_reactive(kin__node *node, const run *run)
{
    const kin_reactive_system *system = &node->reactive.system;
    switch (run->role) {
    case KIN_ROLE_INITIALIZE:
        call(node->profile, run->role, system->initialize, system->self);
        break;
    case KIN_ROLE_EXECUTE:
        kin__node_react(node);
        break;
    case KIN_ROLE_CLEANUP:
        call(node->profile, run->role, system->cleanup, system->self);
        break;
    case KIN_ROLE_TEAR_DOWN:
        call(node->profile, run->role, system->tear_down, system->self);
        break;
    default:
        break;
    }
}

static void run_nested(kin_systems *systems, const run *run)
{
    if (systems->fixed_step == NULL || run->role != KIN_ROLE_EXECUTE || run->is_pushed) {
        run_collection(systems, run);
        return;
    }
    struct run step = *run;
    kin__fixed_step_advance(systems->fixed_step, run->tick.delta);
    while (kin__fixed_step_next(systems->fixed_step, &step.tick))
        run_collection(systems, &step);
}

static void run_node(kin__node *node, const run *run)
{
    if (run->role == KIN_ROLE_EXECUTE && node->execute != NULL)
        execute(node, &run->tick);
    else if (node->nested != NULL)
        run_nested(node->nested, run);
    else if (node->schema_system != NULL)
        kin__schema_system_run(node->schema_system, run->role, &run->tick);
    else if (node->reactive.collector != NULL)
        run_reactive(node, run);
    else
        run_plain(node, run);
}

// What was added meanwhile waits for the next call; what was removed or disabled, or is in something that was, is not
// run.
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
    systems->running--;
}

static void run_root(kin_systems *systems, const run *run)
{
    run_collection(systems, run);
    kin__systems_settle(systems);
}

static void run_role(kin_systems *systems, kin_role role)
{
    if (systems != NULL)
        run_root(systems, &(run){.role = role});
}

// One run of two walks: what a callback removes, the collection itself too, is released after the second.
static void run_roles(kin_systems *systems, kin_role first, kin_role second)
{
    if (systems == NULL)
        return;
    kin__systems_hold(systems);
    run_role(systems, first);
    run_role(systems, second);
    kin__systems_let_go(systems);
}

void kin_systems_initialize(kin_systems *systems)
{
    run_roles(systems, KIN_ROLE_INITIALIZE, KIN_ROLE_START);
}

void kin_systems_execute(kin_systems *systems, double delta)
{
    if (systems == NULL)
        return;
    run run = {.role = KIN_ROLE_EXECUTE, .is_pushed = systems->pushed != NULL && systems->pushed->count > 0};
    if (run.is_pushed) {
        run.tick = systems->pushed->ticks[systems->pushed->count - 1];
    } else {
        systems->time += delta;
        run.tick = (kin_tick){delta, systems->time, systems->frame++};
    }
    run_root(systems, &run);
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

// ---- reactive systems

static void refresh(kin_systems *systems, bool around);

static void refresh_node(kin__node *node, bool around)
{
    bool on = around && node->enabled && !node->removed;
    if (node->schema_system != NULL)
        kin__schema_system_set_open(node->schema_system, on);
    if (node->nested != NULL)
        refresh(node->nested, on);
    else if (on && !node->reactive.deactivated)
        kin_collector_activate(node->reactive.collector);
    else
        kin_collector_deactivate(node->reactive.collector);
}

// Collectors release entities. Listeners of that may remove systems, which stay until the walk is over.
static void refresh(kin_systems *systems, bool around)
{
    systems->is_off = !around;
    systems->running++;
    for (kin__node *node = systems->first; node != NULL; node = node->next)
        refresh_node(node, around);
    systems->running--;
}

// Whether all around is enabled.
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
    kin__systems_hold(systems);
    do {
        number = ++all->refreshes;
        refresh(systems, is_on(systems));
    } while (number != all->refreshes);
    kin__systems_let_go(systems);
}

void kin__node_refresh(kin__node *node)
{
    if (node->nested != NULL)
        kin__systems_refresh(node->nested);
    else
        refresh_node(node, is_on(node->owner)); // it has collected nothing yet, so that no listener is called
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
    kin__systems_hold(systems); // as in a refresh
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        kin_collector_clear(node->reactive.collector);
        kin_systems_clear_reactive(node->nested);
    }
    kin__systems_let_go(systems);
}
