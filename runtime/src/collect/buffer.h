// Buffers: the growing arrays in which a collector gathers, each with two sides.
//
//   sides[KIN__COLLECTING]   [ e e e e . . . ]     collects
//   sides[KIN__TAKEN]        [ e e e . . . . ]     is read by a reactive system, and must not move meanwhile
//   waiting                  [ . . . . . . . . ]   replaces the side that is read, once it no longer is
//
// The collector swaps the sides when it takes what was collected, and counts the elements.
//
// Invariants:
//   1. both sides have room for the number of elements reserved last, where `waiting` counts instead of a side that is
//      read
//   2. `waiting` has memory only while a side is read
//
// Cost: reserving is that of kin__array_reserve for two arrays. A buffer never shrinks, unless it is trimmed.
#ifndef KIN_SRC_BUFFER_H
#define KIN_SRC_BUFFER_H

#include "base/base.h"

enum { KIN__COLLECTING, KIN__TAKEN, KIN__SIDES };

typedef struct kin__buffer {
    kin__array sides[KIN__SIDES];
    kin__array waiting;
    size_t size; // of an element
} kin__buffer;

// Reserves room for `least` elements on both sides. If the taken side `is_read`, it stays where it is. False when out
// of memory.
bool kin__buffer_reserve(kin__memory *memory, kin__buffer *buffer, uint32_t least, bool is_read);

// Swaps the sides. None is read.
void kin__buffer_swap(kin__buffer *buffer);

// The taken side is no longer read: it becomes what was reserved meanwhile.
void kin__buffer_settle(kin__memory *memory, kin__buffer *buffer);

// Gives back the memory that `least` elements do not need. No side is read.
void kin__buffer_trim(kin__memory *memory, kin__buffer *buffer, uint32_t least);

void kin__buffer_release(kin__memory *memory, kin__buffer *buffer);

#endif
