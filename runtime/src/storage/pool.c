#include "storage/pool.h"

#include "base/assertion.h"
#include "core/frame.h"
#include "storage/chunk.h"

#include <kin/generated/blueprint.h>

#include <string.h>

static uint32_t next_of(const kin_context *context, uint32_t slot)
{
    return (uint32_t)kin__row_of(context, slot)[0];
}

// ---- freed ones

// The run at the front of a list, which goes on behind it.
static kin__run take_listed(const kin_context *context, uint32_t *list, uint32_t most)
{
    uint32_t first = *list, last = first, next = next_of(context, last);
    kin__run run = {.count = 1, .descends = next + 1 == first};
    while (run.count < most && next == (run.descends ? last - 1 : last + 1) &&
           next / KIN__CHUNK_SLOTS == first / KIN__CHUNK_SLOTS) {
        last = next;
        next = next_of(context, last);
        run.count++;
    }
    run.first = run.descends ? last : first;
    *list = next;
    return run;
}

// ---- fresh ones

// After a reset a slot may still be held or being stripped.
static bool is_usable(const kin_context *context, uint32_t slot)
{
    return !kin__is_held(context, slot) && !kin__is_slot_being_destroyed(context, slot);
}

static bool is_all_usable(const kin_context *context, uint32_t number)
{
    return context->chunks[number]->holders == NULL && context->core->dispatch.frames == NULL;
}

static bool is_marked(const kin__pool *pool, uint32_t slot)
{
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    return kin__bits_have(pool->usable, place);
}

// The next run of a chunk, from `slot` on, in which not all are usable. Without one it ends at the end of the chunk.
static void find_run(kin__pool *pool, uint32_t slot)
{
    uint32_t end = (slot / KIN__CHUNK_SLOTS + 1) * KIN__CHUNK_SLOTS;
    while (slot < end && !is_marked(pool, slot))
        slot++;
    pool->fresh = slot;
    while (slot < end && is_marked(pool, slot))
        slot++;
    pool->fresh_end = slot;
}

static void open_chunk(const kin_context *context, kin__pool *pool, uint32_t number)
{
    uint32_t first = number * KIN__CHUNK_SLOTS;
    pool->fresh = first;
    pool->fresh_end = first + KIN__CHUNK_SLOTS;
    if (is_all_usable(context, number))
        return;
    memset(pool->usable, 0, sizeof pool->usable);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        kin__bits_write(pool->usable, place, is_usable(context, first + place));
    find_run(pool, first);
}

// Whether the newest chunk may have another run.
static bool goes_on(const kin__pool *pool)
{
    return pool->fresh_end % KIN__CHUNK_SLOTS != 0;
}

static kin__run take_fresh(kin__pool *pool, uint32_t most)
{
    uint32_t left = pool->fresh_end - pool->fresh;
    kin__run run = {.first = pool->fresh, .count = left < most ? left : most};
    pool->fresh += run.count;
    return run;
}

// ---- looking

kin__prospect kin__prospect_begin(kin_context *context, const kin__pool *pool)
{
    return (kin__prospect){context, *pool, context->core->slots.given};
}

