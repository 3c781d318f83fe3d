#include "recording/recording.h"

#include "snapshot/snapshot.h"

#include <string.h>

// ---- blocks that differ

// A block in both moments. `image` is NULL where it has none.
typedef struct walk {
    const kin__moments *moments;
    kin__block before, after;
    kin__delta_visitor *visit;
    void *user;
} walk;

// ---- one block

// Sets the image of a block; NULL if a file has no such block.
static void set_image(kin__block *block, kin__image *image)
{
    block->image = image;
    if (!kin__block_has_content(block))
        block->image = NULL;
}

// Visits a block that is there in one of the moments, unless it has the same content in both.
static bool visit_if_different(walk *walk, bool was_there, bool is_there)
{
    bool is_in_both = was_there && is_there;
    KIN_ASSERT(was_there || is_there);
    if (is_in_both && kin__block_hash(&walk->before) == kin__block_hash(&walk->after))
        return true;
    return walk->visit(&walk->after, !is_there, walk->user);
}

static bool visit_images(walk *walk)
{
    const kin__context_snapshot *part = walk->moments->after;
    uint32_t number = kin__head_number(part->info);
    if (walk->after.kind == KIN__BLOCK_COLUMN)
        number = walk->after.shape->components[walk->after.component].id;
    kin__image *before = kin__part_image(walk->moments->before, walk->before.chunk, number);
    kin__image *after = kin__part_image(part, walk->after.chunk, number);
    if (before == after)
        return true;
    set_image(&walk->before, before);
    set_image(&walk->after, after);
    bool was_there = walk->before.image != NULL;
    bool is_there = walk->after.image != NULL;
    if (!was_there && !is_there)
        return true;
    return visit_if_different(walk, was_there, is_there);
}

static void set_kind(walk *walk, kin__block_kind kind)
{
    walk->before.kind = kind;
    walk->after.kind = kind;
    walk->before.image = NULL;
    walk->after.image = NULL;
}

static void set_component(walk *walk, uint32_t component)
{
    walk->before.component = component;
    walk->after.component = component;
}

// ---- CTXT

static bool are_heads_shared(const kin__context_snapshot *before, const kin__context_snapshot *after)
{
    uint32_t head = kin__head_number(before->info);
    for (uint32_t chunk = 0; chunk < before->chunk_count; chunk++)
        if (kin__part_image(before, chunk, head) != kin__part_image(after, chunk, head))
            return false;
    return true;
}

// The free slots are linked in the heads.
static bool are_counts_equal(const kin__context_snapshot *before, const kin__context_snapshot *after)
{
    size_t pools = kin__part_pool_count(before->info) * sizeof *before->pools;
    size_t chunks = before->chunk_count * sizeof(uint32_t);
    if (before->counts.next_creation_index != after->counts.next_creation_index ||
        before->counts.first_creation_index != after->counts.first_creation_index)
        return false;
    if (before->chunk_count != after->chunk_count || memcmp(before->pools, after->pools, pools) != 0)
        return false;
    if (chunks > 0 && memcmp(before->chunk_pools.at, after->chunk_pools.at, chunks) != 0)
        return false;
    return are_heads_shared(before, after);
}

static bool visit_context(walk *walk)
{
    set_kind(walk, KIN__BLOCK_CONTEXT);
    if (are_counts_equal(walk->moments->before, walk->moments->after) ||
        kin__block_hash(&walk->before) == kin__block_hash(&walk->after))
        return true;
    return walk->visit(&walk->after, false, walk->user);
}

// ---- blocks of a chunk

static bool visit_columns(walk *walk)
{
    set_kind(walk, KIN__BLOCK_COLUMN);
    for (uint32_t i = 0; i < walk->moments->shape->count; i++) {
        set_component(walk, i);
        if (!visit_images(walk))
            return false;
    }
    return true;
}

static bool are_kept_equal(const kin__context_snapshot *before, const kin__context_snapshot *after)
{
    size_t size = before->keepsakes.size;
    if (size != after->keepsakes.size)
        return false;
    return size == 0 || memcmp(before->keepsakes.at, after->keepsakes.at, size) == 0;
}

static bool visit_kept(walk *walk)
{
    uint64_t had[KIN__COMPONENT_WORDS] = {0};
    uint64_t has[KIN__COMPONENT_WORDS] = {0};
    set_kind(walk, KIN__BLOCK_KEPT);
    kin__kept_components(walk->moments->before, walk->before.chunk, had);
    kin__kept_components(walk->moments->after, walk->after.chunk, has);
    for (uint32_t i = 0; i < walk->moments->shape->count; i++) {
        kin_component_id id = walk->moments->shape->components[i].id;
        bool was_there = kin__bits_have(had, id);
        bool is_there = kin__bits_have(has, id);
        set_component(walk, i);
        if (!was_there && !is_there)
            continue;
        if (!visit_if_different(walk, was_there, is_there))
            return false;
    }
    return true;
}

