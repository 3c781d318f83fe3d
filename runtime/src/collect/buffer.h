// Bags: the arrays with two sides in which a collector keeps what it gathers.
#ifndef KIN_SRC_BUFFER_H
#define KIN_SRC_BUFFER_H

#include "collect/collector.h"

// Room for `least` elements on the side that collects, and on the other one, which keeps its place while it is in
// use. False without memory.
bool kin__buffer_reserve(kin__memory *memory, kin__buffer *buffer, const kin_collector *collector, uint32_t least);

// The side that does not collect is no longer in use.
void kin__buffer_settle(kin__memory *memory, kin__buffer *buffer, uint32_t other);

// Gives back what neither side needs for `least` elements. Neither is in use by somebody else.
void kin__buffer_trim(kin__memory *memory, kin__buffer *buffer, uint32_t least);

void kin__buffer_release(kin__memory *memory, kin__buffer *buffer);

#endif
