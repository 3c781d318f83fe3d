// Enabling, activating and removing: which nodes run, and which reactive nodes collect.

#include "base/base.h"
#include "systems/systems.h"

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

void kin__node_refresh(kin__node *node)
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

kin_status kin_systems_set_enabled(kin_systems *systems, const char *name, bool enabled)
{
    kin__node *node = kin__systems_find_or_report(systems, name, "enable or disable a system");
    if (node == NULL)
        return KIN_ERROR_INVALID;
    node->enabled = enabled;
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
