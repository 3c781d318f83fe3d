// Restoring shared values: the functions on tables of shared values (shared.h) that snapshots need.
//
//   table    number → block       values that the context refers to
//   parked   hash   → block       values to which only images of snapshots refer
//
// An image refers to the same blocks as the columns do, and pins a block once for each place. Pins are not references:
// when the context releases a value, its number becomes free, with or without snapshots. The block is parked as long as
// an image pins it. If an equal value is made again, the parked block gets a new number. So equal values have one
// address as long as anything refers to them, and comparing addresses is enough to compare places.
//
// A restore calls kin__shared_restore_place for each place of a column that it writes. At its end,
// kin__shared_numbers_restore restores the table.
//
// Invariant: parked blocks have image pins and no references; room is reserved to park every block with image pins.
//
// Cost: constant for each pin and place; linear in the numbers for the table.
#ifndef KIN_SRC_SHARED_RESTORE_H
#define KIN_SRC_SHARED_RESTORE_H

#include "storage/shared.h"

// ---- images; a value is passed by its address, as columns store it

// Reserves room to pin all current values of the component. False when out of memory.
bool kin__shared_images_reserve(kin_context *context, kin_component_id id);

// Pins a value, for which room must have been reserved; and removes the pin, which frees a value without references and
// other pins.
void kin__shared_image_pin(const void *value);
void kin__shared_image_unpin(kin_context *context, kin_component_id id, const void *value);

// Returns the value of this context that equals `value`, pinned; parks a new one if none exists. NULL when out of
// memory. For images that are made from another context or a file.
const void *kin__shared_adopt(kin_context *context, kin_component_id id, const void *value);

// ---- the table

// Returns the highest number in use plus one; 0 without values.
uint32_t kin__shared_limit(const kin_context *context, kin_component_id id);

// Writes the values by number, up to the limit; NULL where the number is free. The caller pins each.
void kin__shared_numbers_save(const kin_context *context, kin_component_id id, const void **values);

// Returns the number of a value of the table.
uint32_t kin__shared_number_of(const void *value);

// Reserves the table for so many numbers. False when out of memory.
bool kin__shared_numbers_reserve(kin_context *context, kin_component_id id, uint32_t limit);

// Moves a reference and a holder from the old value of a place to its new one; NULL: no value. A restore calls this for
// each place that changes. Until it calls kin__shared_numbers_restore, no other function may use shared values.
void kin__shared_restore_place(const void *before, const void *after);

// Adds the reference of a restored last value.
void kin__shared_restore_reference(const void *value);

// Restores the table, once places and last values refer to the saved values. A value without references gets no number:
// only a last value referred to it, and the event system that would report it no longer exists. Only for a component
// that has a table, or whose limit is not 0.
void kin__shared_numbers_restore(kin_context *context, kin_component_id id, const void *const *values, uint32_t limit);

#endif
