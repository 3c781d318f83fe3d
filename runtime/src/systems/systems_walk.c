// Walks over a collection for tools (kin/inventory.h): every system and nested collection, numbered in depth-first
// order.

#include "base/base.h"
#include "systems/systems.h"

#include <inttypes.h>
#include <stdio.h>

// A walk in progress; it visits all nodes, or looks for the one with the number `wanted`.
typedef struct walk {
    kin_systems_visitor *visit; // NULL: it looks for a node
    void *user;
    uint32_t place, depth, wanted;
} walk;

static void visit(const walk *walk, const kin__node *node)
{
    kin_system_entry entry = {.place = walk->place,
                              .depth = walk->depth,
                              .kind = kin__node_kind(node),
                              .name = node->nested != NULL ? node->nested->name : node->name,
                              .enabled = node->enabled,
                              .runs = node->enabled && !node->owner->is_off,
                              .collector = node->reactive.collector,
                              .counts = kin__profile_counts(node->profile)};
    walk->visit(&entry, walk->user);
}

// Returns the node that is looked for, or NULL after all were visited. Nodes that are removed have no number. Recursive
// over nested collections, the depth of which is limited.
static kin__node *go(walk *walk, const kin_systems *systems)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->removed)
            continue;
        if (walk->visit != NULL)
            visit(walk, node);
        else if (walk->place == walk->wanted)
            return node;
        walk->place++;
        walk->depth++;
        kin__node *inner = node->nested != NULL ? go(walk, node->nested) : NULL;
        walk->depth--;
        if (inner != NULL)
            return inner;
    }
    return NULL;
}

void kin_systems_walk(const kin_systems *systems, kin_systems_visitor *visit, void *user)
{
    walk walk = {.visit = visit, .user = user};
    if (systems != NULL && visit != NULL)
        go(&walk, systems);
}

bool kin_systems_timing_at(const kin_systems *systems, uint32_t place, kin_role role, kin_timing *timing)
{
    walk walk = {.wanted = place};
    const kin__node *node = systems == NULL ? NULL : go(&walk, systems);
    if (node == NULL || !kin__profile_is_timed(node->profile) || (uint32_t)role >= KIN_ROLE_COUNT ||
        node->profile->times[role].ring == NULL)
        return false;
    *timing = kin__profile_timing(node->profile, role);
    return true;
}

kin_status kin_systems_set_enabled_at(kin_systems *systems, uint32_t place, bool enabled)
{
    char reason[96];
    walk walk = {.wanted = place};
    kin__node *node = systems == NULL ? NULL : go(&walk, systems);
    if (node != NULL) {
        node->enabled = enabled;
        kin__systems_refresh(node->owner);
        return KIN_OK;
    }
    snprintf(reason, sizeof reason, "the collection has no system %" PRIu32 "; use a place below %" PRIu32, place,
             walk.place);
    return kin__systems_report_error(
        systems, KIN_ERROR_INVALID, "enable or disable a system",
        systems == NULL ? "the collection is NULL; check the result of the call that created it" : reason);
}
