// Restoring shared values: what a snapshot needs of the tables of shared values (shared.h).
//
//   table    number → block       values that the context refers to
//   parked   hash   → block       values that only images of snapshots refer to
//
// An image refers to the same blocks as the columns do, and pins each by one for each place. Pins are not references: a
// value that the context has lost leaves its number to the next new value, whether there are snapshots or not. Its
// block is parked as long as an image pins it. If the value is made again, the parked block gets a number again; so
// equal values have one address for as long as anything refers to them, and places that differ have different
// addresses.
//
// A restore writes places of columns, and says so for each with kin__shared_restore_place; at its end
// kin__shared_numbers_restore puts the table in place as it was at the save.
//
// Invariant: the parked blocks have image pins, and no references; there is room to park every block that has image
// pins.
//
// Cost: constant for a pin and a place; linear in the numbers for the table.
#ifndef KIN_SRC_SHARED_RESTORE_H
#define KIN_SRC_SHARED_RESTORE_H

#include "storage/shared.h"

// ---- images. Values are the addresses that places in columns have

// Makes room to pin all values that the component has now. False when out of memory.
bool kin__shared_images_reserve(kin_context *context, kin_component_id id);

// Pins a value, for which room was reserved since it was made; and removes the pin, which frees a value that nothing
// else has.
void kin__shared_image_pin(const void *value);
void kin__shared_image_unpin(kin_context *context, kin_component_id id, const void *value);

// Returns the value of this context that equals `value`, pinned; parks a new one if there is none. NULL when out of
// memory. For images that are made from another context or a file.
const void *kin__shared_adopt(kin_context *context, kin_component_id id, const void *value);

// ---- the table

// Returns the first number from which on no number is in use; 0 without values.
uint32_t kin__shared_limit(const kin_context *context, kin_component_id id);

// Writes the values by number, up to the limit; NULL where the number is free. The snapshot pins each.
void kin__shared_numbers_save(const kin_context *context, kin_component_id id, const void **values);

// Reserves the table for so many numbers. False when out of memory.
bool kin__shared_numbers_reserve(kin_context *context, kin_component_id id, uint32_t limit);

// A place of a column changes its value, or gets or loses one: NULL. Call it for each place that does. Until the table
// is put in place nothing else may be done with shared values.
void kin__shared_restore_place(const void *before, const void *after);

// A last value that is put in place refers to the value.
void kin__shared_restore_reference(const void *value);

// Puts the table in place, once places and last values refer to what was saved. A value that nothing refers to has no
// number: only a last value did, and no event system is left to tell it. Only for a component that has a table, or a
// limit that is not 0.
void kin__shared_numbers_restore(kin_context *context, kin_component_id id, const void *const *values, uint32_t limit);

#endif
