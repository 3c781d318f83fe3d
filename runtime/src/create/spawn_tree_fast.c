// Spawns the entities of a tree where nothing is notified (fast.h): bits, values, handles, and the links to parents.

#include "base/copy.h"
#include "create/spawn_tree.h"
#include "relation/relation.h"
#include "storage/slot.h"

bool kin__tree_is_fast(const kin_context *context, const kin__tree *tree)
{
    uint32_t watchers = context->core->alive->watchers;
    for (uint32_t i = 0; i < tree->node_count; i++)
        watchers |= tree->nodes[i].blueprint->watchers;
    return watchers == 0 && tree->relation_count <= 2;
}

// ---- room

// Entities are targets and holders in their own slots.
static bool has_room(const kin_context *context, const kin__tree *tree, const uint64_t *row, uint32_t slot)
{
    if (!kin__chunk_has_columns(kin__chunk_of_slot(context, slot), row, context->row_words))
        return false;
    for (uint32_t i = 0; i < tree->relation_count; i++)
        if (kin__relation_link_of(kin__relation_at(context, tree->relations[i]), slot) == NULL)
            return false;
    return true;
}

// Follows the slots that the pool would give, as long as it has some.
static bool has_slots(const kin_context *context, const kin__tree *tree, const kin__tree_pool *wanted)
{
    uint32_t listed = wanted->pool->free_slot, fresh = wanted->pool->fresh, checked = UINT32_MAX;
    for (uint32_t i = 0; i < wanted->count; i++) {
        uint32_t slot = listed != KIN__NO_SLOT ? listed : fresh++;
        if (listed == KIN__NO_SLOT && slot >= wanted->pool->fresh_end)
            return false;
        if (listed != KIN__NO_SLOT)
            listed = (uint32_t)kin__row_of(context, slot)[0];
        if (slot / KIN__CHUNK_SLOTS != checked && !has_room(context, tree, wanted->row, slot))
            return false;
        checked = slot / KIN__CHUNK_SLOTS;
    }
    return true;
}

bool kin__tree_is_reserved(const kin_context *context, const kin__tree *tree)
{
    if (context->next_creation_index + tree->node_count > context->fast_end)
        return false;
    for (uint32_t i = 0; i < tree->pool_count; i++)
        if (!has_slots(context, tree, &tree->pools[i]))
            return false;
    return true;
}

// ---- spawning

static void write_part(kin_context *context, uint32_t slot, const kin__part *part, const void *value)
{
    kin__column *column = kin__column_of(context, slot, part->id);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    KIN_ASSERT(column != context->empty);
    column->has[place / 64] |= (uint64_t)1 << (place % 64);
    context->components[part->id].changes++;
    if (context->components[part->id].plain_size == 0) { // a flag, or one column for each field
        if (part->size > 0)
            kin__value_overwrite(context, slot, part->id, value);
        return;
    }
    kin__value_copy(kin__column_value(column, place, part->size), value, part->size);
}

static uint32_t spawn_node(kin_context *context, const kin__tree_node *node, const kin__batch *batch, uint32_t index)
{
    const kin__blueprint *blueprint = node->blueprint;
    uint32_t words = context->row_words, slot = kin__pool_next(node->pool);
    slot = kin_entity_slot(slot == KIN__NO_SLOT ? kin__pool_take(context, node->pool)
                                                : kin__slot_take(context, node->pool, slot, words));
    uint64_t *row = kin__row_of(context, slot);
    for (uint32_t word = 0; word < words; word++)
        row[word] = blueprint->row[word];
    for (uint32_t i = 0; i < blueprint->part_count; i++)
        write_part(context, slot, &blueprint->parts[i], kin__part_value(blueprint, batch, i, index));
    return slot;
}

static void name_parent(kin_context *context, const kin__tree_node *node, uint32_t slot, kin_entity parent)
{
    const kin__part *part = &node->blueprint->parts[node->part];
    kin__column *column = kin__column_of(context, slot, part->id);
    char *value = kin__column_value(column, slot % KIN__CHUNK_SLOTS, part->size);
    memcpy(value + node->offset, &parent, sizeof parent);
    kin__relation_append(kin__relation_at(context, node->relation), slot, kin_entity_slot(parent));
}

void kin__tree_spawn_fast(kin_context *context, const kin__tree *tree, const kin__batch *batch, uint32_t index,
                          kin_entity *made)
{
    KIN_ASSERT(kin__tree_is_fast(context, tree));
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const kin__tree_node *node = &tree->nodes[i];
        uint32_t slot = spawn_node(context, node, i == 0 ? batch : NULL, index);
        made[i] = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
        if (i > 0)
            name_parent(context, node, slot, made[node->parent]);
        KIN_VALIDATE(kin__slot_is_valid(context, slot));
    }
}
