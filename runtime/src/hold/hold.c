#include "hold/hold.h"

#include "base/assertion.h"
#include "core/frame.h"
#include "notify/notify.h"
#include "storage/pool.h"

// Returns whether the entity of a slot is dead and all its components are removed.
static bool is_destroyed(const kin_context *context, uint32_t slot)
{
    return !kin__chunk_is_alive(kin__chunk_of_slot(context, slot), slot % KIN__CHUNK_SLOTS) &&
           !kin__is_slot_being_destroyed(context, slot);
}

// Returns whether the release of a destroyed entity may notify. Stashed values are counted as subscribers, too, but a
// release notifies none of them: those of the entity were dropped when it was destroyed.
static bool has_subscribers(const kin_context *context)
{
    KIN_ASSERT(context->core->events.destroy_subscribers >= context->core->stashed);
    return context->core->events.destroy_subscribers > context->core->stashed;
}

bool kin__hold_is_last(const kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(kin__is_held(context, slot));
    return has_subscribers(context) && kin__chunk_of_slot(context, slot)->holders[slot % KIN__CHUNK_SLOTS] == 1 &&
           is_destroyed(context, slot);
}

void kin__hold_remove_general(kin_context *context, kin_entity slot_or_entity)
{
    uint32_t slot = kin_entity_slot(slot_or_entity), place = slot % KIN__CHUNK_SLOTS;
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    KIN_ASSERT(chunk->holders != NULL && chunk->holders[place] > 0);
    if (--chunk->holders[place] > 0 || !is_destroyed(context, slot))
        return;
    kin_entity entity = kin__row_of(context, slot)[0]; // the handle, by invariant 2
    KIN_ASSERT(kin_entity_slot(entity) == slot && context->core->slots.held > 0);
    context->core->slots.held--;
    if (has_subscribers(context))
        kin__notify_released(context, entity);
    kin__slot_free(context, entity);
}

kin_entity kin__hold_first(const kin_context *context)
{
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        bool alive = kin_entity_creation_index(kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS]) != 0;
        if (!alive && kin__is_held(context, slot) && !kin__is_slot_being_destroyed(context, slot))
            return kin__row_of(context, slot)[0];
    }
    return 0;
}
