// Values: reading and writing the value of a component, however it is stored.
//
//   plain    in its place in the column
//   boxed    in a cell of a slab; the place in the column points to it
//   shared   in a block that all places with an equal value point to (shared.h); it is never written
//   soa      one column for each field: the value has no single address, owns nothing, and is copied field by field
//
// A removed value gives its cell back at once; its owned block is retired (owned.h). Flags have no value.
//
// The functions below take a slot whose column exists; in general the slot has, or has just lost, the component.
#ifndef KIN_SRC_VALUE_H
#define KIN_SRC_VALUE_H

#include "storage/owned.h"

static inline size_t kin__value_size(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].size;
}

// Returns the address of the value. NULL for a flag. Not for soa components.
void *kin__value_of(const kin_context *context, uint32_t slot, kin_component_id id);

// Returns the address of the field at `offset` bytes in the value, of any component.
const void *kin__value_part(const kin_context *context, uint32_t slot, kin_component_id id, size_t offset);

// Copies the value, of any component. Does nothing for a flag.
void kin__value_read(const kin_context *context, uint32_t slot, kin_component_id id, void *value);

// Copies the value as the payload of the next change (payload.h). NULL for a flag.
const void *kin__value_keep(const kin_context *context, uint32_t slot, kin_component_id id);

// Returns the value of an entity being destroyed, while its removal is notified. NULL for a flag, and for a soa
// component whose values no subscriber needs.
const void *kin__value_lost(const kin_context *context, uint32_t slot, kin_component_id id);

// Overwrites the value, of any component that is not shared. Not for a flag.
void kin__value_overwrite(kin_context *context, uint32_t slot, kin_component_id id, const void *value);

// The storage of a value: the memory that it needs besides its place in the column. It is allocated before the first
// write, so that writing cannot fail.
typedef struct kin__value_storage {
    const void *value;             // NULL for a flag; in the owned block if there is one
    void *box;                     // NULL: not boxed
    kin__owned_block *owned_block; // NULL: the value owns nothing; of a shared value: its block, with a reference
} kin__value_storage;

// Allocates the storage of a value. False when out of memory, with nothing to release. Release only a storage that was
// not written: the value then still belongs to the caller.
bool kin__value_storage_make(kin_context *context, kin_component_id id, const void *value, kin__value_storage *storage);
void kin__value_storage_release(kin_context *context, kin_component_id id, const kin__value_storage *storage);

// Writes a value into a slot that gets the component; the slot then owns the storage.
void kin__value_write(kin_context *context, uint32_t slot, kin_component_id id, const kin__value_storage *storage);

// Writes a value over that of a slot, which keeps its box. The slot then owns the storage, which has no box.
void kin__value_replace(kin_context *context, uint32_t slot, kin_component_id id, const kin__value_storage *storage);

// Returns the storage of a value that was written. All NULL for a soa component.
kin__value_storage kin__value_storage_of(const kin_context *context, uint32_t slot, kin_component_id id);

// Counts one holder less of the shared value in a slot, which has just lost the component and is not detached yet.
void kin__value_end_sharing(const kin_context *context, uint32_t slot, kin_component_id id);

// Detaches the value from its place, after its storage was moved elsewhere: a boxed or shared place points at the spare
// value again.
void kin__value_detach(const kin_context *context, uint32_t slot, kin_component_id id);

// Returns the box of a value that is in no slot any more to its slab, and retires its owned block.
void kin__value_storage_retire(kin_context *context, kin_component_id id, const kin__value_storage *storage);

// Detaches the value of a slot that has lost the component, and retires its storage.
void kin__value_drop(kin_context *context, uint32_t slot, kin_component_id id);

#endif
