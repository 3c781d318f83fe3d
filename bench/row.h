// Row: a measurement: the work of each side, how often it runs, its numbers of entities, and the bar, the largest ratio
// allowed.
//
// Both works of a row have the same result. Some rows compare with the hand-written work of another row (destroying in
// bulk with destroying one by one), because no other way exists by hand. The rows of relations compare Kin with
// relations to Kin without.
#ifndef KIN_BENCH_ROW_H
#define KIN_BENCH_ROW_H

#include <stdint.h>

enum { ROW_ENTITIES = 10000, ROW_SIZES = 6 };

// The sizes of row_sizes at which a row is measured.
typedef enum row_scale {
    ROW_1K = 1,
    ROW_10K = 2,
    ROW_50K = 4,
    ROW_100K = 8,
    ROW_1M = 16,
    ROW_10M = 32,
    ROW_ALL = ROW_1K | ROW_10K | ROW_100K | ROW_1M,
    ROW_LARGE = ROW_ALL | ROW_10M
} row_scale;

typedef enum row_measure { ROW_RATIO, ROW_NANOSECONDS } row_measure;

typedef struct row {
    const char *id, *what, *unit;
    const char *hand, *kin; // works
    uint32_t passes;        // runs of a turn with ROW_ENTITIES: enough to be measured precisely
    uint32_t share, calls;  // a run is `calls` operations, each on count / share entities; share 0: `calls` alone
    uint32_t scale;         // row_scale
    row_measure measure;
    double bar;  // the largest ratio allowed; 0: none
    double peer; // the best ratio of other libraries; 0: none
} row;

extern const row rows[]; // the last has no id
extern const uint32_t row_sizes[ROW_SIZES];

// Returns the number of entities that the bar is for: ROW_ENTITIES, or the smallest of a row that lacks it.
uint32_t row_count(const row *row);
// Returns the number of operations of a run, for figures per operation.
double row_operations(const row *row, uint32_t count);
// Return the number of runs in a turn, and the number of timed turns.
uint32_t row_passes(const row *row, uint32_t count);
uint32_t row_turns(uint32_t count);

#endif
