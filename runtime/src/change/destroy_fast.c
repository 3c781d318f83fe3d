// Destroys an entity where nothing is notified (fast.h), as for most: clears its bits and frees its slot. Calls destroy.c
// for everything else.

#include "base/assertion.h"
#include "change/destroy.h"
#include "change/fast.h"
#include "storage/chunk.h"
#include "storage/pool.h"
#include "storage/slot.h"

// Whether the entity has no subscribers, watchers or holders. At the limit of nesting being alive has a watcher.
static inline bool is_fast(const kin_context *context, kin__chunk *chunk, uint32_t place)
{
    const kin__core *core = context->core;
    uint32_t subscribers = core->alive->watchers | core->events.destroy_subscribers | core->listeners.count |
                           core->slots.about_to_be_destroyed;
    return subscribers == 0 && context->row_words == 1 &&
           (*kin__chunk_row(chunk, 1, place) & context->watched[0]) == 0 &&
           (chunk->holders == NULL || chunk->holders[place] == 0);
}

static inline void end(kin_context *context, kin__chunk *chunk, kin_entity entity)
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

void kin__entity_end_fast(kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_of_slot(context, kin_entity_slot(entity));
    if (is_fast(context, chunk, kin_entity_slot(entity) % KIN__CHUNK_SLOTS))
        end(context, chunk, entity);
    else
        kin__entity_end(context, entity);
}

kin_status kin__entity_destroy_fast(kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_of(context, entity);
    if (chunk == NULL || !is_fast(context, chunk, kin_entity_slot(entity) % KIN__CHUNK_SLOTS))
        return kin__entity_destroy(context, entity);
    end(context, chunk, entity);
    return KIN_OK;
}
