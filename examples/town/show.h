// The town as text.
#ifndef TOWN_SHOW_H
#define TOWN_SHOW_H

#include <townsfolk/townsfolk.h>

// Returns the name of a person or a house; "nobody" for any other entity, or none.
const char *name_of(const town_context *town, town_entity entity);

// "coin", for example.
const char *kind_name(Kind kind);

// Prints a line for each person and each house.
void show(town_context *town);

#endif
