// The count and the members of a group on hand-written arrays: a set that is always kept.

#include "side.h"
#include "store.h"

typedef struct halves {
    hand_world base;
    hand_set group;
} halves;

static void *create_halves(uint32_t count)
{
    hand_world *world = hand_world_create(count);
    halves *made = calloc(1, sizeof *made);
    made->base = *world;
    free(world);
    hand_set_create(&made->group, count);
    for (uint32_t i = 0; i < count; i++) {
        made->base.handles[i] = hand_create(&made->base.store);
        hand_add_position(&made->base.store, made->base.handles[i], workload_position(i));
        if (i % 2 != 0)
            continue;
        hand_add_velocity(&made->base.store, made->base.handles[i], workload_velocity(i));
        hand_set_add(&made->group, hand_slot_of(made->base.handles[i]));
    }
    return made;
}

static void destroy_halves(void *user)
{
    halves *halves = user;
    hand_set_release(&halves->group);
    hand_world_destroy(user);
}

static void read_members(halves *halves)
{
    const uint32_t *members = halves->group.members;
    uint32_t count = halves->group.count;
    WORKLOAD_BARRIER();
    halves->base.sum = count;
    workload_sink(count == 0 ? 0 : members[count - 1]);
}

static void count_and_read(void *user)
{
    for (uint32_t call = 0; call < WORKLOAD_CALLS; call++)
        read_members(user);
}

static void change_and_read(void *user)
{
    halves *halves = user;
    hand_store *store = &halves->base.store;
    uint32_t slot = hand_slot_of(halves->base.handles[0]);
    for (uint32_t call = 0; call < WORKLOAD_CALLS; call++) {
        store->slots[slot].mask ^= HAND_VELOCITY;
        if ((store->slots[slot].mask & HAND_VELOCITY) != 0) {
            store->velocities[slot] = workload_velocity(0);
            hand_set_add(&halves->group, slot);
        } else {
            hand_set_remove(&halves->group, slot);
        }
        read_members(halves);
    }
}

const side_work hand_group_works[] = {
    {"p", create_halves, NULL, count_and_read, hand_sum_of_work, destroy_halves},
    {"p2", create_halves, NULL, change_and_read, hand_sum_of_work, destroy_halves},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
