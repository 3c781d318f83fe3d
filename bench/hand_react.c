// Telling and collecting changes of a component on hand-written arrays: one listener, called through a pointer; a
// queue of the entities that changed, with a byte for each slot that says whether it is in it.

#include "side.h"
#include "workload.h"

#include <stdlib.h>

typedef uint64_t handle; // generation << 32 | slot

typedef struct react {
    uint32_t count, changed, queued;
    uint32_t *generations;
    int32_t *health;
    uint8_t *dirty;
    handle *handles, *shuffled, *queue;
    uint64_t calls, sum;
} react;

static void (*volatile listener)(react *react, handle entity, const int32_t *health);

static uint32_t slot_of(handle handle)
{
    return (uint32_t)handle;
}

static bool is_alive(const react *react, handle handle)
{
    return react->generations[slot_of(handle)] == (uint32_t)(handle >> 32);
}

__attribute__((noinline)) static void count_health(react *react, handle entity, const int32_t *health)
{
    (void)entity;
    react->calls++;
    react->sum += (uint64_t)*health;
}

static react *create_react(uint32_t count, uint32_t changed)
{
    react *made = calloc(1, sizeof *made);
    uint32_t *order = malloc(count * sizeof *order);
    made->count = count;
    made->changed = changed;
    made->generations = calloc(count, sizeof *made->generations);
    made->health = calloc(count, sizeof *made->health);
    made->dirty = calloc(count, 1);
    made->handles = calloc(count, sizeof *made->handles);
    made->shuffled = calloc(count, sizeof *made->shuffled);
    made->queue = calloc(count, sizeof *made->queue);
    workload_shuffle(order, count);
    for (uint32_t i = 0; i < count; i++) {
        made->handles[i] = i;
        made->shuffled[i] = order[i];
        made->health[i] = workload_health(i);
    }
    free(order);
    listener = count_health;
    return made;
}

static void destroy_react(void *user)
{
    react *react = user;
    free(react->generations);
    free(react->health);
    free(react->dirty);
    free(react->handles);
    free(react->shuffled);
    free(react->queue);
    free(react);
}

static uint64_t sum_of_calls(void *user)
{
    const react *react = user;
    return react->sum + react->calls * 5;
}

// ---- m

static void *create_listened(uint32_t count)
{
    return create_react(count, count);
}

static void replace_all(void *user)
{
    react *react = user;
    for (uint32_t i = 0; i < react->count; i++) {
        handle entity = react->handles[i];
        if (!is_alive(react, entity))
            continue;
        int32_t *health = &react->health[slot_of(entity)];
        *health += 1;
        listener(react, entity, health);
    }
}

// ---- n1, n10, n100

static void *create_hundredth(uint32_t count)
{
    return create_react(count, count / 100);
}

static void *create_tenth(uint32_t count)
{
    return create_react(count, count / 10);
}

static void change(react *react, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        handle entity = react->shuffled[i];
        if (!is_alive(react, entity))
            continue;
        uint32_t slot = slot_of(entity);
        react->health[slot]++;
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
        uint32_t slot = slot_of(react->queue[i]);
        react->dirty[slot] = 0;
        react->sum += (uint64_t)react->health[slot];
        react->calls++;
    }
    react->queued = 0;
}

const side_row hand_react_rows[SIDE_REACT_ROWS] = {
    {"m", "replace, one listener", "replace", 20, 100, create_listened, NULL, replace_all, sum_of_calls, destroy_react},
    {"n1", "change 1 %, collect, drain", "changed", 200, 1, create_hundredth, NULL, change_and_drain, sum_of_calls,
     destroy_react},
    {"n10", "change 10 %, collect, drain", "changed", 20, 10, create_tenth, NULL, change_and_drain, sum_of_calls,
     destroy_react},
    {"n100", "change all, collect, drain", "changed", 2, 100, create_listened, NULL, change_and_drain, sum_of_calls,
     destroy_react},
};