kin_status kin__prospect_next(kin__prospect *prospect, uint32_t most, kin__run *run)
{
    kin_context *context = prospect->context;
    kin__pool *pool = &prospect->pool;
    if (pool->free_slot != KIN__NO_SLOT) {
        *run = take_listed(context, &pool->free_slot, most);
        return KIN_OK;
    }
    while (pool->fresh == pool->fresh_end) {
        if (goes_on(pool)) {
            find_run(pool, pool->fresh_end);
            continue;
        }
        if (prospect->number == KIN__MAX_SLOTS / KIN__CHUNK_SLOTS)
            return KIN_ERROR_LIMIT;
        if (prospect->number == context->chunk_count && !kin__chunk_append(context))
            return KIN_ERROR_NO_MEMORY;
        open_chunk(context, pool, prospect->number++);
    }
    *run = take_fresh(pool, most);
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

// Before a reset the chunk may have had a list through its rows. Who holds a dead entity still needs its row.
static void clear_rows(const kin_context *context, uint32_t number)
{
    uint32_t first = number * KIN__CHUNK_SLOTS;
    for (uint32_t slot = first; slot < first + KIN__CHUNK_SLOTS; slot++)
        if (is_usable(context, slot))
            kin__row_of(context, slot)[0] = 0;
}

// The pool takes the next chunk.
static void give_chunk(kin_context *context, kin__pool *pool)
{
    uint32_t number = context->core->slots.given++;
    kin__chunk *chunk = context->chunks[number];
    if (chunk->pool != NULL)
        clear_rows(context, number);
    chunk->pool = pool;
    open_chunk(context, pool, number);
}

static void refill(kin_context *context, kin__pool *pool)
{
    while (kin__pool_next(pool) == KIN__NO_SLOT)
        if (goes_on(pool))
            find_run(pool, pool->fresh_end);
        else
            give_chunk(context, pool);
}

kin_entity kin__pool_take(kin_context *context, kin__pool *pool)
{
    refill(context, pool);
    return kin__slot_take(context, pool, context->row_words);
}

kin__run kin__pool_take_run(kin_context *context, kin__pool *pool, uint32_t most)
{
    refill(context, pool);
    return pool->free_slot != KIN__NO_SLOT ? take_listed(context, &pool->free_slot, most) : take_fresh(pool, most);
}

static void reset(kin__pool *pool)
{
    pool->free_slot = KIN__NO_SLOT;
    pool->fresh = pool->fresh_end = 0;
}

void kin__slots_reset(kin_context *context)
{
    kin__core *core = context->core;
    core->slots.created_before = kin__created_count(context);
    core->slots.given = 0;
    context->next_creation_index = core->options.first_creation_index;
    context->fast_end = 0;
    reset(&context->pool);
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        reset(&context->blueprints[i].pool);
}

// ---- counting

static uint32_t count_fresh(const kin__pool *pool)
{
    uint32_t count = pool->fresh_end - pool->fresh;
    for (uint32_t slot = pool->fresh_end; slot % KIN__CHUNK_SLOTS != 0; slot++)
        count += is_marked(pool, slot);
    return count;
}

// Those that wait since before a reset in chunks that are nobody's yet.
static uint32_t count_waiting_beyond(const kin_context *context)
{
    uint32_t count = 0, end = context->chunk_count * KIN__CHUNK_SLOTS;
    if (context->core->slots.pending == 0)
        return 0;
    for (uint32_t slot = context->core->slots.given * KIN__CHUNK_SLOTS; slot < end; slot++)
        count += !is_usable(context, slot);
    return count;
}

// The slots of the pools' chunks, but those that are in use or were not used yet.
uint32_t kin__pools_reusable(const kin_context *context)
{
    uint32_t count = context->core->slots.given * KIN__CHUNK_SLOTS - count_fresh(&context->pool);
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        count -= count_fresh(&context->blueprints[i].pool);
    return count - (kin__slots_used(context) - count_waiting_beyond(context));
}

// ---- validation

static bool is_free(const kin_context *context, const kin__pool *pool, uint32_t slot)
{
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    return chunk->pool == pool && !kin__bits_have(chunk->alive, place);
}

static bool is_fresh_valid(const kin_context *context, const kin__pool *pool)
{
    for (uint32_t slot = pool->fresh; slot < pool->fresh_end; slot++)
        for (uint32_t word = 0; word < context->row_words; word++)
            if (!is_free(context, pool, slot) || kin__row_of(context, slot)[word] != 0)
                return false;
    return true;
}

// Counts what is in the list. Only free slots of the pool's chunks are, and it ends.
static bool is_valid(const kin_context *context, const kin__pool *pool, uint32_t *count)
{
    uint32_t most = context->core->slots.given * KIN__CHUNK_SLOTS;
    for (uint32_t slot = pool->free_slot; slot != KIN__NO_SLOT; slot = next_of(context, slot))
        if (slot >= most || ++*count > most || !is_free(context, pool, slot))
            return false;
    return is_fresh_valid(context, pool);
}

bool kin__pools_are_valid(const kin_context *context)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        if (!is_valid(context, &context->blueprints[i].pool, &count))
            return false;
    return is_valid(context, &context->pool, &count) && count == kin__pools_reusable(context);
}
