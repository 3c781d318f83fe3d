#include "delta/delta.h"

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

static bool has_bits(const uint64_t words[KIN__CHUNK_WORDS])
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < KIN__CHUNK_WORDS; i++)
        any |= words[i];
    return any != 0;
}

// Returns the image of a block that says something; NULL: there is no such block.
static kin__image *image_of(const kin__context_snapshot *part, const kin__block *block)
{
    bool is_column = block->kind == KIN__BLOCK_COLUMN;
    uint32_t number = is_column ? block->shape->components[block->component].id : kin__head_number(part->info);
    kin__image *image = kin__part_image(part, block->chunk, number);
    if (image == NULL || !has_bits(is_column ? kin__image_has(image) : kin__image_alive(image)))
        return NULL;
    return image;
}

static bool visit_images(walk *walk)
{
    kin__image *before = walk->before.image = image_of(walk->moments->before, &walk->before);
    kin__image *after = walk->after.image = image_of(walk->moments->after, &walk->after);
    if (before == after ||
        (before != NULL && after != NULL && kin__block_hash(&walk->before) == kin__block_hash(&walk->after)))
        return true;
    return walk->visit(&walk->after, after == NULL, walk->user);
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
    uint64_t had[KIN__COMPONENT_WORDS] = {0}, has[KIN__COMPONENT_WORDS] = {0};
    set_kind(walk, KIN__BLOCK_KEPT);
    kin__kept_components(walk->moments->before, walk->before.chunk, had);
    kin__kept_components(walk->moments->after, walk->after.chunk, has);
    for (uint32_t i = 0; i < walk->moments->shape->count; i++) {
        kin_component_id id = walk->moments->shape->components[i].id;
        bool was_there = kin__bits_have(had, id), is_there = kin__bits_have(has, id);
        set_component(walk, i);
        if ((!was_there && !is_there) ||
            (was_there && is_there && kin__block_hash(&walk->before) == kin__block_hash(&walk->after)))
            continue;
        if (!walk->visit(&walk->after, !is_there, walk->user))
            return false;
    }
    return true;
}

static bool visit_chunk(walk *walk, bool may_have_kept)
{
    set_kind(walk, KIN__BLOCK_SLOTS);
    set_component(walk, 0);
    return visit_images(walk) && visit_columns(walk) && (!may_have_kept || visit_kept(walk));
}

bool kin__delta_visit(const kin__moments *moments, kin__delta_visitor *visit, void *user)
{
    const kin__context_snapshot *before = moments->before, *after = moments->after;
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
    return true;
}
