// Pools: which slot a new entity gets. Each blueprint has a pool, so that entities that look alike lie side by side;
// all other entities share one, and a clone goes to that of its source.
//
//   chunks   | 0: others | 1: Bomb | 2: others | 3: Bomb | 4, 5 …: nobody's yet |
//   pool     slot → slot → …   those that were freed, the last one in front
//            fresh … fresh_end of its newest chunk those that were not used yet, which come when none of the others is
//                              left; in one go, unless a reset left slots between that are held or being stripped
//
// A pool that has none takes the context's next chunk, when an entity needs it and not before: what was only looked at
// or reserved changes nothing. A reset takes all chunks back.
//
// Invariants, checked by kin__pools_are_valid():
//   1. what a pool gives is free, and in a chunk that is the pool's; the rows of what was not used yet are empty
//   2. chunks below slots.given belong to pools, the others to nobody
#ifndef KIN_SRC_POOL_H
#define KIN_SRC_POOL_H

#include "core/core.h"

// Free slots side by side in one chunk, in the order in which they are given.
typedef struct kin__run {
    uint32_t first, count; // the lowest one
    bool descends;         // the highest one is given first
} kin__run;

// The slots that a pool will give, in order. Nothing may be taken or freed meanwhile.
typedef struct kin__prospect {
    kin_context *context;
    kin__pool pool;  // as it will be
    uint32_t number; // of the next chunk that is nobody's
} kin__prospect;

kin__prospect kin__prospect_begin(kin_context *context, const kin__pool *pool);

// The next run of at most `most` slots; makes chunks for it. KIN_ERROR_LIMIT when all are used, KIN_ERROR_NO_MEMORY.
kin_status kin__prospect_next(kin__prospect *prospect, uint32_t most, kin__run *run);

// Makes sure that a slot is free, and says which one comes next. As above.
kin_status kin__pool_reserve(kin_context *context, const kin__pool *pool, uint32_t *slot);

// Takes that slot for an entity without components.
kin_entity kin__pool_take(kin_context *context, kin__pool *pool);

// Takes the next run, whose rows and handles are the caller's to write. As many were reserved.
kin__run kin__pool_take_run(kin_context *context, kin__pool *pool, uint32_t most);

// Puts a slot in front of its pool's list, which is dead and not held.
static inline void kin__pool_put(kin__chunk *chunk, uint32_t slot, uint32_t row_words)
{
    kin__chunk_row(chunk, row_words, slot % KIN__CHUNK_SLOTS)[0] = chunk->pool->free_slot;
    chunk->pool->free_slot = slot;
}

// Frees the waiting slot of a dead entity, unless somebody holds it: then it waits for the last one to let go, with the
// handle in its row.
static inline void kin__slot_free(kin_context *context, kin_entity entity)
{
    kin__slots *slots = &context->core->slots;
    uint32_t slot = kin_entity_slot(entity), place = slot % KIN__CHUNK_SLOTS;
    kin__chunk *chunk = context->chunks[slot / KIN__CHUNK_SLOTS];
    if (chunk->holders != NULL && chunk->holders[place] > 0) {
        kin__chunk_row(chunk, context->row_words, place)[0] = entity;
        slots->held++;
        return;
    }
    slots->pending--;
    if (slot / KIN__CHUNK_SLOTS < slots->given) // else a reset took its chunk back, and will give it out again
        kin__pool_put(chunk, slot, context->row_words);
}

// Gives every slot out anew, as in a new context, passing over those that are held or being stripped.
void kin__slots_reset(kin_context *context);

// How many slots were used and are free.
uint32_t kin__pools_reusable(const kin_context *context);

bool kin__pools_are_valid(const kin_context *context);

#endif
