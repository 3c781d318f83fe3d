// Pools: choose the slot of a new entity. Each blueprint has a pool, so that its entities are side by side; all other
// entities share one. A clone uses the pool of its source.
//
//   chunks   | 0: others | 1: Bomb | 2: others | 3: Bomb | 4, 5 …: unassigned |
//   pool     free_slot → slot → …   the freed slots, the last freed first
//            fresh … fresh_end      a run of unused slots in the pool's newest chunk, used when no freed slot is left;
//                                   one run a chunk, unless slots in it were held or being destroyed at a reset
//
// A pool without free slots takes the next unassigned chunk, but only when an entity is created: previewing and
// reserving change no pool. A reset takes all chunks back from the pools. Taking and freeing a slot take constant time.
//
// Invariants, checked by kin__pools_are_valid():
//   1. the slots of a pool's list and run are free, in chunks of the pool; the rows of the run are empty
//   2. chunks below slots.assigned_chunks belong to pools, the others to none
//   3. all slots of the pools' chunks are in use, listed, or fresh
#ifndef KIN_SRC_POOL_H
#define KIN_SRC_POOL_H

#include "base/base.h"
#include "core/core.h"

// Adjacent free slots of one chunk, in the order in which the pool gives them.
typedef struct kin__run {
    uint32_t first, count; // the lowest slot
    bool descends;         // the highest slot comes first
} kin__run;

// Iterates the slots that a pool will give, in order. No slot may be taken or freed meanwhile.
typedef struct kin__pool_preview {
    kin_context *context;
    kin__pool pool;  // a copy, as it will be
    uint32_t number; // of the next unassigned chunk
} kin__pool_preview;

kin__pool_preview kin__pool_preview_begin(kin_context *context, const kin__pool *pool);

// Returns in `*run` the next run of at most `most` slots; appends chunks for it. KIN_ERROR_LIMIT if the context has no
// more slots, or KIN_ERROR_NO_MEMORY.
kin_status kin__pool_preview_next(kin__pool_preview *preview, uint32_t most, kin__run *run);

// Makes sure that the pool has a free slot, and returns the next one in `*slot`. Errors as above.
kin_status kin__pool_reserve(kin_context *context, const kin__pool *pool, uint32_t *slot);

// Takes the next slot, which was reserved, and returns a new entity without components.
kin_entity kin__pool_take(kin_context *context, kin__pool *pool);

// Takes the next run, for which the caller writes rows and handles. The caller must have reserved its slots.
kin__run kin__pool_take_run(kin_context *context, kin__pool *pool, uint32_t most);

// Puts a slot, whose entity is dead and not held, at the front of its pool's list.
static inline void kin__pool_put(kin__chunk *chunk, uint32_t slot, uint32_t row_words)
{
    KIN_ASSERT(chunk->pool != NULL && !kin__bits_have(chunk->alive, slot % KIN__CHUNK_SLOTS));
    KIN_ASSERT(chunk->pool->free_slot != slot);
    kin__chunk_row(chunk, row_words, slot % KIN__CHUNK_SLOTS)[0] = chunk->pool->free_slot;
    chunk->pool->free_slot = slot;
}

// Frees the pending slot of a dead entity that is not held.
static inline void kin__slot_free_unheld(kin_context *context, kin__chunk *chunk, uint32_t slot)
{
    kin__slots *slots = &context->core->slots;
    KIN_ASSERT(slots->pending > 0 && !kin__bits_have(chunk->alive, slot % KIN__CHUNK_SLOTS));
    KIN_ASSERT(chunk->holders == NULL || chunk->holders[slot % KIN__CHUNK_SLOTS] == 0);
    slots->pending--;
    if (slot / KIN__CHUNK_SLOTS < slots->assigned_chunks) // else a reset took the chunk back from its pool
        kin__pool_put(chunk, slot, context->row_words);
}

// Counts the entries of collectors that have a destroyed entity as its holders. If it is held, stores its handle in its
// row, until the last hold is removed. Returns whether it is held. (pool.c)
bool kin__slot_keep_held(kin_context *context, kin__chunk *chunk, kin_entity entity);

// Frees the pending slot of an entity that was destroyed just now, unless the entity is held.
static inline void kin__slot_free(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    kin__chunk *chunk = context->chunks[slot / KIN__CHUNK_SLOTS];
    if (chunk->holders != NULL && kin__slot_keep_held(context, chunk, entity))
        return;
    kin__slot_free_unheld(context, chunk, slot);
}

// Takes all chunks back, so that slots are given in order as in a new context. Slots that are held or being destroyed
// are skipped. All entities are dead.
void kin__slots_reset(kin_context *context);

// Returns how many slots are in the pools' lists, computed from the counts of the context.
uint32_t kin__pools_reusable(const kin_context *context);

bool kin__pools_are_valid(const kin_context *context);

#endif
