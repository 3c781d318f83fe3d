// Rally: parallel systems of a world, and command buffers.
#ifndef KIN_BENCH_RALLY_H
#define KIN_BENCH_RALLY_H

#include <kin/executor.h>
#include <stdbool.h>
#include <stdint.h>

// Times of both sides of a row, in microseconds, and the median of the ratios of the turns.
typedef struct rally_result {
    double plain, other, ratio;
    bool agree; // both left the same values
} rally_result;

// A parallel system against the same one that is not, on `cars` entities.
rally_result rally_split(uint32_t cars, const kin_executor *executor);

// Two systems side by side against one after the other, 15 and 7.5 microseconds.
rally_result rally_beside(const kin_executor *executor);

// What is done to each of 10,000 cars, directly or by commands.
typedef enum rally_orders {
    RALLY_REPLACE,
    RALLY_FLAG,
    RALLY_MIX, // replaces, adds and removes, and flags
} rally_orders;

// Parts of the work with commands.
typedef enum rally_part { RALLY_RECORD, RALLY_PLAY, RALLY_BOTH } rally_part;

// Commands against direct calls, both with the loop over the group; a play has none.
rally_result rally_commands(rally_orders orders, rally_part part);

#endif
