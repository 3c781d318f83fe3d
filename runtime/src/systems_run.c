// Systems: the four phases, and which reactive systems collect.

#include "systems.h"

typedef enum phase { PHASE_INITIALIZE, PHASE_EXECUTE, PHASE_CLEANUP, PHASE_TEAR_DOWN } phase;

// One phase under way: the tick is that of the collection that was executed.
typedef struct run {
    phase phase;
    kin_tick tick;
} run;

static void run_collection(kin_systems *systems, const run *run);

static void call(void (*function)(void *self), void *self)
{
    if (function != NULL)
        function(self);
}

static void run_plain(const kin__node *node, const run *run)
{
    kin_system system = node->plain;
    switch (run->phase) {
    case PHASE_INITIALIZE:
        call(system.initialize, system.self);
        break;
    case PHASE_EXECUTE:
        if (system.execute != NULL)
            system.execute(system.self, &run->tick);
        break;
    case PHASE_CLEANUP:
        call(system.cleanup, system.self);
        break;
    case PHASE_TEAR_DOWN:
        call(system.tear_down, system.self);
        break;
    }
}

static void run_reactive(kin__reactive *reactive, const run *run)
{
    const kin_reactive_system *system = &reactive->system;
    switch (run->phase) {
    case PHASE_INITIALIZE:
        call(system->initialize, system->self);
        break;
    case PHASE_EXECUTE:
        kin__reactive_run(reactive);
        break;
    case PHASE_CLEANUP:
        call(system->cleanup, system->self);
        break;
    case PHASE_TEAR_DOWN:
        call(system->tear_down, system->self);
        break;
    }
}

static void run_node(kin__node *node, const run *run)
{
    if (node->nested != NULL)
        run_collection(node->nested, run);
    else if (node->reactive.collector != NULL)
        run_reactive(&node->reactive, run);
    else
        run_plain(node, run);
}

// Whether the collection, or one around it, has been removed or disabled.
static bool is_off(const kin_systems *systems)
{
    for (const kin__node *place = systems->place; place != NULL; place = place->owner->place)
        if (place->removed || !place->enabled)
            return true;
    return false;
}

// What was added meanwhile waits for the next call; what was removed or disabled, or is in something that was, is not
// run.
static void run_collection(kin_systems *systems, const run *run)
{
    const kin__node *last = systems->last;
    systems->running++;
    for (kin__node *node = systems->first; node != NULL && last != NULL; node = node->next) {
        if (!node->removed && node->enabled && !is_off(systems))
            run_node(node, run);
        if (node == last)
            break;
    }
    systems->running--;
}

static void run_root(kin_systems *systems, phase phase, kin_tick tick)
{
    run run = {phase, tick};
    run_collection(systems, &run);
    kin__systems_settle(systems);
}

void kin_systems_initialize(kin_systems *systems)
{
    if (systems != NULL)
        run_root(systems, PHASE_INITIALIZE, (kin_tick){0});
}

void kin_systems_execute(kin_systems *systems, double delta)
{
    if (systems == NULL)
        return;
    systems->time += delta;
    run_root(systems, PHASE_EXECUTE, (kin_tick){delta, systems->time, systems->frame++});
}

void kin_systems_cleanup(kin_systems *systems)
{
    if (systems != NULL)
        run_root(systems, PHASE_CLEANUP, (kin_tick){0});
}

void kin_systems_tear_down(kin_systems *systems)
{
    if (systems != NULL)
        run_root(systems, PHASE_TEAR_DOWN, (kin_tick){0});
}

// ---- reactive systems

static void refresh(kin_systems *systems, bool around);

static void refresh_node(kin__node *node, bool around)
{
    bool on = around && node->enabled && !node->removed;
    if (node->nested != NULL)
        refresh(node->nested, on);
    else if (on && !node->reactive.deactivated)
        kin_collector_activate(node->reactive.collector);
    else
        kin_collector_deactivate(node->reactive.collector);
}

// Collectors let go of entities, of which listeners are told that may remove systems: these stay until the walk is over.
static void refresh(kin_systems *systems, bool around)
{
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

void kin__systems_refresh(kin_systems *systems)
{
    refresh(systems, is_on(systems));
    kin__systems_settle(systems);
}

void kin__node_refresh(kin__node *node)
{
    kin_systems *settled = node->nested != NULL ? node->nested : node->owner;
    refresh_node(node, is_on(node->owner));
    kin__systems_settle(settled);
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
    systems->running++; // as in a refresh
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        kin_collector_clear(node->reactive.collector);
        kin_systems_clear_reactive(node->nested);
    }
    systems->running--;
    kin__systems_settle(systems);
}