// ---- the order of shared values

static bool visit_shared(walk *walk)
{
    set_kind(walk, KIN__BLOCK_SHARED);
    for (uint32_t i = 0; i < walk->moments->shape->count; i++) {
        kin_component_id id = walk->moments->shape->components[i].id;
        uint32_t had = kin__shared_rows(walk->moments->before, id);
        uint32_t has = kin__shared_rows(walk->moments->after, id);
        set_component(walk, i);
        for (uint32_t row = 0; row < had || row < has; row++) {
            walk->before.chunk = walk->after.chunk = row;
            if (!visit_if_different(walk, row < had, row < has))
                return false;
        }
    }
    return true;
}

// ---- all together

// Whether all images of a chunk are the same in both moments.
static bool is_shared(const kin__moments *moments, uint32_t chunk)
{
    const kin__context_snapshot *before = moments->before;
    const kin__context_snapshot *after = moments->after;
    uint32_t words = kin__part_words(after->info);
    if (chunk >= before->chunk_count || chunk >= after->chunk_count)
        return false;
    const uint64_t *had = (const uint64_t *)before->has.at + (size_t)chunk * words;
    const uint64_t *has = (const uint64_t *)after->has.at + (size_t)chunk * words;
    kin__image *const *former = kin__part_images(before, chunk);
    kin__image *const *images = kin__part_images(after, chunk);
    for (uint32_t word = 0; word < words; word++, former += 64, images += 64) {
        if (had[word] != has[word])
            return false;
        for (uint64_t bits = has[word]; bits != 0; bits &= bits - 1)
            if (former[kin__lowest_bit(bits)] != images[kin__lowest_bit(bits)])
                return false;
    }
    return true;
}

static bool visit_chunk(walk *walk, bool may_have_kept)
{
    if (!is_shared(walk->moments, walk->after.chunk)) {
        set_kind(walk, KIN__BLOCK_SLOTS);
        set_component(walk, 0);
        if (!visit_images(walk) || !visit_columns(walk))
            return false;
    }
    return !may_have_kept || visit_kept(walk);
}

bool kin__delta_visit(const kin__moments *moments, kin__delta_visitor *visit, void *user)
{
    const kin__context_snapshot *before = moments->before;
    const kin__context_snapshot *after = moments->after;
    uint32_t chunk_count = kin__max_32(before->chunk_count, after->chunk_count);
    walk walk = {.moments = moments, .visit = visit, .user = user};
    walk.before = (kin__block){.part = before, .shape = moments->shape, .context = moments->context};
    walk.after = (kin__block){.part = after, .shape = moments->shape, .context = moments->context};
    KIN_ASSERT(before->info == after->info);
    bool may_have_kept = !are_kept_equal(before, after);
    if (!visit_context(&walk))
        return false;
    for (uint32_t chunk = 0; chunk < chunk_count; chunk++) {
        walk.before.chunk = walk.after.chunk = chunk;
        if (!visit_chunk(&walk, may_have_kept))
            return false;
    }
    return before->shared.size + after->shared.size == 0 || visit_shared(&walk);
}

// ---- hashes

static void add(kin__xxh64 *hash, const kin__block *block)
{
    unsigned char pair[16];
    uint32_t chunk = 0;
    if (block->kind != KIN__BLOCK_CONTEXT)
        chunk = block->chunk;
    kin__little_write_64(pair, chunk);
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
    if (block->part->shared.size > 0)
        add_shared(hash, block);
}

uint64_t kin__part_hash(const kin__context_snapshot *part, const kin__shape *shape, uint32_t component)
{
    kin__xxh64 hash = kin__xxh64_begin(0);
    KIN_ASSERT(component <= shape->count);
    kin__block block = {.part = part, .shape = shape, .component = component};
    if (component == shape->count)
        add_slots(&hash, &block);
    else
        add_columns(&hash, &block);
    return kin__xxh64_end(&hash);
}

bool kin__systems_hash(kin_snapshot *snapshot, uint64_t *hash)
{
    kin__xxh64 state = kin__xxh64_begin(0);
    if (snapshot->systems_functions != NULL && !snapshot->systems_functions->add_to_hash(snapshot, &state, NULL))
        return false;
    *hash = kin__xxh64_end(&state);
    return true;
}
