// The effects of a destroy, printed before it is done.
#ifndef TOWN_LOSSES_H
#define TOWN_LOSSES_H

#include <townsfolk/townsfolk.h>

// Prints the effect on each entity that names the person or the house. If the house has leases, prints only these,
// because then it cannot be destroyed.
void losses_print(const town_context *town, town_entity entity);

#endif
