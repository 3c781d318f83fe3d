#include "delta/part_hash.h"

#include "base/base.h"
#include "snapshot/snapshot.h"

static void add(kin__xxh64 *hash, const kin__block *block)
{
    unsigned char pair[16];
    kin__little_write_64(pair, block->kind == KIN__BLOCK_CONTEXT ? 0 : block->chunk);
    kin__little_write_64(pair + 8, kin__block_hash(block));
    kin__xxh64_add(hash, pair, sizeof pair);
}

static void add_slots(kin__xxh64 *hash, kin__block *block)
{
    block->kind = KIN__BLOCK_CONTEXT;
    add(hash, block);
    block->kind = KIN__BLOCK_SLOTS;
    for (block->chunk = 0; block->chunk < block->part->chunk_count; block->chunk++) {
        block->image = kin__part_image(block->part, block->chunk, kin__head_number(block->part->info));
        if (kin__block_has_content(block))
            add(hash, block);
    }
}

static void add_kept(kin__xxh64 *hash, kin__block *block)
{
    uint64_t components[KIN__COMPONENT_WORDS];
    block->kind = KIN__BLOCK_KEPT;
    block->image = NULL;
    for (block->chunk = 0; block->chunk < block->part->chunk_count; block->chunk++)
        if (kin__kept_components(block->part, block->chunk, components) &&
            kin__bits_have(components, block->shape->components[block->component].id))
            add(hash, block);
}

static void add_shared(kin__xxh64 *hash, kin__block *block)
{
    uint32_t rows = kin__shared_rows(block->part, block->shape->components[block->component].id);
    block->kind = KIN__BLOCK_SHARED;
    block->image = NULL;
    for (block->chunk = 0; block->chunk < rows; block->chunk++)
        add(hash, block);
}

static void add_columns(kin__xxh64 *hash, kin__block *block)
{
    block->kind = KIN__BLOCK_COLUMN;
    for (block->chunk = 0; block->chunk < block->part->chunk_count; block->chunk++) {
        block->image = kin__part_image(block->part, block->chunk, block->shape->components[block->component].id);
        if (kin__block_has_content(block))
            add(hash, block);
    }
    if (block->part->keepsakes.size > 0)
        add_kept(hash, block);
    if (block->part->shared_count > 0)
        add_shared(hash, block);
}

uint64_t kin__part_hash(const kin__context_snapshot *part, const kin__shape *shape, uint32_t component)
{
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__block block = {.part = part, .shape = shape, .component = component};
    if (component == shape->count)
        add_slots(&hash, &block);
    else
        add_columns(&hash, &block);
    return kin__xxh64_end(&hash);
}
