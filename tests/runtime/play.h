// Play: a few hundred operations of every kind on a context of package cellar, drawn from a seed, with all that they
// answer written down: handles, statuses, arrays, and what listeners and collectors are told in which order.
//
// Nothing is in static storage, so that several may run at once; nothing written down is an address.
#ifndef KIN_TESTS_RUNTIME_PLAY_H
#define KIN_TESTS_RUNTIME_PLAY_H

#include <cellar/cellar.h>

enum { PLAY_SIZE = 1 << 17 };

typedef struct play {
    cellar_context *cellar;
    uint64_t random;
    size_t size;
    char text[PLAY_SIZE]; // ends early when it is full, which is the same everywhere too
} play;

// Plays `count` operations. What it subscribed and collected is ended, what it retained released; entities stay.
void play_run(play *play, cellar_context *cellar, uint64_t seed, uint32_t count);

#endif
