#include "store/internal.h"

#include <kin/generated/blueprint.h>

#include <string.h>

// Returns the next slot in the list of a pool; the row of a listed slot stores it.
static uint32_t next_of(const kin_context *context, uint32_t slot)
{
    return (uint32_t)kin__row_of(context, slot)[0];
}

// ---- freed slots

// Takes the run at the front of a list, which then continues after it.
static kin__run take_freed(const kin_context *context, uint32_t *list, uint32_t most)
{
    uint32_t first = *list;
    uint32_t last = first;
    uint32_t next = next_of(context, last);
    kin__run run = {.count = 1, .descends = next + 1 == first};
    KIN_ASSERT(most > 0 && first != KIN__NO_SLOT);
    while (run.count < most && next == (run.descends ? last - 1 : last + 1) &&
           next / KIN__CHUNK_SLOTS == first / KIN__CHUNK_SLOTS) {
        last = next;
        next = next_of(context, last);
        run.count++;
    }
    run.first = run.descends ? last : first;
    *list = next;
    KIN_ASSERT(run.count <= most && run.first / KIN__CHUNK_SLOTS == first / KIN__CHUNK_SLOTS);
    return run;
}

// ---- unused slots

// After a reset a slot may still be held, or its entity being destroyed.
static bool is_usable(const kin_context *context, uint32_t slot)
{
    return !kin__is_held(context, slot) && !kin__is_slot_being_destroyed(context, slot);
}

static bool is_chunk_usable(const kin_context *context, uint32_t number)
{
    return context->chunks[number]->holders == NULL && context->core->dispatch.frames == NULL;
}

static bool is_marked(const kin__pool *pool, uint32_t slot)
{
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    return kin__bits_have(pool->usable, place);
}

// Finds the next run of a chunk with unusable slots, from `slot` on. If there is none, the run is empty, at the end of
// the chunk.
static void find_run(kin__pool *pool, uint32_t slot)
{
    uint32_t end = (slot / KIN__CHUNK_SLOTS + 1) * KIN__CHUNK_SLOTS;
    while (slot < end && !is_marked(pool, slot))
        slot++;
    pool->fresh = slot;
    while (slot < end && is_marked(pool, slot))
        slot++;
    pool->fresh_end = slot;
    KIN_ASSERT(pool->fresh <= pool->fresh_end && pool->fresh_end <= end);
}

static void open_chunk(const kin_context *context, kin__pool *pool, uint32_t number)
{
    uint32_t first = number * KIN__CHUNK_SLOTS;
    KIN_ASSERT(number < context->chunk_count);
    pool->fresh = first;
    pool->fresh_end = first + KIN__CHUNK_SLOTS;
    if (is_chunk_usable(context, number))
        return;
    memset(pool->usable, 0, sizeof pool->usable);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        kin__bits_write(pool->usable, place, is_usable(context, first + place));
    find_run(pool, first);
}

// Returns whether the newest chunk may have another run.
static bool may_have_run(const kin__pool *pool)
{
    return pool->fresh_end % KIN__CHUNK_SLOTS != 0;
}

static kin__run take_fresh(kin__pool *pool, uint32_t most)
{
    uint32_t length = pool->fresh_end - pool->fresh;
    kin__run run = {.first = pool->fresh, .count = length < most ? length : most};
    KIN_ASSERT(run.count > 0);
    pool->fresh += run.count;
    return run;
}

// ---- previewing

kin__pool_preview kin__pool_preview_begin(kin_context *context, const kin__pool *pool)
{
    return (kin__pool_preview){context, *pool, context->core->slots.assigned_chunks};
}

kin_status kin__pool_preview_next(kin__pool_preview *preview, uint32_t most, kin__run *run)
{
    kin_context *context = preview->context;
    kin__pool *pool = &preview->pool;
    KIN_ASSERT(most > 0);
    if (pool->free_slot != KIN__NO_SLOT) {
        *run = take_freed(context, &pool->free_slot, most);
        return KIN_OK;
    }
    while (pool->fresh == pool->fresh_end) {
        if (may_have_run(pool)) {
            find_run(pool, pool->fresh_end);
            continue;
        }
        if (preview->number == KIN__MAX_SLOTS / KIN__CHUNK_SLOTS)
            return KIN_ERROR_LIMIT;
        if (preview->number == context->chunk_count && !kin__chunk_append(context))
            return KIN_ERROR_NO_MEMORY;
        open_chunk(context, pool, preview->number++);
    }
    *run = take_fresh(pool, most);
    return KIN_OK;
}

