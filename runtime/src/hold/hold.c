#include "hold/hold.h"

#include "base/base.h"
#include "store/store.h"
#include "notify/notify.h"

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
    KIN_ASSERT(context->core->slots.counts_holders);
    return has_subscribers(context) && kin__chunk_of_slot(context, slot)->holders[slot % KIN__CHUNK_SLOTS] == 1 &&
           is_destroyed(context, slot);
}

void kin__hold_remove_general(kin_context *context, uint32_t slot)
{
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    KIN_ASSERT(chunk->holders != NULL && chunk->holders[place] > 0);
    if (--chunk->holders[place] > 0 || !is_destroyed(context, slot))
        return;
    kin_entity entity = kin__row_of(context, slot)[0]; // the handle, by invariant 4
    KIN_ASSERT(kin_entity_slot(entity) == slot && context->core->slots.held > 0);
    context->core->slots.held--;
    if (has_subscribers(context))
        kin__notify_released(context, entity);
    kin__slot_free_unheld(context, chunk, slot);
}

// The entries of an entity that is being destroyed are not counted yet.
void kin__hold_remove_entry_of_dead(kin_context *context, uint32_t slot)
{
    if (!kin__is_slot_being_destroyed(context, slot))
        kin__hold_remove_general(context, slot);
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

// ---- validation

// Whether a slot has at least the holders that must be counted. Adds those that are owners to `*owners`.
static bool is_count_valid(const kin_context *context, uint32_t slot, uint64_t *owners)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    uint32_t entries = is_destroyed(context, slot) ? kin__entries_of_slot(context, slot) : 0;
    if (chunk->holders[place] < entries)
        return false;
    *owners += chunk->holders[place] - entries;
    return !context->core->options.fast_retain ||
           chunk->holders[place] - entries == chunk->holders[KIN__CHUNK_SLOTS + place];
}

bool kin__holds_are_valid(const kin_context *context)
{
    const kin__core *core = context->core;
    uint64_t owners = 0;
    uint32_t held = 0;
    for (uint32_t slot = 0; core->slots.counts_holders && slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        if (!is_count_valid(context, slot, &owners))
            return false;
        held += kin__chunk_of_slot(context, slot)->holders[slot % KIN__CHUNK_SLOTS] > 0 && is_destroyed(context, slot);
    }
    return held == core->slots.held && (core->options.fast_retain || owners == core->owners.count);
}
