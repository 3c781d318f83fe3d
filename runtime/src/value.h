// Values: where a component's value is, in its place in the column or, boxed, in a block of its own that the place
// points to. A box comes with the value and goes once its removal has been told.
#ifndef KIN_SRC_VALUE_H
#define KIN_SRC_VALUE_H

#include "chunk.h"

static inline size_t kin__value_size(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].size;
}

// The column of a component in the chunk of a slot.
static inline kin__column *kin__column_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    return kin__chunk_columns(kin__chunk_of_slot(context, slot), context->row_words)[id];
}

// The value in a slot that has, or has just lost, the component. NULL for a flag.
void *kin__value_of(const kin_context *context, uint32_t slot, kin_component_id id);

// A box for a value of the component, NULL when it is not boxed. False without memory.
bool kin__box_make(kin_context *context, kin_component_id id, void **box);
void kin__box_release(kin_context *context, kin_component_id id, void *box);

// Writes a value into a slot that gets the component; a boxed one into `box`, which the slot owns from now on.
void kin__value_write(kin_context *context, uint32_t slot, kin_component_id id, const void *value, void *box);

// Gives back what the value in a slot that has lost the component owns.
void kin__value_drop(kin_context *context, uint32_t slot, kin_component_id id);

#endif
