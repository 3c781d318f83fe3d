// Moment: a context whose state both sides keep, Kin as snapshots and the yardstick as copies of its memory, and the
// frames that change it.
#ifndef KIN_BENCH_MOMENT_H
#define KIN_BENCH_MOMENT_H

#include "moments/moments.h"

enum { MOMENT_RING = 10, MOMENT_FRAMES = 8 };

typedef struct moment {
    army_context *army;
    army_entity *units;
    uint32_t count, at;              // `at`: the place in the ring that is written next
    kin_snapshot *ring[MOMENT_RING]; // of Kin
    char *copies[MOMENT_RING];       // of the yardstick
} moment;

// Creates a context with units, or with entities that have a key.
moment *moment_create_units(uint32_t count);
moment *moment_create_badges(uint32_t count);
void moment_destroy(void *moment);

// Changes the place of each unit, about half of the bytes of all values, or each value.
void moment_march(moment *moment);
void moment_change_half(moment *moment);
void moment_change_all(moment *moment);
// Gives each entity with a key another one.
void moment_change_keys(moment *moment);

uint64_t moment_sum(void *moment);

// Returns the next place of the ring.
uint32_t moment_next(moment *moment);

#endif
