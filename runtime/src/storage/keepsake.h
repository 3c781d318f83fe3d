// Keepsakes: the last values (last_value.h) that a snapshot has: stashed ones, and those that events still have to
// tell.
//
//   saved   keepsake | value | keepsake | value | …      in ascending component, then slot
//
// A saved value is what the struct has; of a shared component, the address of the shared value, which the snapshot pins
// with kin__shared_image_pin. Its owned block is that of the last value: the snapshot pins it, and brings its lists
// back, as for places of columns.
//
// A restore is:
//
//   kin__keepsakes_reserve    can fail
//   kin__keepsakes_clear      retires what is kept now, silently
//   … heads and columns are written …
//   kin__keepsakes_restore    puts the saved values in place; stashed ones are held by the stash
//   … collectors of the scope get their entries, which hold what they wait for …
//   kin__keepsakes_settle     retires what nobody waits for
//
// Cost: linear in the keepsakes, and in the chunks with last values.
#ifndef KIN_SRC_KEEPSAKE_H
#define KIN_SRC_KEEPSAKE_H

#include "storage/last_value.h"

typedef struct kin__keepsake {
    kin__owned_block *owned_block; // NULL: the value owns nothing, or is shared
    uint32_t slot;
    kin_component_id id;
    uint16_t is_stashed; // 1 or 0; so that there is no padding
} kin__keepsake;

// Returns the bytes of all keepsakes, or of the stashed ones; 0 if there are none. No change may be under way.
size_t kin__keepsakes_size(const kin_context *context, bool only_stashed);

// Writes them. Two copies with equal bytes are equal.
void kin__keepsakes_save(const kin_context *context, bool only_stashed, void *bytes);

// Returns the saved keepsake at `*at`, which is 0 at first, and moves `*at` behind it. NULL at the end.
kin__keepsake *kin__keepsake_next(const kin_context *context, void *bytes, size_t size, size_t *at);

// Returns the saved value: a struct; of a shared component, a pointer to the address of the value.
void *kin__keepsake_value(kin__keepsake *keepsake);

// Reserves what kin__keepsakes_restore needs, when the chunks of the snapshot exist. False when out of memory. The
// cells of boxed values are not reserved: see kin__slab_reserve_cells.
bool kin__keepsakes_reserve(kin_context *context, void *bytes, size_t size);

// Returns how many cells of a boxed component kin__keepsakes_restore takes.
uint32_t kin__keepsakes_cells(const kin_context *context, void *bytes, size_t size, kin_component_id id);

void kin__keepsakes_clear(kin_context *context);
void kin__keepsakes_restore(kin_context *context, void *bytes, size_t size);
void kin__keepsakes_settle(kin_context *context);

#endif
