// The square: what is in it, where, and who sees that. It knows nothing of networks.
#ifndef SQUARE_H
#define SQUARE_H

#include <plaza/plaza.h>
#include <plaza/plaza_world.h>

#include <kin/net.h>

enum {
    ZONES = 8,         // in a row and in a column
    ZONE_COLUMNS = 16, // metres
    ZONE_ROWS = 8,
    COLUMNS = ZONES * ZONE_COLUMNS,
    ROWS = ZONES * ZONE_ROWS,
    CITIZENS = 2000,
    COINS = 120,
    NEAR = 9 // zones that a player sees, at most
};

// What the systems of a replica tell its player.
typedef struct square {
    char said[64]; // what a player reads
} square;

// Where players begin.
extern const Vec2 square_entrance;

// Fills the square of a host.
void square_start(plaza_world *world);

int32_t square_zone(Vec2 at);

// Writes the zone of a place and those around it. Returns how many there are.
uint32_t square_near(Vec2 at, kin_zone *zones);

// Returns the player of a peer; GAME_NO_ENTITY if it has none or is not seen.
game_entity square_player(game_context *game, uint32_t peer);

#endif
