// Measure: times a row on both sides.
//
// In turns, hand, kin, hand, kin …, so that a slow phase of the machine meets both; a turn is prepared, not timed, and
// then run as often as the row says. The first two turns warm up. The ratio is the median of the turns' ratios.
#ifndef KIN_BENCH_MEASURE_H
#define KIN_BENCH_MEASURE_H

#include "row.h"
#include "side.h"

#include <stdbool.h>

typedef struct measure_side {
    double median, least; // nanoseconds an operation
} measure_side;

typedef struct measured {
    const row *row;
    uint32_t count, turns;
    measure_side hand, kin;
    double ratio;
    bool agree; // the checksums are the same
} measured;

measured measure_row(const row *row, uint32_t count);
// One side alone, a fresh world of `count` entities: nanoseconds a run.
measure_side measure_work(const side_work *work, uint32_t count, uint32_t passes, uint32_t turns);
// The figure that the row's bar is about, and whether it is met; also where there is no bar.
double measure_figure(const measured *measured);
bool measure_is_met(const measured *measured);

#endif
