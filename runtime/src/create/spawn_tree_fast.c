// Spawns one tree without memory, if nothing is notified (fast.h) and the chunks have room for it.

#include "create/spawn_tree.h"
#include "lookup/lookup.h"

// Entities are targets and holders in their own slots.
static inline bool has_room(const kin_context *context, const kin__blueprint_tree *tree, const uint64_t *row,
                            uint32_t slot)
{
    if (!kin__chunk_has_columns(kin__chunk_of_slot(context, slot), row, context->row_words))
        return false;
    for (uint32_t i = 0; i < tree->relation_count; i++)
        if (kin__relation_block_of(kin__relation_at(context, tree->relations[i]), slot) == NULL)
            return false;
    return true;
}

// Follows the slots that the pool would give, as long as it has some.
static inline bool has_slots(const kin_context *context, const kin__blueprint_tree *tree,
                             const kin__blueprint_pool *wanted)
{
    const kin__pool *pool = wanted->pool;
    uint32_t listed = pool->free_slot, fresh = pool->fresh, checked = UINT32_MAX;
    if (listed == KIN__NO_SLOT) // all are in one chunk
        return pool->fresh_end - fresh >= wanted->count && has_room(context, tree, wanted->row, fresh);
    for (uint32_t i = 0; i < wanted->count; i++) {
        uint32_t slot = listed != KIN__NO_SLOT ? listed : fresh++;
        if (listed == KIN__NO_SLOT && slot >= pool->fresh_end)
            return false;
        if (listed != KIN__NO_SLOT)
            listed = (uint32_t)kin__row_of(context, slot)[0];
        if (slot / KIN__CHUNK_SLOTS != checked && !has_room(context, tree, wanted->row, slot))
            return false;
        checked = slot / KIN__CHUNK_SLOTS;
    }
    return true;
}

static inline bool is_reserved(const kin_context *context, const kin__blueprint_tree *tree)
{
    if (context->next_creation_index + tree->node_count > context->fast_end)
        return false;
    for (uint32_t i = 0; i < tree->pool_count; i++)
        if (!has_slots(context, tree, &tree->pools[i]))
            return false;
    return true;
}

// A few entities need no memory, if the chunks have room for them.
enum { FEW_ENTITIES = 32 };

kin_entity kin__spawn_tree(kin_context *context, uint32_t blueprint, const void *const *values, kin_entity *entities)
{
    const kin__blueprint_tree *tree = context->blueprints[blueprint].tree;
    kin_entity few[FEW_ENTITIES], *made = entities != NULL ? entities : few;
    KIN_ASSERT(tree != NULL);
    if ((entities == NULL && tree->node_count > FEW_ENTITIES) || !kin__blueprint_tree_is_fast(context, tree) ||
        !is_reserved(context, tree))
        return kin__blueprint_tree_spawn(context, blueprint, values, entities);
    kin__blueprint_tree_write(context, tree, &(kin__batch){.count = 1, .values = values}, 0, made);
    return made[0];
}
