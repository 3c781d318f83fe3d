// The items that people own: a list in each Inventory.
#ifndef TOWN_GOODS_H
#define TOWN_GOODS_H

#include <townsfolk/townsfolk.h>

// Returns how many items of a kind the person has.
uint32_t goods_count(const town_context *town, town_entity person, Kind kind);

// Moves items from one person to another. Returns KIN_ERROR_INVALID if the first has too few; then nothing is moved.
kin_status goods_give(town_context *town, town_entity from, town_entity to, Item given);

#endif
