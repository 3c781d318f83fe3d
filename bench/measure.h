// Measure: times a row on both sides.
//
// The sides alternate, hand, kin, hand, kin …, so that a slow phase of the machine affects both. A turn is prepared,
// which is not timed, and then run as often as the row defines. The first two turns warm up. The ratio is the median of
// the ratios of the turns. With ten million entities each side is in a process of its own.
#ifndef KIN_BENCH_MEASURE_H
#define KIN_BENCH_MEASURE_H

#include "row.h"
#include "side.h"

#include <stdbool.h>

typedef struct measure_side {
    double median, least; // nanoseconds per operation
} measure_side;

typedef struct measured {
    const row *row;
    uint32_t count, turns;
    measure_side hand, kin;
    double ratio;
    bool agree; // the checksums are the same
} measured;

measured measure_row(const row *row, uint32_t count);
// Measures one side alone in a new world of `count` entities. Returns nanoseconds per run.
measure_side measure_work(const side_work *work, uint32_t count, uint32_t passes, uint32_t turns);
// Return the figure that the row's bar limits, and whether it is within the bar; true without a bar.
double measure_figure(const measured *measured);
bool measure_is_met(const measured *measured);

#endif
