// Reporting and collecting changes of a component on hand-written arrays: one listener, called through a pointer; a
// queue of changed entities, with a byte for each slot that marks queued ones.

#include "side.h"
#include "store.h"

typedef struct react {
    hand_world base;
    uint32_t changed, queued;
    uint8_t *dirty;
    hand_entity *queue;
    uint64_t calls;
} react;

static void (*volatile listener)(react *react, hand_entity entity, const Health *health);

__attribute__((noinline)) static void count_health(react *react, hand_entity entity, const Health *health)
{
    (void)entity;
    react->calls++;
    react->base.sum += (uint64_t)health->hp;
}

static react *create_react(uint32_t count, uint32_t changed)
{
    hand_world *world = hand_world_create(count);
    react *made = calloc(1, sizeof *made);
    made->base = *world;
    free(world);
    made->changed = changed;
    made->dirty = calloc(count, 1);
    made->queue = calloc(count, sizeof *made->queue);
    for (uint32_t i = 0; i < count; i++) {
        made->base.handles[i] = hand_create(&made->base.store);
        hand_add_position(&made->base.store, made->base.handles[i], workload_position(i));
        hand_add_velocity(&made->base.store, made->base.handles[i], workload_velocity(i));
        hand_add_health(&made->base.store, made->base.handles[i], workload_health(i));
    }
    hand_world_shuffle(&made->base);
    listener = count_health;
    return made;
}

static void destroy_react(void *user)
{
    react *react = user;
    free(react->dirty);
    free(react->queue);
    hand_world_destroy(user);
}

static uint64_t sum_of_calls(void *user)
{
    const react *react = user;
    return react->base.sum + react->calls * 5;
}

// ---- m

static void *create_whole(uint32_t count)
{
    return create_react(count, count);
}

static void replace_all(void *user)
{
    react *react = user;
    const hand_store *store = &react->base.store;
    for (uint32_t i = 0; i < react->base.count; i++) {
        hand_entity entity = react->base.handles[i];
        if (!hand_is_alive(store, entity))
            continue;
        Health *health = &store->healths[hand_slot_of(entity)];
        health->hp = health->hp + 1;
        listener(react, entity, health);
    }
}

// ---- n1, n10, n100

static void *create_hundredth(uint32_t count)
{
    return create_react(count, workload_share(count, 1));
}

static void *create_tenth(uint32_t count)
{
    return create_react(count, workload_share(count, 10));
}

static void change(react *react, uint32_t count)
{
    const hand_store *store = &react->base.store;
    for (uint32_t i = 0; i < count; i++) {
        hand_entity entity = react->base.shuffled[i];
        if (!hand_is_alive(store, entity))
            continue;
        uint32_t slot = hand_slot_of(entity);
        store->healths[slot].hp++;
        if (!react->dirty[slot]) {
            react->dirty[slot] = 1;
            react->queue[react->queued++] = entity;
        }
    }
}

static void change_and_drain(void *user)
{
    react *react = user;
    change(react, react->changed);
    change(react, react->changed / 4);
    for (uint32_t i = 0; i < react->queued; i++) {
        uint32_t slot = hand_slot_of(react->queue[i]);
        react->dirty[slot] = 0;
        react->base.sum += (uint64_t)react->base.store.healths[slot].hp;
        react->calls++;
    }
    react->queued = 0;
}

const side_work hand_react_works[] = {
    {"m", create_whole, NULL, replace_all, sum_of_calls, destroy_react},
    {"n1", create_hundredth, NULL, change_and_drain, sum_of_calls, destroy_react},
    {"n10", create_tenth, NULL, change_and_drain, sum_of_calls, destroy_react},
    {"n100", create_whole, NULL, change_and_drain, sum_of_calls, destroy_react},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
