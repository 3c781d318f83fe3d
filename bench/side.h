// Side: one of the two programs that do the same work, on hand-written arrays or on Kin.
//
// A row is measured in turns, hand, kin, hand, kin …, so that a slow phase of the machine meets both. Each turn is
// prepare (not timed), then run (timed, `passes` times over all entities); the checksum of what it left must agree.
#ifndef KIN_BENCH_SIDE_H
#define KIN_BENCH_SIDE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct side_row {
    const char *id, *what, *unit;
    uint32_t passes; // runs of a turn, so that it takes long enough to be measured
    void *(*create)(uint32_t count);
    void (*prepare)(void *world); // NULL: nothing
    void (*run)(void *world);
    uint64_t (*checksum)(void *world);
    void (*destroy)(void *world);
} side_row;

enum { SIDE_ROWS = 4, SIDE_INDEX_ROWS = 3 };

extern const side_row hand_rows[SIDE_ROWS], kin_rows[SIDE_ROWS];
extern const side_row hand_index_rows[SIDE_INDEX_ROWS], kin_index_rows[SIDE_INDEX_ROWS];

#endif
