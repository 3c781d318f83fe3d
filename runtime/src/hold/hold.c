#include "hold/hold.h"

#include "base/assertion.h"
#include "core/frame.h"
#include "notify/notify.h"
#include "storage/pool.h"

// Whether the entity of a slot is dead and all its components are gone.
static bool is_gone(const kin_context *context, uint32_t slot)
{
    return !kin__chunk_is_alive(kin__chunk_of_slot(context, slot), slot % KIN__CHUNK_SLOTS) &&
           !kin__is_slot_being_destroyed(context, slot);
}

bool kin__is_last_holder(const kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    return context->core->events.destroy_subscribers > 0 &&
           kin__chunk_of_slot(context, slot)->holders[slot % KIN__CHUNK_SLOTS] == 1 && is_gone(context, slot);
}

void kin__let_go_last(kin_context *context, kin_entity slot_or_entity)
{
    uint32_t slot = kin_entity_slot(slot_or_entity), place = slot % KIN__CHUNK_SLOTS;
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    KIN_ASSERT(chunk->holders[place] > 0);
    if (--chunk->holders[place] > 0 || !is_gone(context, slot))
        return;
    kin_entity entity = kin__row_of(context, slot)[0]; // where dead and held ones keep their handle
    context->core->slots.held--;
    if (context->core->events.destroy_subscribers > 0)
        kin__notify_released(context, entity);
    kin__slot_free(context, entity);
}

kin_entity kin__first_held(const kin_context *context)
{
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        bool alive = kin_entity_creation_index(kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS]) != 0;
        if (!alive && kin__is_held(context, slot) && !kin__is_slot_being_destroyed(context, slot))
            return kin__row_of(context, slot)[0];
    }
    return 0;
}
