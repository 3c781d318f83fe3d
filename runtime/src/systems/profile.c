#include "systems/profile.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

kin__profile *kin__profile_create(kin__memory *memory, const kin_clock *clock, uint32_t window, kin__roles roles)
{
    size_t numbers = (size_t)window * (kin__count_bits(roles) + 1);
    size_t size = sizeof(kin__profile) + KIN_ROLE_COUNT * sizeof(kin__times) + numbers * sizeof(uint64_t);
    KIN_ASSERT(window > 0);
    KIN_ASSERT(roles >> KIN_ROLE_COUNT == 0);
    kin__profile *profile = kin__allocate(memory, size);
    if (profile == NULL)
        return NULL;
    *profile = (kin__profile){.clock = *clock, .window = window, .size = size};
    profile->times = (kin__times *)(void *)(profile + 1);
    memset(profile->times, 0, KIN_ROLE_COUNT * sizeof *profile->times);
    profile->sorted = (uint64_t *)(void *)(profile->times + KIN_ROLE_COUNT);
    uint64_t *ring = profile->sorted + window;
    for (uint32_t bits = roles; bits != 0; bits &= bits - 1, ring += window)
        profile->times[kin__lowest_bit(bits)].ring = ring;
    KIN_ASSERT((char *)ring == (char *)profile + size);
    return profile;
}

void kin__profile_destroy(kin__memory *memory, kin__profile *profile)
{
    if (profile == NULL || profile->size == 0)
        return;
    KIN_ASSERT(profile->next_tally == NULL);
    kin__tally_destroy(memory, profile->tally);
    kin__release(memory, profile, profile->size);
}

static kin_call call_of(const kin__profile *profile, kin_role role, uint32_t step)
{
    kin_call call = profile->call;
    call.role = role;
    call.step = step;
    call.is_open = (profile->open >> role & 1) != 0;
    return call;
}

void kin__profile_enter(const kin__profile *profile, kin_role role, uint32_t step)
{
    if (profile->probe == NULL)
        return;
    kin_call call = call_of(profile, role, step);
    profile->probe->enter(profile->probe->user, &call);
}

void kin__profile_leave(const kin__profile *profile, kin_role role, uint32_t step, double share)
{
    if (profile->probe == NULL)
        return;
    kin_call call = call_of(profile, role, step);
    call.share = share;
    profile->probe->leave(profile->probe->user, &call);
}

uint64_t kin__profile_start(const kin__profile *profile, kin_role role)
{
    kin__profile_enter(profile, role, 0);
    if (profile->tally != NULL)
        kin__tally_begin(profile->tally);
    return profile->window == 0 ? 0 : profile->clock.now(profile->clock.user);
}

kin_counts kin__profile_counts(const kin__profile *profile)
{
    kin_counts none = {0};
    return profile != NULL && profile->tally != NULL ? profile->tally->sum : none;
}

static void append(kin__profile *profile, kin_role role, uint64_t began, double share)
{
    kin__times *times = &profile->times[role];
    KIN_ASSERT(times->ring != NULL);
    KIN_ASSERT(times->next < profile->window && times->count <= profile->window);
    times->last = profile->clock.now(profile->clock.user) - began;
    if (share < 1)
        times->last = (uint64_t)((double)times->last * share);
    times->ring[times->next] = times->last;
    times->next = times->next + 1 == profile->window ? 0 : times->next + 1;
    times->count += times->count < profile->window;
}

void kin__profile_append(kin__profile *profile, kin_role role, uint64_t began, double share)
{
    KIN_ASSERT(share >= 0 && share <= 1);
    if (profile->window > 0)
        append(profile, role, began, share);
    if (profile->tally != NULL)
        kin__tally_end(profile->tally);
    kin__profile_leave(profile, role, 0, share);
}

const char *kin_role_name(kin_role role)
{
    static const char *const names[KIN_ROLE_COUNT] = {"initialize", "start",        "execute", "leave", "enter",
                                                      "inbox",      "first_update", "update",  "draw",  "cleanup",
                                                      "tear_down",  "dispose",      "commands"};
    return (uint32_t)role < KIN_ROLE_COUNT ? names[role] : "unknown";
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
    KIN_ASSERT(times->ring != NULL);
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
