// Workload: the content of the compared worlds. All values are small multiples of 0.25, so that float sums are exact
// and a checksum does not depend on the order of entities.
#ifndef KIN_BENCH_WORKLOAD_H
#define KIN_BENCH_WORKLOAD_H

#include "bench/bench.h"

#include <stdio.h>

// Prevents the compiler from moving memory accesses across it.
#define WORKLOAD_BARRIER() __asm__ volatile("" ::: "memory")

enum { WORKLOAD_NAME_SIZE = 16, WORKLOAD_GROUPS = 32, WORKLOAD_CALLS = 100 };

static const float workload_step = 0.25f;

static inline Position workload_position(uint32_t i)
{
    Position position = {(float)(i & 1023), (float)(i >> 3 & 511), (float)(i & 255)};
    return position;
}

static inline Velocity workload_velocity(uint32_t i)
{
    Velocity velocity = {(float)(int)(i % 7) - 3.0f, (float)(i % 5), 1.0f};
    return velocity;
}

static inline int32_t workload_health(uint32_t i)
{
    return 100 + (int32_t)(i % 50);
}

static inline uint64_t workload_position_sum(const Position *p)
{
    return (uint64_t)((int64_t)(p->x * 4) + 3 * (int64_t)(p->y * 4) + 7 * (int64_t)(p->z * 4));
}

static inline uint64_t workload_velocity_sum(const Velocity *v)
{
    return (uint64_t)((int64_t)(v->x * 4) + 11 * (int64_t)(v->y * 4) + 13 * (int64_t)(v->z * 4));
}

// xorshift64*; Vigna, 2014.
static inline uint32_t workload_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * 2685821657736338717u) >> 32);
}

static inline uint32_t workload_random_below(uint64_t *state, uint32_t end)
{
    return (uint32_t)(((uint64_t)workload_random(state) * end) >> 32);
}

// A distinct, scattered number for each entity, so that no hash table gets perfect keys: the last step of MurmurHash3.
static inline uint32_t workload_number(uint32_t i)
{
    i ^= i >> 16;
    i *= 0x85ebca6bu;
    i ^= i >> 13;
    i *= 0xc2b2ae35u;
    return i ^ i >> 16;
}

static inline void workload_name(char *name, uint32_t i)
{
    snprintf(name, WORKLOAD_NAME_SIZE, "player_%08x", workload_number(i));
}

// Fills `numbers` with the numbers below `count` in a shuffled order that is always the same.
static inline void workload_shuffle(uint32_t *numbers, uint32_t count)
{
    uint64_t state = 88172645463325252u;
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = i;
    for (uint32_t i = count - 1; i > 0; i--) {
        uint32_t other = workload_random_below(&state, i + 1), kept = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = kept;
    }
}

// Uses a value, so that the compiler cannot remove its computation.
static inline void workload_sink(uint64_t value)
{
    static volatile uint64_t sink;
    sink = sink + value;
}

// Returns a percentage of `count` entities, at least 1.
static inline uint32_t workload_share(uint32_t count, uint32_t per_cent)
{
    uint32_t share = (uint32_t)((uint64_t)count * per_cent / 100);
    return share == 0 ? 1 : share;
}

#endif
