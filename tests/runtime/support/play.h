// Play: a few hundred operations of every kind on a context of package cellar, drawn from a seed, with all their
// results as text: handles, statuses, arrays, and the order of the calls of listeners and collectors.
//
// There is no static storage, so that several may run at once, and no address in the text.
#ifndef KIN_TESTS_RUNTIME_PLAY_H
#define KIN_TESTS_RUNTIME_PLAY_H

#include <cellar/cellar.h>

enum { PLAY_SIZE = 1 << 17 };

typedef struct play {
    cellar_context *cellar;
    uint64_t random;
    size_t size;
    char text[PLAY_SIZE]; // when it is full, the rest is left out, on every machine alike
} play;

// Plays `count` operations. Ends its subscriptions and its collector. Entities stay, also those that it has retained,
// which stay retained.
void play_run(play *play, cellar_context *cellar, uint64_t seed, uint32_t count);

#endif
