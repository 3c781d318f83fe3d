// A game of random operations on relations, played on a context of package kinship and on a second implementation
// (family.h), one after the other. Listeners operate too. Statuses, the log of all notifications and, after each step,
// all lists are compared; a difference fails the test.
//
// What is drawn depends on nothing else but which entities are alive: as long as the two sides agree, they make the
// same operations. A number is used for one entity at most in each step.
#ifndef KIN_TESTS_RUNTIME_FAMILY_GAME_H
#define KIN_TESTS_RUNTIME_FAMILY_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct family_game {
    uint64_t seed, steps; // unless the operations are drawn from bytes
    const uint8_t *bytes; // NULL: from the seed
    size_t byte_count;
    bool is_quiet; // without listeners: so changes are made inline, and cascades are silent
} family_game;

void family_game_play(const family_game *game);

#endif