kin_status kin__pool_reserve(kin_context *context, const kin__pool *pool, uint32_t *slot)
{
    kin__run run = {.count = 0};
    kin__pool_preview preview = kin__pool_preview_begin(context, pool);
    kin_status status = kin__pool_preview_next(&preview, 1, &run);
    *slot = run.first;
    return status;
}

// ---- taking

// Rows may still have the links of a list from before a reset. The row of a held slot stores its handle, and stays.
static void clear_rows(const kin_context *context, uint32_t number)
{
    uint32_t first = number * KIN__CHUNK_SLOTS;
    for (uint32_t slot = first; slot < first + KIN__CHUNK_SLOTS; slot++)
        if (is_usable(context, slot))
            kin__row_of(context, slot)[0] = 0;
}

// Assigns the next chunk to the pool.
static void assign_chunk(kin_context *context, kin__pool *pool)
{
    uint32_t number = context->core->slots.assigned_chunks++;
    KIN_ASSERT(number < context->chunk_count);
    kin__chunk *chunk = context->chunks[number];
    if (chunk->pool != NULL)
        clear_rows(context, number);
    chunk->pool = pool;
    open_chunk(context, pool, number);
}

// Makes sure that the pool has a next slot. The chunk for it was reserved.
static void refill(kin_context *context, kin__pool *pool)
{
    while (kin__pool_next(pool) == KIN__NO_SLOT)
        if (may_have_run(pool))
            find_run(pool, pool->fresh_end);
        else
            assign_chunk(context, pool);
}

kin_entity kin__pool_take(kin_context *context, kin__pool *pool)
{
    refill(context, pool);
    KIN_ASSERT(context->next_creation_index <= KIN__MAX_CREATION_INDEX);
    return kin__slot_take(context, pool, kin__pool_next(pool), context->row_words);
}

kin__run kin__pool_take_run(kin_context *context, kin__pool *pool, uint32_t most)
{
    refill(context, pool);
    return pool->free_slot != KIN__NO_SLOT ? take_freed(context, &pool->free_slot, most) : take_fresh(pool, most);
}

static void reset(kin__pool *pool)
{
    pool->free_slot = KIN__NO_SLOT;
    pool->fresh = pool->fresh_end = 0;
}

void kin__slots_reset(kin_context *context)
{
    kin__core *core = context->core;
    KIN_ASSERT(kin__living(context) == 0);
    core->slots.created_before = kin__created_count(context);
    core->slots.assigned_chunks = 0;
    context->next_creation_index = core->options.first_creation_index;
    context->fast_end = 0;
    reset(&context->pool);
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        reset(&context->blueprints[i].pool);
}

// ---- held slots

bool kin__slot_keep_held(kin_context *context, kin__chunk *chunk, kin_entity entity)
{
    kin__slots *slots = &context->core->slots;
    uint32_t slot = kin_entity_slot(entity);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    KIN_ASSERT(slots->counts_holders && !kin__bits_have(chunk->alive, place));
    chunk->holders[place] += kin__entries_of_slot(context, slot);
    if (chunk->holders[place] == 0)
        return false;
    kin__chunk_row(chunk, context->row_words, place)[0] = entity;
    slots->held++;
    KIN_ASSERT(slots->held <= slots->pending);
    return true;
}

// ---- counting

static uint32_t count_fresh(const kin__pool *pool)
{
    uint32_t count = pool->fresh_end - pool->fresh;
    for (uint32_t slot = pool->fresh_end; slot % KIN__CHUNK_SLOTS != 0; slot++)
        count += is_marked(pool, slot);
    return count;
}

// Returns how many slots of unassigned chunks have been pending since before a reset.
static uint32_t count_pending_unassigned(const kin_context *context)
{
    uint32_t count = 0;
    uint32_t end = context->chunk_count * KIN__CHUNK_SLOTS;
    if (context->core->slots.pending == 0)
        return 0;
    for (uint32_t slot = context->core->slots.assigned_chunks * KIN__CHUNK_SLOTS; slot < end; slot++)
        count += !is_usable(context, slot);
    return count;
}

