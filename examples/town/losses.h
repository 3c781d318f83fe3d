// What a destroy would take along, before it is done.
#ifndef TOWN_LOSSES_H
#define TOWN_LOSSES_H

#include <townsfolk/townsfolk.h>

// Prints what would become of each entity that names the person or the house; or only the leases, if there are some,
// because then the house cannot be destroyed.
void losses_print(const town_context *town, town_entity entity);

#endif
