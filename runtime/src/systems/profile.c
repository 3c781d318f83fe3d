#include "systems/profile.h"

#include "base/assertion.h"

#include <stdlib.h>
#include <string.h>

kin__profile *kin__profile_create(kin__memory *memory, const kin_clock *clock, uint32_t window, kin__roles roles)
{
    size_t numbers = (size_t)window * (kin__count_bits(roles) + 1);
    size_t size = sizeof(kin__profile) + numbers * sizeof(uint64_t);
    KIN_ASSERT(window > 0);
    KIN_ASSERT(roles >> KIN_ROLE_COUNT == 0);
    kin__profile *profile = kin__allocate(memory, size);
    if (profile == NULL)
        return NULL;
    *profile = (kin__profile){.clock = *clock, .window = window, .size = size};
    profile->sorted = (uint64_t *)(void *)(profile + 1);
    uint64_t *ring = profile->sorted + window;
    for (uint32_t bits = roles; bits != 0; bits &= bits - 1, ring += window)
        profile->times[kin__lowest_bit(bits)].ring = ring;
    KIN_ASSERT((char *)ring == (char *)profile + size);
    return profile;
}

void kin__profile_destroy(kin__memory *memory, kin__profile *profile)
{
    if (profile == NULL)
        return;
    KIN_ASSERT(profile->next_tally == NULL);
    kin__tally_destroy(memory, profile->tally);
    kin__release(memory, profile, profile->size);
}

uint64_t kin__profile_start(const kin__profile *profile)
{
    if (profile->tally != NULL)
        kin__tally_begin(profile->tally);
    return profile->clock.now(profile->clock.user);
}

kin_counts kin__profile_counts(const kin__profile *profile)
{
    kin_counts none = {0};
    return profile != NULL && profile->tally != NULL ? profile->tally->sum : none;
}

void kin__profile_append(kin__profile *profile, kin_role role, uint64_t began)
{
    kin__times *times = &profile->times[role];
    KIN_ASSERT(times->ring != NULL);
    KIN_ASSERT(times->next < profile->window && times->count <= profile->window);
    times->last = profile->clock.now(profile->clock.user) - began;
    times->ring[times->next] = times->last;
    times->next = times->next + 1 == profile->window ? 0 : times->next + 1;
    times->count += times->count < profile->window;
    if (profile->tally != NULL)
        kin__tally_end(profile->tally);
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
