// Bags: the arrays with two sides in which a collector keeps what it gathers.
#ifndef KIN_SRC_BAG_H
#define KIN_SRC_BAG_H

#include "collect/collector.h"

// Room for `least` elements on the side that collects, and on the other one, which keeps its place while it is in
// use. False without memory.
bool kin__bag_reserve(kin__memory *memory, kin__bag *bag, const kin_collector *collector, uint32_t least);

// The side that does not collect is no longer in use.
void kin__bag_settle(kin__memory *memory, kin__bag *bag, uint32_t other);

// Gives back what neither side needs for `least` elements. Neither is in use by somebody else.
void kin__bag_trim(kin__memory *memory, kin__bag *bag, uint32_t least);

void kin__bag_release(kin__memory *memory, kin__bag *bag);

#endif
