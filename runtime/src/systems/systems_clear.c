// Clearing: what the systems of a collection have collected, for the reset of a world.

#include "base/base.h"
#include "systems/systems.h"

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
