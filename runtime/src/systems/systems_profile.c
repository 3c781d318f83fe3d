// Profiling all systems of a collection, and counting the structural changes that they make.

#include "base/base.h"
#include "store/store.h"
#include "systems/systems.h"

#include <stdio.h>
#include <string.h>

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

// Puts the new profile of a node in use, or none. The probe stays.
static void replace(kin__node *node)
{
    kin__profile *old = node->profile, *next = node->next_profile;
    if (old != NULL && old->probe != NULL) {
        next = next != NULL ? next : &node->untimed;
        next->probe = old->probe;
        next->call = old->call;
    }
    node->profile = next;
    kin__profile_destroy(&node->owner->memory, old);
}

// Puts the new profiles in use and destroys the old ones, or destroys the new ones.
static void finish(kin_systems *systems, bool is_complete)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->nested != NULL) {
            finish(node->nested, is_complete);
            continue;
        }
        if (is_complete)
            replace(node);
        else
            kin__profile_destroy(&systems->memory, node->next_profile);
        node->next_profile = NULL;
    }
}

kin_status kin_systems_profile(kin_systems *systems, const kin_clock *clock, uint32_t window)
{
    static const kin_clock standard = {read_clock, NULL};
    const char *reason = NULL;
    if (systems == NULL)
        reason = "the collection is NULL; check the result of the call that created it";
    else if (kin__systems_are_running(systems))
        reason = "they are running; start or stop profiling after the run";
    else if (clock != NULL && clock->now == NULL)
        reason = "the clock has no function; set one, or pass NULL to use the clock of the system";
    if (reason != NULL)
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, "profile systems", reason);
    bool is_complete = window == 0 || prepare(systems, clock != NULL ? clock : &standard, window);
    finish(systems, is_complete);
    return is_complete ? KIN_OK : kin__systems_report_error(systems, KIN_ERROR_NO_MEMORY, "profile systems", NULL);
}

// Formats "execute, inbox", with the roles of a profiled system.
static void list_roles(const kin__profile *profile, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t role = 0; role < KIN_ROLE_COUNT && used < size; role++)
        if (profile->times[role].ring != NULL)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", kin_role_name((kin_role)role));
}

// Formats why the timing of a role cannot be returned; returns false if it can.
static bool find_timing_fault(const kin__node *node, kin_role role, char *reason, size_t size)
{
    char name[KIN__ESCAPED_SIZE], roles[192];
    const char *shown = node->nested != NULL ? node->nested->name : node->name;
    shown = shown == NULL ? "unnamed" : kin__escape(name, shown, strlen(shown));
    if (node->nested != NULL) {
        snprintf(reason, size, "'%s' is a collection; name one of its systems", shown);
        return true;
    }
    if (!kin__profile_is_timed(node->profile)) {
        snprintf(reason, size, "'%s' is not profiled; call kin_systems_profile first", shown);
        return true;
    }
    if ((uint32_t)role < KIN_ROLE_COUNT && node->profile->times[role].ring != NULL)
        return false;
    list_roles(node->profile, roles, sizeof roles);
    snprintf(reason, size, "'%s' does not have the role %s; its roles are %s", shown, kin_role_name(role),
             roles[0] != '\0' ? roles : "none");
    return true;
}

kin_status kin_systems_timing(const kin_systems *systems, const char *name, kin_role role, kin_timing *timing)
{
    const char *verb = "get the timing of a system";
    char reason[KIN__ESCAPED_SIZE + 320];
    if (timing == NULL)
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, verb,
                                         "the timing is NULL; pass a pointer to a kin_timing");
    const kin__node *node = kin__systems_find_or_report(systems, name, verb);
    *timing = (kin_timing){0};
    if (node == NULL)
        return KIN_ERROR_INVALID;
    if (find_timing_fault(node, role, reason, sizeof reason))
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, verb, reason);
    *timing = kin__profile_timing(node->profile, role);
    return KIN_OK;
}

// ---- structural changes

// Returns whether all systems are profiled.
static bool are_profiled(const kin_systems *systems)
{
    for (const kin__node *node = systems->first; node != NULL; node = node->next)
        if (node->nested != NULL ? !are_profiled(node->nested) : !kin__profile_is_timed(node->profile))
            return false;
    return true;
}

// Makes a tally for each system, next to those in use, so that nothing has changed when out of memory.
static bool prepare_tallies(kin_systems *systems, kin_context *const *contexts, uint32_t count)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->nested != NULL) {
            if (prepare_tallies(node->nested, contexts, count))
                continue;
            systems->memory.refused = node->nested->memory.refused;
            return false;
        }
        node->profile->next_tally = kin__tally_create(&systems->memory, contexts, count);
        if (node->profile->next_tally == NULL)
            return false;
    }
    return true;
}

// Puts the new tallies in use and destroys the old ones, or destroys the new ones.
static void finish_tallies(kin_systems *systems, bool is_complete)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->nested != NULL) {
            finish_tallies(node->nested, is_complete);
            continue;
        }
        kin__profile *profile = node->profile;
        if (profile == NULL)
            continue;
        kin__tally *unused = is_complete ? profile->tally : profile->next_tally;
        profile->tally = is_complete ? profile->next_tally : profile->tally;
        profile->next_tally = NULL;
        kin__tally_destroy(&systems->memory, unused);
    }
}

static const char *find_count_fault(const kin_systems *systems, kin_context *const *contexts, uint32_t count)
{
    if (systems == NULL)
        return "the collection is NULL; check the result of the call that created it";
    if (kin__systems_are_running(systems))
        return "they are running; start or stop counting after the run";
    if (count > 0 && !are_profiled(systems))
        return "they are not profiled; call kin_systems_profile first";
    for (uint32_t i = 0; i < count; i++)
        if (contexts == NULL || contexts[i] == NULL)
            return "a context is NULL; check the result of the call that created it";
    return NULL;
}

kin_status kin_systems_count_changes(kin_systems *systems, kin_context *const *contexts, uint32_t count)
{
    const char *verb = "count the changes of systems", *reason = find_count_fault(systems, contexts, count);
    if (reason != NULL)
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, verb, reason);
    bool is_complete = count == 0 || prepare_tallies(systems, contexts, count);
    finish_tallies(systems, is_complete);
    return is_complete ? KIN_OK : kin__systems_report_error(systems, KIN_ERROR_NO_MEMORY, verb, NULL);
}
