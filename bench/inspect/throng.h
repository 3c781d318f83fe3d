// Throng: a game of which, in each update, 1 % of the entities are born and die, 2 % freeze or thaw and 5 % are hit.
#ifndef KIN_BENCH_THRONG_H
#define KIN_BENCH_THRONG_H

#include <throng/throng.h>

// Creates a world with so many entities; NULL when out of memory.
throng_throng_world *throng_begin(uint32_t count);

// Whether the systems change anything. They do at first.
void throng_set_busy(bool is_busy);

// Replaces the health of so many entities, one by one. Returns nanoseconds for each.
double throng_replace_health(throng_throng_world *world, uint32_t count);

#endif
