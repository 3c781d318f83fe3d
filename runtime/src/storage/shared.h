// Shared values: equal values of a component with `storage: shared` are stored once.
//
//   column    has[8] | values[512]
//                        |                     number → values → the block
//                        └→ the value          hash  → entries → the number
//
//   block     [ number | holders | hash ][ owned block: next | id | references | the value | string\0string\0 ]
//
// The block of a shared value is an owned block (owned.h). Its `pins` count the references to it: from places in
// columns, from storages that are not written yet, from last values, and from values that are being delivered.
// `holders` counts the living entities that have the value, without any entity whose removal or death is being
// notified.
//
// When the last reference is removed, the block is retired like the owned block of a removed value. It stays in the
// table until it is freed; until then, a change in a listener may refer to it again.
//
// A new value gets the lowest free number, so the order of the numbers depends on the changes alone, not on hashes or
// addresses.
//
// Invariants, checked by kin__shared_is_valid() and kin__shared_all_are_valid():
//   1. no two values of a table are equal
//   2. a value has at least as many references as holders
//   3. a value without references is in the list of retired blocks
//   4. the free numbers are a heap, lowest first; all are below `limit`
//
// Cost: finding a value is linear in its bytes and strings; making one also copies it. Assigning and freeing a number
// are logarithmic in the count of free numbers.
#ifndef KIN_SRC_SHARED_H
#define KIN_SRC_SHARED_H

#include "core/core.h"

// Whether equal values of the component are stored once.
static inline bool kin__is_shared(const kin_context *context, kin_component_id id)
{
    return context->core->watches[id].ownership == KIN__OWNERSHIP_SHARED;
}

// Returns the block of the value that equals `*value`, with one more reference, and makes `*value` point to the value
// in it. Makes the value if it does not exist. NULL when out of memory.
kin__owned_block *kin__shared_take(kin_context *context, kin_component_id id, const void **value);

// Returns the block of a shared value from the address of the value.
kin__owned_block *kin__shared_block_of(const void *value);

void *kin__shared_value_of(kin__owned_block *block);

// Count one holder more or less. References do not change.
void kin__shared_add_holder(kin__owned_block *block);
void kin__shared_remove_holder(kin__owned_block *block);

// Removes a reference. After the last one, the value is freed once the outermost change has been notified.
void kin__shared_let_go(kin_context *context, kin__owned_block *block);

// Retires a block without references, unless it is retired already.
void kin__shared_retire(kin_context *context, kin__owned_block *block);

// Removes the reference of a storage that was not written. If it was the last one, frees the value at once.
void kin__shared_release(kin_context *context, kin__owned_block *block);

// Frees a block that was taken from the list of retired blocks, unless it has references again.
void kin__shared_finish(kin_context *context, kin__owned_block *block);

// Returns the number of values of a component.
uint32_t kin__shared_count(const kin_context *context, kin_component_id id);

// Releases the tables without values, and the spare memory of other tables.
void kin__shared_trim(kin_context *context);

// Releases all values and tables at the end of the context.
void kin__shared_end(kin_context *context);

// Returns the bytes in use by values and tables.
size_t kin__shared_used(const kin_context *context);

// Checks the invariants for the value in a place of a column.
bool kin__shared_is_valid(const kin_context *context, kin_component_id id, const void *value);

// Checks the invariants for all values, and that `holders` agrees with the entities that have the components.
bool kin__shared_all_are_valid(const kin_context *context);

#endif
