// What the player does. Each returns NULL, or why it was not done.
#ifndef BUILD_H
#define BUILD_H

#include <defense/defense.h>

// Buys a tower of the prefab.
const char *build_tower(game_context *game, const char *prefab, Position at);

// Gives the turret of the tower in a cell one more barrel.
const char *build_barrel(game_context *game, Position at);

// Takes a tower down for half of what it has cost.
const char *build_sell(game_context *game, Position at);

// Returns the tower in a cell; GAME_NO_ENTITY if there is none.
game_entity build_find(const game_context *game, Position at);

// Return what a tower and one more barrel for it cost.
int32_t build_tower_price(const game_context *game, const char *prefab);
int32_t build_barrel_price(const game_context *game, const char *tower_prefab);

#endif
