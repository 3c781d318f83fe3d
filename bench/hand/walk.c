// Iterating over hand-written dense arrays that hold only the values of one loop.

#include "side.h"
#include "workload.h"

#include <stdlib.h>

typedef struct walk {
    uint32_t count, moving; // entities, and those of them at the front that have a velocity
    Position *positions;
    Velocity *velocities;
    Data *data;
} walk;

static walk *create_walk(uint32_t count)
{
    walk *made = calloc(1, sizeof *made);
    made->count = made->moving = count;
    made->positions = calloc(count, sizeof *made->positions);
    made->velocities = calloc(count, sizeof *made->velocities);
    made->data = calloc(count, sizeof *made->data);
    return made;
}

static void destroy_walk(void *user)
{
    walk *walk = user;
    free(walk->positions);
    free(walk->velocities);
    free(walk->data);
    free(walk);
}

static uint64_t sum_of_positions(void *user)
{
    const walk *walk = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < walk->count; i++)
        sum += workload_position_sum(&walk->positions[i]);
    return sum;
}

static uint64_t sum_of_data(void *user)
{
    const walk *walk = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < walk->count; i++)
        sum += (uint64_t)walk->data[i].v;
    return sum;
}

// ---- e, f, h2

static void *create_moving(uint32_t count)
{
    walk *made = create_walk(count);
    for (uint32_t i = 0; i < count; i++) {
        made->positions[i] = workload_position(i);
        made->velocities[i] = workload_velocity(i);
    }
    return made;
}

__attribute__((noinline)) static void shift(Position *positions, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        positions[i].x += 1;
        positions[i].y += 1;
        positions[i].z += 1;
    }
}

static void shift_all(void *user)
{
    walk *walk = user;
    shift(walk->positions, walk->count);
}

__attribute__((noinline)) static void move(Position *restrict positions, const Velocity *restrict velocities,
                                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        positions[i].x += velocities[i].x * workload_step;
        positions[i].y += velocities[i].y * workload_step;
        positions[i].z += velocities[i].z * workload_step;
    }
}

static void move_all(void *user)
{
    walk *walk = user;
    move(walk->positions, walk->velocities, walk->moving);
}

// ---- g: the entities with both components come first

static void *create_halves(uint32_t count)
{
    walk *made = create_walk(count);
    made->moving = 0;
    for (uint32_t i = 0; i < count; i += 2) {
        made->positions[made->moving] = workload_position(i);
        made->velocities[made->moving++] = workload_velocity(i);
    }
    uint32_t next = made->moving;
    for (uint32_t i = 1; i < count; i += 2)
        made->positions[next++] = workload_position(i);
    return made;
}

// ---- h

static void *create_things(uint32_t count)
{
    walk *made = create_walk(count);
    for (uint32_t i = 0; i < count; i++)
        made->data[i].v = (float)(i & 1023);
    return made;
}

static void grow_all(void *user)
{
    walk *walk = user;
    for (uint32_t i = 0; i < walk->count; i++)
        walk->data[i].v += 1.0f;
}

const side_work hand_walk_works[] = {
    {"e", create_moving, NULL, shift_all, sum_of_positions, destroy_walk},
    {"f", create_moving, NULL, move_all, sum_of_positions, destroy_walk},
    {"g", create_halves, NULL, move_all, sum_of_positions, destroy_walk},
    {"h", create_things, NULL, grow_all, sum_of_data, destroy_walk},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
