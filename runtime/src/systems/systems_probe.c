// The probe of the calls of all systems in a collection: the profile of each node has it, also that of a nested
// collection.

#include "base/base.h"
#include "systems/systems.h"

static void set(kin_systems *systems, const kin_call_probe *probe, uint32_t *place)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        bool is_collection = node->nested != NULL;
        KIN_ASSERT(!node->removed);
        node->profile = node->profile != NULL ? node->profile : &node->untimed;
        node->profile->probe = probe;
        node->profile->call = (kin_call){.name = is_collection ? node->nested->name : node->name,
                                         .place = (*place)++,
                                         .is_collection = is_collection};
        node->profile->open = is_collection ? 0 : node->open;
        if (!is_collection)
            continue;
        kin__systems_update_paced(node->nested);
        set(node->nested, probe, place);
    }
}

static void remove_probe(kin_systems *systems)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->profile != NULL)
            node->profile->probe = NULL;
        if (!kin__profile_is_timed(node->profile))
            node->profile = NULL;
        if (node->nested == NULL)
            continue;
        kin__systems_update_paced(node->nested);
        remove_probe(node->nested);
    }
}

static const char *find_fault(const kin_systems *systems, const kin_call_probe *probe)
{
    if (systems == NULL)
        return "the collection is NULL; check the result of the call that created it";
    if (kin__systems_are_running(systems))
        return "they are running; set or remove the probe after the run";
    if (probe != NULL && (probe->enter == NULL || probe->leave == NULL))
        return "the probe has no function enter or leave; set both";
    return NULL;
}

kin_status kin_systems_set_probe(kin_systems *systems, const kin_call_probe *probe)
{
    const char *reason = find_fault(systems, probe);
    uint32_t place = 0;
    if (reason != NULL)
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, "set the probe of systems", reason);
    if (probe == NULL) {
        remove_probe(systems);
        return KIN_OK;
    }
    set(systems, probe, &place);
    return KIN_OK;
}
