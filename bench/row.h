// Row: what is measured: which work on each side, how often, of how many entities, and the bar that it is held to.
//
// Both works of a row do the same; now and then the yardstick is another row's work (destroying in bulk against
// destroying one by one), because there is no other way to do it by hand.
#ifndef KIN_BENCH_ROW_H
#define KIN_BENCH_ROW_H

#include <stdint.h>

enum { ROW_ENTITIES = 10000, ROW_SIZES = 5 };

// Which of row_sizes a row is measured at.
typedef enum row_scale {
    ROW_1K = 1,
    ROW_10K = 2,
    ROW_50K = 4,
    ROW_100K = 8,
    ROW_1M = 16,
    ROW_ALL = ROW_1K | ROW_10K | ROW_100K | ROW_1M
} row_scale;

typedef enum row_measure { ROW_RATIO, ROW_NANOSECONDS } row_measure;

typedef struct row {
    const char *id, *what, *unit;
    const char *hand, *kin; // works
    uint32_t passes;        // runs of a turn with ROW_ENTITIES, so that it takes long enough to be measured
    uint32_t share, calls;  // a run is `calls` operations, each on count / share entities; share 0: not by entities
    uint32_t scale;         // row_scale
    row_measure measure;
    double bar;  // at most this; 0: none
    double peer; // the best ratio of others by the same work on one machine; 0: none
} row;

extern const row rows[]; // the last has no id
extern const uint32_t row_sizes[ROW_SIZES];

// How many operations a run is, for figures by operation.
double row_operations(const row *row, uint32_t count);
// How many runs a turn has, and how many turns are timed.
uint32_t row_passes(const row *row, uint32_t count);
uint32_t row_turns(uint32_t count);

#endif
