// Farewell: the last value of one component of what has left a group, for `leave` of a system that says `on_leave: keep`.
//
//   collector → the entities that lost the component since the last turn; the value of each is a keepsake
//   last[i]   of the i-th entity that left: whether there is a value, and the parcel with what the value owns
//   values[i] a copy of the value: of the keepsake, or of the component that the entity still has
//
// The copies are made when `leave` begins, and their parcels are kept until it returns: whatever the callback changes,
// what it reads stays as it is. Without keep a system needs none of this; with it, an entity that loses the component
// is held until the system's turn.
#ifndef KIN_SRC_LEAVE_VALUES_H
#define KIN_SRC_LEAVE_VALUES_H

#include "collect/collector.h"
#include "storage/last_value.h"
#include "systems/membership.h"

typedef struct kin__last {
    kin__owned_block *owned_block; // NULL: the value owns nothing
    bool exists;
} kin__last;

typedef struct kin__leave_values {
    kin_component_id id;
    kin_context *context;
    kin__memory *memory;           // the world's
    kin__last_values *last_values; // NULL: not made
    kin_collector *collector;      // NULL: not made
    kin__array last;               // of kin__last, by place in what left
    kin__array values;             // likewise, each of the component's size
} kin__leave_values;

// Fills one that is all zero but for memory. Not KIN_OK without memory or room for one more group: then it is to be
// released.
kin_status kin__leave_values_make(kin__leave_values *values, kin_context *context, kin_component_id id);
void kin__leave_values_release(kin__leave_values *values);

// Room for `count` of those who left. False without memory.
bool kin__leave_values_reserve(kin__leave_values *values, uint32_t count);

// `leave` begins: takes what was collected, and copies the last value of each entity that left.
void kin__leave_values_begin(kin__leave_values *values, const kin__membership *membership);

// `leave` has returned: releases what the copies own.
void kin__leave_values_end(kin__leave_values *values, const kin__membership *membership);

// The last value of the `place`-th entity that left, during `leave`; NULL when the system was disabled as it was lost.
const void *kin__leave_values_get(const kin__leave_values *values, uint32_t place);

#endif
