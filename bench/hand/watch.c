// Groups that watch a component on hand-written arrays: each group is a mask and a set of members that is kept up to
// date, without notifications.

#include "side.h"
#include "store.h"

typedef struct watch {
    hand_world base;
    uint32_t masks[WORKLOAD_GROUPS];
    hand_set groups[WORKLOAD_GROUPS];
    uint64_t runs;
} watch;

static void *create_watch(uint32_t count)
{
    hand_world *world = hand_world_create(count);
    watch *made = calloc(1, sizeof *made);
    made->base = *world;
    free(world);
    for (uint32_t i = 0; i < count; i++) {
        hand_entity entity = made->base.handles[i] = hand_create(&made->base.store);
        hand_add_position(&made->base.store, entity, workload_position(i));
        hand_add_velocity(&made->base.store, entity, workload_velocity(i));
        hand_add_data(&made->base.store, entity, 1.0f);
        made->base.store.slots[hand_slot_of(entity)].mask |= i % WORKLOAD_GROUPS * HAND_F0;
    }
    for (uint32_t m = 0; m < WORKLOAD_GROUPS; m++) {
        made->masks[m] = HAND_HEALTH | m * HAND_F0;
        hand_set_create(&made->groups[m], count);
    }
    return made;
}

static void destroy_watch(void *user)
{
    watch *watch = user;
    for (uint32_t m = 0; m < WORKLOAD_GROUPS; m++)
        hand_set_release(&watch->groups[m]);
    hand_world_destroy(user);
}

// ---- l.none: the cost without any group

static void toggle(void *user)
{
    hand_world *world = user;
    hand_store *store = &world->store;
    for (uint32_t i = 0; i < world->count; i++)
        if (hand_is_alive(store, world->handles[i]))
            hand_add_health(store, world->handles[i], workload_health(i));
    WORKLOAD_BARRIER();
    for (uint32_t i = 0; i < world->count; i++)
        if (hand_is_alive(store, world->handles[i]))
            store->slots[hand_slot_of(world->handles[i])].mask &= ~(uint32_t)HAND_HEALTH;
}

// Returns the sum of the member counts that the groups would have.
static uint64_t sum_of_matches(void *user)
{
    const watch *watch = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < watch->base.count; i++)
        for (uint32_t m = 0; m < WORKLOAD_GROUPS; m++)
            sum += ((watch->base.store.slots[i].mask | HAND_HEALTH) & watch->masks[m]) == watch->masks[m];
    return sum;
}

// ---- l.sets and l2: sets of members

static void enter(watch *watch, hand_entity entity, uint32_t i)
{
    hand_store *store = &watch->base.store;
    if (!hand_is_alive(store, entity))
        return;
    hand_add_health(store, entity, workload_health(i));
    uint32_t slot = hand_slot_of(entity), mask = store->slots[slot].mask;
    for (uint32_t m = 0; m < WORKLOAD_GROUPS; m++)
        if ((mask & watch->masks[m]) == watch->masks[m])
            hand_set_add(&watch->groups[m], slot);
}

static void leave(watch *watch, hand_entity entity)
{
    hand_store *store = &watch->base.store;
    if (!hand_is_alive(store, entity))
        return;
    uint32_t slot = hand_slot_of(entity), mask = store->slots[slot].mask;
    store->slots[slot].mask &= ~(uint32_t)HAND_HEALTH;
    for (uint32_t m = 0; m < WORKLOAD_GROUPS; m++)
        if ((mask & watch->masks[m]) == watch->masks[m])
            hand_set_remove(&watch->groups[m], slot);
}

static uint64_t sum_of_sets(const watch *watch)
{
    uint64_t sum = 0;
    for (uint32_t m = 0; m < WORKLOAD_GROUPS; m++)
        sum += watch->groups[m].count;
    return sum;
}

static void toggle_watched(void *user)
{
    watch *watch = user;
    for (uint32_t i = 0; i < watch->base.count; i++)
        enter(watch, watch->base.handles[i], i);
    watch->base.sum = sum_of_sets(watch);
    for (uint32_t i = 0; i < watch->base.count; i++)
        leave(watch, watch->base.handles[i]);
    watch->base.sum += sum_of_sets(watch);
    watch->runs++;
}

// Adds the number of calls that listeners would have received.
static uint64_t sum_of_counts_and_calls(void *user)
{
    const watch *watch = user;
    return watch->base.sum + watch->runs * watch->base.sum * 2;
}

const side_work hand_watch_works[] = {
    {"l.none", create_watch, NULL, toggle, sum_of_matches, destroy_watch},
    {"l.sets", create_watch, NULL, toggle_watched, hand_sum_of_work, destroy_watch},
    {"l2", create_watch, NULL, toggle_watched, sum_of_counts_and_calls, destroy_watch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