// The slots of the pools' chunks without those in use and the fresh ones.
uint32_t kin__pools_reusable(const kin_context *context)
{
    uint32_t count = context->core->slots.assigned_chunks * KIN__CHUNK_SLOTS - count_fresh(&context->pool);
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        count -= count_fresh(&context->blueprints[i].pool);
    return count - (kin__slots_used(context) - count_pending_unassigned(context));
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

// Checks invariant 1, and counts the slots in the list.
static bool is_valid(const kin_context *context, const kin__pool *pool, uint32_t *count)
{
    uint32_t most = context->core->slots.assigned_chunks * KIN__CHUNK_SLOTS;
    for (uint32_t slot = pool->free_slot; slot != KIN__NO_SLOT; slot = next_of(context, slot))
        if (slot >= most || ++*count > most || !is_free(context, pool, slot))
            return false;
    return is_fresh_valid(context, pool);
}

// Invariant 2.
static bool is_assignment_valid(const kin_context *context)
{
    for (uint32_t i = 0; i < context->core->slots.assigned_chunks; i++)
        if (i >= context->chunk_count || context->chunks[i]->pool == NULL)
            return false;
    return true;
}

bool kin__pools_are_valid(const kin_context *context)
{
    uint32_t count = 0;
    if (!is_assignment_valid(context))
        return false;
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        if (!is_valid(context, &context->blueprints[i].pool, &count))
            return false;
    return is_valid(context, &context->pool, &count) && count == kin__pools_reusable(context);
}

enum { MOST_CELLS = 64, MOST_BYTES = 1 << 16, POISON = 0xDB };

struct kin__slab {
    _Alignas(KIN__CACHE_LINE) struct block *blocks; // all of them
    struct block *open;                             // blocks with a free cell
    uint32_t cell_count;
};

typedef struct block {
    _Alignas(KIN__CACHE_LINE) struct block *next;
    struct block *next_open;
    uint64_t free;
    uint32_t cell_count;
} block;

static size_t value_size(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].size;
}

// Returns the size of a cell: a value, a pointer to its block, and padding that aligns both.
static size_t stride_of(const kin_context *context, kin_component_id id)
{
    size_t alignment = context->info->components[id].alignment;
    if (alignment < _Alignof(block *))
        alignment = _Alignof(block *);
    return (value_size(context, id) + sizeof(block *) + alignment - 1) / alignment * alignment;
}

static block **owner_of(const kin_context *context, kin_component_id id, void *cell)
{
    return (block **)(void *)((char *)cell + stride_of(context, id) - sizeof(block *));
}

static size_t slab_size(const kin_context *context, kin_component_id id)
{
    return sizeof(kin__slab) + value_size(context, id);
}

static size_t block_size(const kin_context *context, kin_component_id id, uint32_t cell_count)
{
    return sizeof(block) + cell_count * stride_of(context, id);
}

static uint64_t all_free(uint32_t cell_count)
{
    KIN_ASSERT(cell_count > 0 && cell_count <= MOST_CELLS);
    return ~(uint64_t)0 >> (MOST_CELLS - cell_count);
}

static kin__slab *slab_of(const kin_context *context, kin_component_id id)
{
    kin__slab **slabs = context->core->slabs;
    return slabs == NULL ? NULL : slabs[id];
}

static size_t table_size(const kin_context *context)
{
    return context->info->component_count * sizeof(kin__slab *);
}

bool kin__slab_reserve(kin_context *context, kin_component_id id)
{
    kin__core *core = context->core;
    KIN_ASSERT(context->info->components[id].is_boxed);
    if (core->slabs == NULL)
        core->slabs = kin__allocate_zero(&core->column_memory, table_size(context));
    if (core->slabs == NULL)
        return false;
    if (core->slabs[id] == NULL)
        core->slabs[id] = kin__allocate_zero(&core->column_memory, slab_size(context, id));
    return core->slabs[id] != NULL;
}

void *kin__slab_spare(const kin_context *context, kin_component_id id)
{
    KIN_ASSERT(slab_of(context, id) != NULL);
    return slab_of(context, id) + 1;
}

// Returns how many cells the next block has: as many as the slab has, at most MOST_CELLS and what fits into MOST_BYTES,
// but at least one.
static uint32_t next_count(const kin_context *context, kin_component_id id)
{
    size_t most = MOST_BYTES / stride_of(context, id);
    size_t count = slab_of(context, id)->cell_count;
    if (most > MOST_CELLS)
        most = MOST_CELLS;
    if (count > most)
        count = most;
    return count == 0 ? 1 : (uint32_t)count;
}

