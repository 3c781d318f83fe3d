// Groups that watch a component on hand-written arrays: a mask for each, and its members as a dense set that is kept
// up to date. Nobody is told.

#include "side.h"
#include "workload.h"

#include <stdlib.h>

enum { GROUPS = 32, HAS_HEALTH = 1, HAS_F0 = 2 }; // HAS_F0 << b is that of the b-th flag

typedef uint64_t handle; // generation << 32 | slot

typedef struct slot {
    uint32_t generation, mask;
} slot;

typedef struct set {
    uint32_t *members, *places, count; // places: by slot, counted from 1
} set;

typedef struct watch {
    uint32_t count;
    slot *slots;
    int32_t *health;
    handle *handles;
    uint32_t masks[GROUPS];
    set groups[GROUPS];
    uint64_t runs, sum;
} watch;

static uint32_t slot_of(handle handle)
{
    return (uint32_t)handle;
}

static bool is_alive(const watch *watch, handle handle)
{
    return watch->slots[slot_of(handle)].generation == (uint32_t)(handle >> 32);
}

static inline void set_add(set *set, uint32_t slot)
{
    if (set->places[slot] != 0)
        return;
    set->members[set->count++] = slot;
    set->places[slot] = set->count;
}

static inline void set_remove(set *set, uint32_t slot)
{
    uint32_t place = set->places[slot];
    if (place == 0)
        return;
    uint32_t last = set->members[--set->count];
    set->members[place - 1] = last;
    set->places[last] = place;
    set->places[slot] = 0;
}

static void *create_watch(uint32_t count)
{
    watch *made = calloc(1, sizeof *made);
    made->count = count;
    made->slots = calloc(count, sizeof *made->slots);
    made->health = calloc(count, sizeof *made->health);
    made->handles = calloc(count, sizeof *made->handles);
    for (uint32_t i = 0; i < count; i++) {
        made->handles[i] = i;
        made->slots[i].mask = i % GROUPS * HAS_F0;
    }
    for (uint32_t m = 0; m < GROUPS; m++) {
        made->masks[m] = HAS_HEALTH | m * HAS_F0;
        made->groups[m].members = calloc(count, sizeof *made->groups[m].members);
        made->groups[m].places = calloc(count, sizeof *made->groups[m].places);
    }
    return made;
}

static void destroy_watch(void *user)
{
    watch *watch = user;
    for (uint32_t m = 0; m < GROUPS; m++) {
        free(watch->groups[m].members);
        free(watch->groups[m].places);
    }
    free(watch->slots);
    free(watch->health);
    free(watch->handles);
    free(watch);
}

// ---- k, and l against it

static void toggle(void *user)
{
    watch *watch = user;
    for (uint32_t i = 0; i < watch->count; i++) {
        uint32_t slot = slot_of(watch->handles[i]);
        if (!is_alive(watch, watch->handles[i]))
            continue;
        watch->slots[slot].mask |= HAS_HEALTH;
        watch->health[slot] = workload_health(i);
    }
    __asm__ volatile("" ::: "memory");
    for (uint32_t i = 0; i < watch->count; i++)
        if (is_alive(watch, watch->handles[i]))
            watch->slots[slot_of(watch->handles[i])].mask &= ~(uint32_t)HAS_HEALTH;
}

static uint64_t nothing(void *user)
{
    (void)user;
    return 0;
}

// What the groups would have counted.
static uint64_t sum_of_matches(void *user)
{
    const watch *watch = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < watch->count; i++)
        for (uint32_t m = 0; m < GROUPS; m++)
            sum += ((watch->slots[i].mask | HAS_HEALTH) & watch->masks[m]) == watch->masks[m];
    return sum;
}

// ---- l, l2

static void toggle_watched(void *user)
{
    watch *watch = user;
    for (uint32_t i = 0; i < watch->count; i++) {
        uint32_t slot = slot_of(watch->handles[i]);
        if (!is_alive(watch, watch->handles[i]))
            continue;
        uint32_t mask = watch->slots[slot].mask |= HAS_HEALTH;
        watch->health[slot] = workload_health(i);
        for (uint32_t m = 0; m < GROUPS; m++)
            if ((mask & watch->masks[m]) == watch->masks[m])
                set_add(&watch->groups[m], slot);
    }
    watch->sum = 0;
    for (uint32_t m = 0; m < GROUPS; m++)
        watch->sum += watch->groups[m].count;
    for (uint32_t i = 0; i < watch->count; i++) {
        uint32_t slot = slot_of(watch->handles[i]);
        if (!is_alive(watch, watch->handles[i]))
            continue;
        uint32_t mask = watch->slots[slot].mask;
        watch->slots[slot].mask &= ~(uint32_t)HAS_HEALTH;
        for (uint32_t m = 0; m < GROUPS; m++)
            if ((mask & watch->masks[m]) == watch->masks[m])
                set_remove(&watch->groups[m], slot);
    }
    for (uint32_t m = 0; m < GROUPS; m++)
        watch->sum += watch->groups[m].count;
    watch->runs++;
}

static uint64_t sum_of_counts(void *user)
{
    return ((watch *)user)->sum;
}

// With the calls that listeners would have had.
static uint64_t sum_of_counts_and_calls(void *user)
{
    const watch *watch = user;
    return watch->sum + watch->runs * watch->sum * 2;
}

const side_row hand_watch_rows[SIDE_WATCH_ROWS] = {
    {"k", "add and remove a component", "pair", 20, 100, create_watch, NULL, toggle, nothing, destroy_watch},
    {"l", "32 groups watch", "pair", 1, 100, create_watch, NULL, toggle_watched, sum_of_counts, destroy_watch},
    {"l.k", "the same, by hand: none", "pair", 5, 100, create_watch, NULL, toggle, sum_of_matches, destroy_watch},
    {"l2", "32 groups with a listener", "pair", 1, 100, create_watch, NULL, toggle_watched, sum_of_counts_and_calls,
     destroy_watch},
};
