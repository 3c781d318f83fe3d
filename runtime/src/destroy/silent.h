// Destroys an entity whose death notifies nothing, like most: clears its bits and frees its slot.
#ifndef KIN_SRC_SILENT_H
#define KIN_SRC_SILENT_H

#include "base/base.h"
#include "store/store.h"

// Returns whether the death of the entity has no watchers and notifies no subscribers (`subscribers` is 0). At the
// limit of nesting, being alive has a watcher.
static inline bool kin__entity_is_unwatched(const kin_context *context, const kin__chunk *chunk, uint32_t place,
                                            uint32_t subscribers)
{
    const kin__core *core = context->core;
    subscribers |= core->alive->watchers | core->listeners.count | core->slots.about_to_be_destroyed;
    return subscribers == 0 && context->row_words == 1 && (*kin__chunk_row(chunk, 1, place) & context->watched[0]) == 0;
}

// Returns whether the death of the entity notifies nothing and its slot becomes free at once, as the context has no
// owners.
static inline bool kin__entity_is_silent(const kin_context *context, const kin__chunk *chunk, uint32_t place,
                                         uint32_t subscribers)
{
    return kin__entity_is_unwatched(context, chunk, place, subscribers) && chunk->holders == NULL;
}

static inline void kin__entity_destroy_silently(kin_context *context, kin__chunk *chunk, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity), place = slot % KIN__CHUNK_SLOTS;
    KIN_ASSERT(kin__chunk_of(context, entity) == chunk &&
               slot / KIN__CHUNK_SLOTS < context->core->slots.assigned_chunks);
    kin__chunk_mark_dead(context, chunk, slot);
    for (uint64_t bits = *kin__chunk_row(chunk, 1, place); bits != 0; bits &= bits - 1) {
        uint32_t id = kin__lowest_bit(bits);
        KIN_ASSERT(kin__column_has(kin__chunk_columns(chunk, 1)[id], place));
        kin__chunk_columns(chunk, 1)[id]->has[place / 64] ^= (uint64_t)1 << (place % 64);
        kin__component_of(context, id)->changes++;
    }
    kin__pool_put(chunk, slot, 1);
    KIN_VALIDATE(kin__slot_is_valid(context, slot));
}

#endif