static bool append_block(kin_context *context, kin_component_id id)
{
    kin__slab *slab = slab_of(context, id);
    uint32_t count = next_count(context, id);
    block *made = kin__allocate(&context->core->column_memory, block_size(context, id, count));
    if (made == NULL)
        return false;
    *made = (block){.next = slab->blocks, .next_open = slab->open, .free = all_free(count), .cell_count = count};
    slab->blocks = slab->open = made;
    slab->cell_count += count;
    return true;
}

bool kin__slab_reserve_cells(kin_context *context, kin_component_id id, uint32_t count)
{
    uint32_t free = 0;
    if (count > 0 && !kin__slab_reserve(context, id))
        return false;
    for (const block *each = count == 0 ? NULL : slab_of(context, id)->open; each != NULL; each = each->next_open)
        free += kin__count_bits(each->free);
    for (; free < count; free += slab_of(context, id)->blocks->cell_count)
        if (!append_block(context, id))
            return false;
    return true;
}

void *kin__slab_take(kin_context *context, kin_component_id id)
{
    kin__slab *slab = slab_of(context, id);
    KIN_ASSERT(slab != NULL);
    if (slab->open == NULL && !append_block(context, id))
        return NULL;
    block *open = slab->open;
    KIN_ASSERT(open->free != 0);
    void *cell = (char *)(open + 1) + kin__lowest_bit(open->free) * stride_of(context, id);
    open->free &= open->free - 1;
    if (open->free == 0)
        slab->open = open->next_open;
    *owner_of(context, id, cell) = open;
    return cell;
}

void kin__slab_put(kin_context *context, kin_component_id id, void *cell)
{
    if (cell == NULL)
        return;
    kin__slab *slab = slab_of(context, id);
    KIN_ASSERT(cell != kin__slab_spare(context, id));
    block *owner = *owner_of(context, id, cell);
    size_t number = (size_t)((char *)cell - (char *)(owner + 1)) / stride_of(context, id);
    KIN_ASSERT(number < owner->cell_count && (owner->free >> number & 1) == 0);
    if (owner->free == 0) {
        owner->next_open = slab->open;
        slab->open = owner;
    }
    owner->free |= (uint64_t)1 << number;
#ifdef KIN_CHECKED
    memset(cell, POISON, value_size(context, id));
#endif
}

// Releases empty blocks. Rebuilds the list of open blocks, in which they may be anywhere.
static void trim_blocks(kin_context *context, kin_component_id id)
{
    kin__slab *slab = slab_of(context, id);
    slab->open = NULL;
    for (block **link = &slab->blocks; *link != NULL;) {
        block *each = *link;
        if (each->free == all_free(each->cell_count)) {
            *link = each->next;
            KIN_ASSERT(slab->cell_count >= each->cell_count);
            slab->cell_count -= each->cell_count;
            kin__release(&context->core->column_memory, each, block_size(context, id, each->cell_count));
            continue;
        }
        if (each->free != 0) {
            each->next_open = slab->open;
            slab->open = each;
        }
        link = &each->next;
    }
}

void kin__slabs_trim(kin_context *context)
{
    kin__core *core = context->core;
    uint32_t left = 0;
    for (uint32_t i = 0; core->slabs != NULL && i < context->info->component_count; i++) {
        kin_component_id id = (kin_component_id)i;
        if (core->slabs[i] == NULL)
            continue;
        trim_blocks(context, id);
        KIN_ASSERT((core->slabs[i]->blocks == NULL) == (core->slabs[i]->cell_count == 0));
        if (core->slabs[i]->blocks == NULL && kin__shared_count(context, id) == 0) {
            kin__release(&core->column_memory, core->slabs[i], slab_size(context, id));
            core->slabs[i] = NULL;
        }
        left += core->slabs[i] != NULL;
    }
    if (left > 0)
        return;
    kin__release(&core->column_memory, core->slabs, table_size(context));
    core->slabs = NULL;
}

void kin__slabs_release(kin_context *context)
{
    kin__slabs_trim(context);
    KIN_ASSERT(context->core->slabs == NULL);
}
