// Turns: times the plain loop and the pieces alternately.
#ifndef KIN_BENCH_TURNS_H
#define KIN_BENCH_TURNS_H

#include "flight.h"

typedef struct turns_side {
    double median, least; // microseconds a loop
} turns_side;

typedef struct turns_result {
    turns_side plain, pieces;
    double ratio; // of pieces to plain: the median of the turns
    bool agree;   // both left the same values
} turns_result;

turns_result turns_measure(flight_loop loop, uint32_t entities, const kin_executor *executor);

// Returns the median of `count` values, which it sorts.
double turns_median(double *values, uint32_t count);
// Nanoseconds of a monotonic clock.
double turns_now(void);
uint32_t turns_processors(void);

#endif
