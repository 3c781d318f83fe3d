#include "delta/delta.h"

#include "base/bits.h"
#include "compare/hash.h"
#include "encode/kept.h"

#include <string.h>

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

static bool visit_images(walk *walk)
{
    const kin__context_snapshot *part = walk->moments->after;
    uint32_t number = walk->after.kind == KIN__BLOCK_COLUMN ? walk->after.shape->components[walk->after.component].id
                                                            : kin__head_number(part->info);
    kin__image *before = kin__part_image(walk->moments->before, walk->before.chunk, number);
    kin__image *after = kin__part_image(part, walk->after.chunk, number);
    if (before == after)
        return true;
    set_image(&walk->before, before);
    set_image(&walk->after, after);
    bool was_there = walk->before.image != NULL;
    bool is_there = walk->after.image != NULL;
    if (was_there == is_there && (!is_there || kin__block_hash(&walk->before) == kin__block_hash(&walk->after)))
        return true;
    return walk->visit(&walk->after, !is_there, walk->user);
}

static void set_kind(walk *walk, kin__block_kind kind)
{
    walk->before.kind = walk->after.kind = kind;
    walk->before.image = walk->after.image = NULL;
}

static void set_component(walk *walk, uint32_t component)
{
    walk->before.component = walk->after.component = component;
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
    return before->next_creation_index == after->next_creation_index &&
           before->first_creation_index == after->first_creation_index && before->chunk_count == after->chunk_count &&
           memcmp(before->pools, after->pools, kin__part_pool_count(before->info) * sizeof *before->pools) == 0 &&
           (before->chunk_count == 0 || memcmp(before->chunk_pools.elements, after->chunk_pools.elements,
                                               before->chunk_count * sizeof(uint32_t)) == 0) &&
           are_heads_shared(before, after);
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
    return size == after->keepsakes.size && (size == 0 || memcmp(before->keepsakes.at, after->keepsakes.at, size) == 0);
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
        if ((!was_there && !is_there) ||
            (was_there && is_there && kin__block_hash(&walk->before) == kin__block_hash(&walk->after)))
            continue;
        if (!walk->visit(&walk->after, !is_there, walk->user))
            return false;
    }
    return true;
}

// ---- the order of shared values

static bool visit_row(walk *walk, bool was_there, bool is_there)
{
    if (was_there && is_there && kin__block_hash(&walk->before) == kin__block_hash(&walk->after))
        return true;
    return walk->visit(&walk->after, !is_there, walk->user);
}

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
            if (!visit_row(walk, row < had, row < has))
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
    const uint64_t *had = (const uint64_t *)before->has.elements + (size_t)chunk * words;
    const uint64_t *has = (const uint64_t *)after->has.elements + (size_t)chunk * words;
    kin__image *const *former = kin__part_images(before, chunk), *const *images = kin__part_images(after, chunk);
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
    uint32_t chunk_count = before->chunk_count > after->chunk_count ? before->chunk_count : after->chunk_count;
    walk walk = {.moments = moments, .visit = visit, .user = user};
    walk.before = (kin__block){.part = before, .shape = moments->shape, .context = moments->context};
    walk.after = (kin__block){.part = after, .shape = moments->shape, .context = moments->context};
    bool may_have_kept = !are_kept_equal(before, after);
    if (!visit_context(&walk))
        return false;
    for (uint32_t chunk = 0; chunk < chunk_count; chunk++) {
        walk.before.chunk = walk.after.chunk = chunk;
        if (!visit_chunk(&walk, may_have_kept))
            return false;
    }
    return before->shared_count + after->shared_count == 0 || visit_shared(&walk);
}
