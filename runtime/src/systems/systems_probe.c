// The probe of the calls of all systems in a collection: each node, also that of a nested collection, gets a profile
// that has the probe.

#include "base/assertion.h"
#include "systems/systems.h"

// Makes a profile for each node without one, so that nothing has changed when out of memory.
static bool prepare(kin_systems *systems)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        KIN_ASSERT(node->next_profile == NULL);
        if (node->profile == NULL) {
            node->next_profile = kin__profile_create(&systems->memory, NULL, 0, 0);
            if (node->next_profile == NULL)
                return false;
        }
        if (node->nested != NULL && !prepare(node->nested)) {
            systems->memory.refused = node->nested->memory.refused;
            return false;
        }
    }
    return true;
}

// Puts the new profiles in use, or destroys them.
static void finish(kin_systems *systems, bool is_complete)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->next_profile != NULL && is_complete)
            node->profile = node->next_profile;
        else
            kin__profile_destroy(&systems->memory, node->next_profile);
        node->next_profile = NULL;
        if (node->nested != NULL)
            finish(node->nested, is_complete);
    }
}

static void set(kin_systems *systems, const kin_call_probe *probe, uint32_t *place)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        bool is_collection = node->nested != NULL;
        KIN_ASSERT(!node->removed);
        node->profile->probe = probe;
        node->profile->call = (kin_call){.name = is_collection ? node->nested->name : node->name,
                                         .place = (*place)++,
                                         .is_collection = is_collection};
        if (!is_collection)
            continue;
        kin__systems_update_paced(node->nested);
        set(node->nested, probe, place);
    }
}

// Profiles that do not time anything are of no more use.
static void remove_probe(kin_systems *systems)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->profile != NULL && !kin__profile_is_timed(node->profile)) {
            kin__profile_destroy(&systems->memory, node->profile);
            node->profile = NULL;
        }
        if (node->profile != NULL)
            node->profile->probe = NULL;
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
    bool is_complete = prepare(systems);
    finish(systems, is_complete);
    if (!is_complete)
        return kin__systems_report_error(systems, KIN_ERROR_NO_MEMORY, "set the probe of systems", NULL);
    set(systems, probe, &place);
    return KIN_OK;
}
