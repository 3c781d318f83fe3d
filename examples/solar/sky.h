// The sky as text.
#ifndef SOLAR_SKY_H
#define SOLAR_SKY_H

#include <solar/solar.h>

// Prints all bodies from above, each as its symbol.
void sky_draw(space_context *space);

#endif
