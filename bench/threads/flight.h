// Flight: a context of movers, and loops of three costs over them: whole on one thread, or one piece.
#ifndef KIN_BENCH_FLIGHT_H
#define KIN_BENCH_FLIGHT_H

#include "bench/bench.h"

#include <kin/executor.h>

typedef enum flight_loop {
    FLIGHT_CHEAP,    // position += velocity * step: 0.4 ns, or what memory gives
    FLIGHT_MIDDLING, // a step of unit length, and a wall: 4 to 7 ns
    FLIGHT_COSTLY,   // 24 sines: 140 ns
} flight_loop;

typedef struct flight {
    game_context *game;
    flight_loop loop;
} flight;

// Returns a context of `count` movers, whose values depend on their numbers. Ends the program when out of memory.
flight *flight_create(uint32_t count, flight_loop loop);
void flight_destroy(flight *flight);

// The loop over the whole group.
void flight_plain(flight *flight);
// The loop over all pieces, shared meanwhile: on an executor, or on this thread if it is NULL.
void flight_pieces(flight *flight, const kin_executor *executor);

// Returns a hash of all values.
uint64_t flight_hash(const flight *flight);

#endif
