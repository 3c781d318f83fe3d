#include "storage/slab.h"

#include "base/base.h"
#include "storage/shared.h"

#include <string.h>

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
    size_t most = MOST_BYTES / stride_of(context, id), count = slab_of(context, id)->cell_count;
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
