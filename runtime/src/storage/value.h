// Values: where a component's value is, in its place in the column or, boxed, in a cell of a slab that the place points
// to. A box comes with the value and goes with it; what the value owns goes once that has been told. A value with a
// column for each field is in no one place: it owns nothing, is never boxed, and is read and written field by field.
#ifndef KIN_SRC_VALUE_H
#define KIN_SRC_VALUE_H

#include "storage/owned.h"

static inline size_t kin__value_size(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].size;
}

// The column of a component in the chunk of a slot.
static inline kin__column *kin__column_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    return kin__chunk_columns(kin__chunk_of_slot(context, slot), context->row_words)[id];
}

// The value in a slot that has, or has just lost, the component. NULL for a flag. Not where fields have columns.
void *kin__value_of(const kin_context *context, uint32_t slot, kin_component_id id);

// What stands `offset` bytes from the beginning of such a value, of any component, as far as its field goes.
const void *kin__value_part(const kin_context *context, uint32_t slot, kin_component_id id, size_t offset);

// Copies such a value, of any component. Nothing for a flag.
void kin__value_read(const kin_context *context, uint32_t slot, kin_component_id id, void *value);

// Copies it for the change that is told next, until it has been. NULL for a flag.
const void *kin__value_keep(const kin_context *context, uint32_t slot, kin_component_id id);

// The value of an entity that is being stripped, while its loss is told; NULL too where nobody is told what it was.
const void *kin__value_lost(const kin_context *context, uint32_t slot, kin_component_id id);

// Writes over such a value, of any component.
void kin__value_overwrite(kin_context *context, uint32_t slot, kin_component_id id, const void *value);

// A value that is about to be written, with all that it needs beside its place in the column.
typedef struct kin__room {
    const void *value;             // NULL for a flag; that in the parcel when there is one
    void *box;                     // NULL: not boxed
    kin__owned_block *owned_block; // NULL: owns nothing
} kin__room;

// The column is there. False without memory, with nothing to release. Release only what was not written: then the value is still its
// caller's.
bool kin__room_make(kin_context *context, kin_component_id id, const void *value, kin__room *room);
void kin__room_release(kin_context *context, kin_component_id id, const kin__room *room);

// Writes a value into a slot that gets the component, which has the room from now on.
void kin__value_write(kin_context *context, uint32_t slot, kin_component_id id, const kin__room *room);

// The value in a slot that has, or has just lost, the component, with all that belongs to it; where fields have columns
// there is neither a place to point at nor anything that belongs to it.
kin__room kin__value_room(const kin_context *context, uint32_t slot, kin_component_id id);

// The value of a slot that has lost the component is somewhere else from now on.
void kin__value_leave(const kin_context *context, uint32_t slot, kin_component_id id);

// Gives back the box of a value that is in no slot any more, and gives up what it owns.
void kin__room_give_up(kin_context *context, kin_component_id id, const kin__room *room);

// Gives back the box of the value in a slot that has lost the component, and gives up what the value owns.
void kin__value_drop(kin_context *context, uint32_t slot, kin_component_id id);

#endif
