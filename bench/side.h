// Side: one of the two programs that do the same work, on hand-written arrays or on Kin.
//
// A row is measured in turns, hand, kin, hand, kin …, so that a slow phase of the machine meets both. Each turn is
// prepare (not timed), then run (timed, `passes` times over its share of the entities); the checksum of what it left must
// agree.
#ifndef KIN_BENCH_SIDE_H
#define KIN_BENCH_SIDE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct side_row {
    const char *id, *what, *unit;
    uint32_t passes;   // runs of a turn, so that it takes long enough to be measured
    uint32_t per_cent; // of the entities that a run is about
    void *(*create)(uint32_t count);
    void (*prepare)(void *world); // NULL: nothing
    void (*run)(void *world);
    uint64_t (*checksum)(void *world);
    void (*destroy)(void *world);
} side_row;

enum { SIDE_ROWS = 4, SIDE_INDEX_ROWS = 3, SIDE_REACT_ROWS = 4, SIDE_WATCH_ROWS = 4, SIDE_ONE_ROWS = 1 };

extern const side_row hand_rows[SIDE_ROWS], kin_rows[SIDE_ROWS];
extern const side_row hand_index_rows[SIDE_INDEX_ROWS], kin_index_rows[SIDE_INDEX_ROWS];
extern const side_row hand_react_rows[SIDE_REACT_ROWS], kin_react_rows[SIDE_REACT_ROWS];
extern const side_row hand_watch_rows[SIDE_WATCH_ROWS], kin_watch_rows[SIDE_WATCH_ROWS];
extern const side_row kin_alone_rows[SIDE_ONE_ROWS], kin_one_rows[SIDE_ONE_ROWS]; // Kin against itself: without groups

#endif
