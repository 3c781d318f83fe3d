// Which person likes which: many to many, with an amount for each pair.
#ifndef TOWN_LIKES_H
#define TOWN_LIKES_H

#include <townsfolk/townsfolk.h>

// Sets how much one person likes another: changes the amount of the pair, or makes the pair. Returns false if that is
// refused, or if both are the same person.
bool likes_set(town_context *town, town_entity who, town_entity whom, int32_t amount);

#endif
