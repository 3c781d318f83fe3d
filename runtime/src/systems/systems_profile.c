// Profiling all systems of a collection.

#include "base/assertion.h"
#include "base/clock.h"
#include "systems/systems.h"

static uint64_t read_clock(void *user)
{
    (void)user;
    return kin__clock_read();
}

// Makes a profile for each node, next to those in use, so that nothing has changed when out of memory.
static bool prepare(kin_systems *systems, const kin_clock *clock, uint32_t window)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->nested != NULL) {
            if (prepare(node->nested, clock, window))
                continue;
            systems->memory.refused = node->nested->memory.refused;
            return false;
        }
        KIN_ASSERT(node->next_profile == NULL);
        node->next_profile = kin__profile_create(&systems->memory, clock, window, kin__node_roles(node));
        if (node->next_profile == NULL)
            return false;
    }
    return true;
}

// Puts the new profiles in use and destroys the old ones, or destroys the new ones.
static void finish(kin_systems *systems, bool is_complete)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->nested != NULL) {
            finish(node->nested, is_complete);
            continue;
        }
        kin__profile *unused = is_complete ? node->profile : node->next_profile;
        node->profile = is_complete ? node->next_profile : node->profile;
        node->next_profile = NULL;
        kin__profile_destroy(&systems->memory, unused);
    }
}

kin_status kin_systems_profile(kin_systems *systems, const kin_clock *clock, uint32_t window)
{
    static const kin_clock standard = {read_clock, NULL};
    const char *reason = NULL;
    if (systems == NULL)
        reason = "there is no collection; check what creating it returned";
    else if (kin__systems_are_running(systems))
        reason = "they are running; begin and end to measure them afterwards";
    else if (clock != NULL && clock->now == NULL)
        reason = "the clock has no function; give one, or no clock for that of the machine";
    if (reason != NULL)
        return kin__systems_refuse(systems, KIN_ERROR_INVALID, "measure systems", reason);
    bool is_complete = window == 0 || prepare(systems, clock != NULL ? clock : &standard, window);
    finish(systems, is_complete);
    return is_complete ? KIN_OK : kin__systems_refuse(systems, KIN_ERROR_NO_MEMORY, "measure systems", NULL);
}

kin_status kin_systems_timing(const kin_systems *systems, const char *name, kin_role role, kin_timing *timing)
{
    const char *verb = "say what time a system takes", *reason = NULL;
    if (timing == NULL)
        return kin__systems_refuse(systems, KIN_ERROR_INVALID, verb, "there is no place for the answer; give one");
    const kin__node *node = kin__systems_find_or_refuse(systems, name, verb);
    *timing = (kin_timing){0};
    if (node == NULL)
        return KIN_ERROR_INVALID;
    if (node->profile == NULL)
        reason = "it is not measured; begin with kin_systems_profile, and ask for systems, not for collections";
    else if ((uint32_t)role >= KIN_ROLE_COUNT || node->profile->times[role].ring == NULL)
        reason = "it has no such role; ask for one that it has a function for";
    if (reason != NULL)
        return kin__systems_refuse(systems, KIN_ERROR_INVALID, verb, reason);
    *timing = kin__profile_timing(node->profile, role);
    return KIN_OK;
}
