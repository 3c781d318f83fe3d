// Leave values: the last values of one component of the entities that left a group, for the `leave` of a system with
// `on_leave: keep`.
//
//   collector   the entities that lost the component since the last turn; their values are last values of the context
//   last[i]     the i-th entity that left: whether a value is known, and the owned block of the value
//   values[i]   a copy of the value: the last value, or the value of the component that the entity still has
//
// The copies are made before `leave` is called, and their owned blocks are kept until it returns: whatever `leave`
// changes, the values that it reads stay the same. Until the system's turn, an entity that lost the component is held.
// Systems without `on_leave: keep` have no leave values.
//
// Invariant: during `leave`, `last` and `values` have an element for each entity that left.
#ifndef KIN_SRC_LEAVE_VALUES_H
#define KIN_SRC_LEAVE_VALUES_H

#include "notify/notify.h"
#include "store/store.h"
#include "world/membership.h"

typedef struct kin__leave_value {
    kin__owned_block *owned_block; // NULL: the value owns nothing
    bool exists;                   // false: the value is not known
} kin__leave_value;

typedef struct kin__leave_values {
    kin_component_id id;
    kin_context *context;
    kin__memory *memory;           // of the world
    kin__last_values *last_values; // NULL: not made
    kin_collector *collector;      // NULL: not made
    kin__array last;               // of kin__leave_value, by index in `left` of the membership
    kin__array values;             // by the same index; elements have the size of the component
} kin__leave_values;

// Initializes leave values that are all zero except `memory`; the collector gets the name of the system. Returns
// KIN_ERROR_NO_MEMORY, or KIN_ERROR_LIMIT if the context cannot have one more group; the caller then releases the leave
// values.
kin_status kin__leave_values_make(kin__leave_values *values, kin_context *context, kin_component_id id,
                                  const char *system);
void kin__leave_values_release(kin__leave_values *values);

// Makes room for `count` entities that left. Returns false when out of memory.
bool kin__leave_values_reserve(kin__leave_values *values, uint32_t count);

// Called before `leave`: takes the collected entities and copies the last value of each entity that left.
void kin__leave_values_begin(kin__leave_values *values, const kin__membership *membership);

// Called after `leave`: releases the owned blocks of the copies.
void kin__leave_values_end(kin__leave_values *values, const kin__membership *membership);

// Returns the last value of the `index`-th entity that left, valid during `leave`. NULL when the value is not known:
// the system was disabled when the component was lost.
const void *kin__leave_values_get(const kin__leave_values *values, uint32_t index);

#endif
