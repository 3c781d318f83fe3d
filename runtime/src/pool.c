#include "pool.h"

#include "assertion.h"
#include "blueprint.h"
#include "chunk.h"
#include "dispatch.h"

static uint64_t next_of(const kin_context *context, uint32_t slot)
{
    return kin__row_of(context, slot)[0];
}

// ---- looking

// The run at the front of a list, which goes on behind it.
static kin__run run_of(const kin_context *context, uint32_t *list, uint32_t most)
{
    uint32_t first = *list, last = first;
    uint64_t next = next_of(context, last);
    kin__run run = {.count = 1, .reused = (uint32_t)(next >> 32)};
    run.descends = (uint32_t)next + 1 == first;
    while (run.count < most && (uint32_t)next == (run.descends ? last - 1 : last + 1) &&
           (uint32_t)next / KIN__CHUNK_SLOTS == first / KIN__CHUNK_SLOTS) {
        last = (uint32_t)next;
        next = next_of(context, last);
        run.reused += (uint32_t)(next >> 32);
        run.count++;
    }
    run.first = run.descends ? last : first;
    *list = (uint32_t)next;
    return run;
}

// After a reset a slot may still be held or being stripped.
static bool is_usable(const kin_context *context, uint32_t slot)
{
    return !kin__is_held(context, slot) && !kin__is_slot_stripped(context, slot);
}

static bool is_all_usable(const kin_context *context, uint32_t number)
{
    return context->chunks[number]->holders == NULL && context->core->dispatch.frames == NULL;
}

// The first run of usable slots in a chunk that is nobody's, from `slot` on; its count is 0 when there is none.
static kin__run fresh_run(const kin_context *context, uint32_t slot, uint32_t most)
{
    uint32_t end = (slot / KIN__CHUNK_SLOTS + 1) * KIN__CHUNK_SLOTS;
    kin__run run = {.first = slot};
    if (is_all_usable(context, slot / KIN__CHUNK_SLOTS)) {
        run.count = end - slot < most ? end - slot : most;
        return run;
    }
    while (run.first < end && !is_usable(context, run.first))
        run.first++;
    while (run.first + run.count < end && run.count < most && is_usable(context, run.first + run.count))
        run.count++;
    return run;
}

kin__prospect kin__prospect_begin(kin_context *context, const kin__pool *pool)
{
    return (kin__prospect){context, pool->free_slot, context->core->slots.given * KIN__CHUNK_SLOTS};
}

kin_status kin__prospect_next(kin__prospect *prospect, uint32_t most, kin__run *run)
{
    kin_context *context = prospect->context;
    if (prospect->listed != KIN__NO_SLOT) {
        *run = run_of(context, &prospect->listed, most);
        return KIN_OK;
    }
    for (run->count = 0; run->count == 0; prospect->fresh = run->first + run->count) {
        uint32_t number = prospect->fresh / KIN__CHUNK_SLOTS;
        if (number == KIN__MAX_SLOTS / KIN__CHUNK_SLOTS)
            return KIN_ERROR_LIMIT;
        if (number == context->chunk_count && !kin__chunk_append(context))
            return KIN_ERROR_NO_MEMORY;
        *run = fresh_run(context, prospect->fresh, most);
    }
    return KIN_OK;
}

kin_status kin__pool_reserve(kin_context *context, const kin__pool *pool, uint32_t *slot)
{
    kin__run run = {.count = 0};
    kin__prospect prospect = kin__prospect_begin(context, pool);
    kin_status status = kin__prospect_next(&prospect, 1, &run);
    *slot = run.first;
    return status;
}

// ---- giving

// The pool takes the next chunk; of its usable slots those from `place` on become free, the lowest in front.
static void give_chunk(kin_context *context, kin__pool *pool, uint32_t place)
{
    uint32_t number = context->core->slots.given++;
    kin__chunk *chunk = context->chunks[number];
    chunk->pool = pool;
    for (uint32_t i = KIN__CHUNK_SLOTS; i-- > place;) {
        uint32_t slot = number * KIN__CHUNK_SLOTS + i;
        if (!is_usable(context, slot))
            continue;
        chunk->ids[i] = kin__nobody(slot);
        kin__chunk_row(chunk, context->row_words, i)[0] = pool->free_slot;
        pool->free_slot = slot;
    }
}

kin_entity kin__pool_take(kin_context *context, kin__pool *pool)
{
    while (pool->free_slot == KIN__NO_SLOT)
        give_chunk(context, pool, 0);
    return kin__slot_take(context, pool, context->row_words);
}

kin__run kin__pool_take_run(kin_context *context, kin__pool *pool, uint32_t most)
{
    uint32_t given = context->core->slots.given;
    if (pool->free_slot == KIN__NO_SLOT && is_all_usable(context, given)) {
        uint32_t count = most < KIN__CHUNK_SLOTS ? most : KIN__CHUNK_SLOTS;
        give_chunk(context, pool, count);
        return (kin__run){.first = given * KIN__CHUNK_SLOTS, .count = count};
    }
    while (pool->free_slot == KIN__NO_SLOT)
        give_chunk(context, pool, 0);
    kin__run run = run_of(context, &pool->free_slot, most);
    context->reusable -= run.reused;
    return run;
}

void kin__slots_reset(kin_context *context)
{
    kin__core *core = context->core;
    core->slots.births_before = kin__births(context);
    core->slots.given = 0;
    context->next_creation_index = core->options.first_creation_index;
    context->plain_end = 0;
    context->pool.free_slot = KIN__NO_SLOT;
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        context->blueprints[i].pool.free_slot = KIN__NO_SLOT;
    context->reusable = 0;
}

// ---- validation

// The list visits only dead slots of the pool's chunks, and ends.
static bool is_valid(const kin_context *context, const kin__pool *pool)
{
    uint32_t count = 0, most = context->core->slots.given * KIN__CHUNK_SLOTS;
    for (uint32_t slot = pool->free_slot; slot != KIN__NO_SLOT; slot = (uint32_t)next_of(context, slot)) {
        uint32_t place = slot % KIN__CHUNK_SLOTS;
        if (slot >= most || ++count > most)
            return false;
        const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        if (chunk->pool != pool || (chunk->alive[place / 64] >> (place % 64) & 1) != 0)
            return false;
    }
    return true;
}

bool kin__pools_are_valid(const kin_context *context)
{
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        if (!is_valid(context, &context->blueprints[i].pool))
            return false;
    return is_valid(context, &context->pool);
}
