/// Creating entities inline, for generated code only. Changes with the interface version.
///
/// Free slots are linked through their rows. Without free slots, the next unused slot is taken: a counter is
/// incremented, which needs no load from memory, so that building a level, which creates many entities in a row, is
/// fast.
#ifndef KIN_INTERNAL_CREATE_H
#define KIN_INTERNAL_CREATE_H

#include <kin/generated/storage.h>

KIN_BEGIN_DECLARATIONS

// Returns the next slot of a pool, or KIN__NO_SLOT when only the library can provide one.
static inline uint32_t kin__pool_next(const kin__pool *pool)
{
    if (pool->free_slot != KIN__NO_SLOT || pool->fresh == pool->fresh_end)
        return pool->free_slot;
    return pool->fresh;
}

// Takes the next slot of a pool, which kin__pool_next returned, for a new entity. The caller has checked that there is
// one and that no limit is reached.
static inline kin_entity kin__slot_take(kin_context *context, kin__pool *pool, uint32_t slot, uint32_t row_words)
{
    kin__chunk *chunk = context->chunks[slot / KIN__CHUNK_SLOTS];
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    if (slot == pool->free_slot) {
        uint64_t *row = kin__chunk_row(chunk, row_words, place);
        pool->free_slot = (uint32_t)row[0];
        row[0] = 0;
    } else
        pool->fresh = slot + 1;
    chunk->alive[place / 64] |= (uint64_t)1 << (place % 64);
    kin_entity entity = context->next_creation_index++ << 24 | slot;
    chunk->ids[place] = entity;
    return entity;
}

// Creates an entity. `component_count` is that of the context: the pseudo component `alive` has this id. At the limit
// of nesting, `alive` counts as watched, so that one test covers both subscribers and the limit.
//
// The slot is chosen after all tests and not by kin__pool_next: compilers then make one path for freed slots and one
// for unused slots, without a test in between.
static inline kin_entity kin__create(kin_context *context, uint32_t component_count, uint32_t row_words)
{
    kin__pool *pool = &context->pool;
    if (kin__component_of(context, component_count)->watchers != 0 ||
        context->next_creation_index >= context->fast_end || kin__pool_next(pool) == KIN__NO_SLOT)
        return kin__entity_create(context);
    uint32_t slot = pool->free_slot != KIN__NO_SLOT ? pool->free_slot : pool->fresh;
    return kin__slot_take(context, pool, slot, row_words);
}

KIN_END_DECLARATIONS

#endif
