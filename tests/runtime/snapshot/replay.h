// Replay: random operations on a context of any schema, by ids, that are played again after a restore. All that they
// return is folded into a number, and so is all that can be seen of the context.
#ifndef KIN_TESTS_RUNTIME_REPLAY_H
#define KIN_TESTS_RUNTIME_REPLAY_H

#include <kin/kin.h>
#include <kin/reflect.h>

enum { REPLAY_KNOWN = 40 };

// What decides the operations that come: it is copied with each save.
typedef struct replay {
    kin_context *context;
    uint64_t state, digest;
    kin_entity known[REPLAY_KNOWN];
    uint32_t most; // entities of known that are used
} replay;

void replay_begin(replay *replay, kin_context *context, uint64_t seed);

// Plays random operations. Returns the digest of what they returned.
uint64_t replay_play(replay *replay, uint32_t count);

// Returns the digest of what can be seen of the context.
uint64_t replay_look(const replay *replay);

#endif
