// The work on hand-written arrays: what a programmer who knows the components would write. One array a component by
// slot, a mask and a generation for each slot, and nothing that is general: no errors, no events, no stable addresses.

#include "side.h"
#include "workload.h"

#include <stdlib.h>
#include <string.h>

enum { HAS_POSITION = 1, HAS_VELOCITY = 2, HAS_DATA = 4, HAS_FROZEN = 8 };

typedef uint64_t handle; // generation << 32 | slot

typedef struct slot {
    uint32_t generation, mask;
} slot;

typedef struct world {
    uint32_t count, top, free_count;
    slot *slots;
    uint32_t *free;
    Position *positions;
    Velocity *velocities;
    Data *data;
    handle *handles, *shuffled;
    uint64_t sum;
} world;

static uint32_t slot_of(handle handle)
{
    return (uint32_t)handle;
}

static bool is_alive(const world *world, handle handle)
{
    return world->slots[slot_of(handle)].generation == (uint32_t)(handle >> 32);
}

static handle create_entity(world *world)
{
    uint32_t number = world->free_count > 0 ? world->free[--world->free_count] : world->top++;
    world->slots[number].mask = 0;
    return (handle)world->slots[number].generation << 32 | number;
}

static void destroy_entity(world *world, handle handle)
{
    if (!is_alive(world, handle))
        return;
    world->slots[slot_of(handle)].generation++;
    world->slots[slot_of(handle)].mask = 0;
    world->free[world->free_count++] = slot_of(handle);
}

static inline void create_moving(world *world, uint32_t i)
{
    handle made = create_entity(world);
    world->positions[slot_of(made)] = workload_position(i);
    world->slots[slot_of(made)].mask |= HAS_POSITION;
    world->velocities[slot_of(made)] = workload_velocity(i);
    world->slots[slot_of(made)].mask |= HAS_VELOCITY;
    world->handles[i] = made;
}

static void *create_world(uint32_t count)
{
    world *made = calloc(1, sizeof *made);
    uint32_t *order = malloc(count * sizeof *order);
    made->count = count;
    made->slots = calloc(count, sizeof *made->slots);
    made->free = calloc(count, sizeof *made->free);
    made->positions = calloc(count, sizeof *made->positions);
    made->velocities = calloc(count, sizeof *made->velocities);
    made->data = calloc(count, sizeof *made->data);
    made->handles = calloc(count, sizeof *made->handles);
    made->shuffled = calloc(count, sizeof *made->shuffled);
    workload_shuffle(order, count);
    for (uint32_t i = 0; i < count; i++)
        create_moving(made, i);
    for (uint32_t i = 0; i < count; i++)
        made->shuffled[i] = made->handles[order[i]];
    free(order);
    return made;
}

static void destroy_world(void *user)
{
    world *world = user;
    free(world->slots);
    free(world->free);
    free(world->positions);
    free(world->velocities);
    free(world->data);
    free(world->handles);
    free(world->shuffled);
    free(world);
}

static uint64_t sum_of_work(void *user)
{
    return ((world *)user)->sum;
}

static uint64_t sum_of_values(void *user)
{
    const world *world = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++)
        sum += workload_position_sum(&world->positions[i]) + workload_velocity_sum(&world->velocities[i]);
    return sum;
}

// ---- k.tag

static void *create_with_data(uint32_t count)
{
    world *made = create_world(count);
    for (uint32_t i = 0; i < count; i++) {
        made->data[i].v = 1.0f;
        made->slots[i].mask |= HAS_DATA;
    }
    return made;
}

static void toggle_flags(void *user)
{
    world *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        if (is_alive(world, world->handles[i]))
            world->slots[slot_of(world->handles[i])].mask |= HAS_FROZEN;
    __asm__ volatile("" ::: "memory");
    for (uint32_t i = 0; i < world->count; i++)
        if (is_alive(world, world->handles[i]))
            world->slots[slot_of(world->handles[i])].mask &= ~(uint32_t)HAS_FROZEN;
}

// ---- i

static void get_at_random(void *user)
{
    world *world = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++) {
        handle wanted = world->shuffled[i];
        if (is_alive(world, wanted) && (world->slots[slot_of(wanted)].mask & HAS_POSITION) != 0)
            sum += (uint64_t)(int)world->positions[slot_of(wanted)].x;
    }
    world->sum = sum;
}

// ---- f

static void move(Position *restrict positions, const Velocity *restrict velocities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        positions[i].x += velocities[i].x * workload_step;
        positions[i].y += velocities[i].y * workload_step;
        positions[i].z += velocities[i].z * workload_step;
    }
}

static void move_all(void *user)
{
    world *world = user;
    move(world->positions, world->velocities, world->count);
}

// ---- b.warm

static void destroy_all(void *user)
{
    world *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        destroy_entity(world, world->handles[i]);
}

static void create_all(void *user)
{
    world *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        create_moving(world, i);
}

const side_row hand_rows[SIDE_ROWS] = {
    {"k.tag", "add and remove a flag", "pair", 20, 100, create_with_data, NULL, toggle_flags, sum_of_values,
     destroy_world},
    {"i", "get at random, checked", "get", 20, 100, create_world, NULL, get_at_random, sum_of_work, destroy_world},
    {"f", "iterate two components", "entity", 200, 100, create_world, NULL, move_all, sum_of_values, destroy_world},
    {"b.warm", "create with two, recycled", "entity", 1, 100, create_world, destroy_all, create_all, sum_of_values,
     destroy_world},
};
