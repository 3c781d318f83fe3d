#include "systems/profile.h"

#include "base/assertion.h"
#include "base/clock.h"
#include "report/error.h"
#include "systems/systems.h"

#include <stdlib.h>
#include <string.h>

static uint64_t read_clock(void *user)
{
    (void)user;
    return kin__clock_read();
}

// ---- one system

kin__profile *kin__profile_create(kin__memory *memory, const kin_clock *clock, uint32_t window, kin__roles roles)
{
    size_t numbers = (size_t)window * (kin__count_bits(roles) + 1);
    size_t size = sizeof(kin__profile) + numbers * sizeof(uint64_t);
    kin__profile *profile = kin__allocate(memory, size);
    if (profile == NULL)
        return NULL;
    *profile = (kin__profile){.clock = *clock, .window = window, .size = size};
    profile->sorted = (uint64_t *)(void *)(profile + 1);
    uint64_t *ring = profile->sorted + window;
    for (uint32_t bits = roles; bits != 0; bits &= bits - 1, ring += window)
        profile->times[kin__lowest_bit(bits)].ring = ring;
    return profile;
}

void kin__profile_destroy(kin__memory *memory, kin__profile *profile)
{
    if (profile != NULL)
        kin__release(memory, profile, profile->size);
}

void kin__profile_append(kin__profile *profile, kin_role role, uint64_t began)
{
    kin__times *times = &profile->times[role];
    KIN_ASSERT(times->ring != NULL);
    times->last = profile->clock.now(profile->clock.user) - began;
    times->ring[times->next] = times->last;
    times->next = times->next + 1 == profile->window ? 0 : times->next + 1;
    times->count += times->count < profile->window;
}

static int compare_numbers(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

kin_timing kin__profile_timing(const kin__profile *profile, kin_role role)
{
    const kin__times *times = &profile->times[role];
    uint32_t count = times->count;
    if (count == 0)
        return (kin_timing){0};
    uint64_t sum = 0, *sorted = profile->sorted;
    memcpy(sorted, times->ring, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    for (uint32_t i = 0; i < count; i++)
        sum += sorted[i];
    return (kin_timing){.last = times->last,
                        .average = sum / count,
                        .minimum = sorted[0],
                        .maximum = sorted[count - 1],
                        .p99 = sorted[((uint64_t)count * 99 + 99) / 100 - 1],
                        .count = count};
}

// ---- all of a collection

// Makes what measuring needs beside what is in use, so that nothing has changed without memory.
static bool prepare(kin_systems *systems, const kin_clock *clock, uint32_t window)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->nested != NULL) {
            if (prepare(node->nested, clock, window))
                continue;
            systems->memory.refused = node->nested->memory.refused;
            return false;
        }
        node->next_profile = kin__profile_create(&systems->memory, clock, window, kin__node_roles(node));
        if (node->next_profile == NULL)
            return false;
    }
    return true;
}

// Puts it in use, or gives it back.
static void finish(kin_systems *systems, bool is_whole)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->nested != NULL) {
            finish(node->nested, is_whole);
            continue;
        }
        kin__profile *given_back = is_whole ? node->profile : node->next_profile;
        node->profile = is_whole ? node->next_profile : node->profile;
        node->next_profile = NULL;
        kin__profile_destroy(&systems->memory, given_back);
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
    bool is_whole = window == 0 || prepare(systems, clock != NULL ? clock : &standard, window);
    finish(systems, is_whole);
    return is_whole ? KIN_OK : kin__systems_refuse(systems, KIN_ERROR_NO_MEMORY, "measure systems", NULL);
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
