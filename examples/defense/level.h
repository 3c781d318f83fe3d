// The level: lanes and waves, as content has placed them.
#ifndef LEVEL_H
#define LEVEL_H

#include <defense/defense.h>

enum { COLUMNS = 60, ROWS = 18 };

// Returns where a creep is that has come so far. Sets `*has_arrived` if that is the end of the lane.
Position level_place(const Lane *lane, float done, bool *has_arrived);

// Returns a lane, in turn, for the creep with this number.
game_entity level_lane(game_context *game, uint32_t number);

// Whether a lane passes through a cell.
bool level_is_lane(game_context *game, uint32_t x, uint32_t y);

// Returns a wave; NULL after the last one.
const Wave *level_wave(game_context *game, uint32_t number);
uint32_t level_wave_size(const Wave *wave);

// Returns the prefab of a creep of a wave.
const char *level_creep(const Wave *wave, uint32_t number);

#endif
