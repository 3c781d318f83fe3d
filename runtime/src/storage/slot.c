#include "storage/slot.h"

#include "storage/canary.h"
#include "storage/shared.h"
#include "storage/slab.h"
#include "storage/value.h"

// Invariant 2, for a component that the slot has.
static bool value_is_valid(const kin_context *context, uint32_t slot, kin_component_id id)
{
    bool is_spare =
        context->info->components[id].is_boxed && kin__value_of(context, slot, id) == kin__slab_spare(context, id);
    if (!is_spare && kin__is_shared(context, id))
        return kin__shared_is_valid(context, id, kin__value_of(context, slot, id));
    return !is_spare &&
           (!kin__is_owned(context, id) || kin__owned_is_valid(context, slot, id, kin__value_of(context, slot, id)));
}

bool kin__slot_is_valid(const kin_context *context, uint32_t slot)
{
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    const uint64_t *row = kin__chunk_row(chunk, context->row_words, place);
    kin__column *const *columns = kin__chunk_columns(chunk, context->row_words);
    bool alive = kin__chunk_is_alive(chunk, place);
    for (uint32_t id = 0; id < context->info->component_count; id++)
        if (kin__column_has(columns[id], place) != (alive && kin__bits_have(row, id)) ||
            (kin__column_has(columns[id], place) && !value_is_valid(context, slot, (kin_component_id)id)) ||
            !kin__canary_is_intact(context, columns[id], (kin_component_id)id))
            return false;
    kin_entity entity = chunk->ids[place];
    return alive == (kin_entity_creation_index(entity) != 0) && (!alive || kin_entity_slot(entity) == slot);
}
