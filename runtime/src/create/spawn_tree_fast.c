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
static inline bool has_room(const kin_context *context, const kin__tree *tree, const uint64_t *row, uint32_t slot)
{
    if (!kin__chunk_has_columns(kin__chunk_of_slot(context, slot), row, context->row_words))
        return false;
    for (uint32_t i = 0; i < tree->relation_count; i++)
        if (kin__relation_link_of(kin__relation_at(context, tree->relations[i]), slot) == NULL)
            return false;
    return true;
}

// Follows the slots that the pool would give, as long as it has some.
static inline bool has_slots(const kin_context *context, const kin__tree *tree, const kin__tree_pool *wanted)
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

static inline bool is_reserved(const kin_context *context, const kin__tree *tree)
{
    if (context->next_creation_index + tree->node_count > context->fast_end)
        return false;
    for (uint32_t i = 0; i < tree->pool_count; i++)
        if (!has_slots(context, tree, &tree->pools[i]))
            return false;
    return true;
}

// ---- spawning

// Writes the value into its place, unless it is that of a flag or of a component with one column for each field.
static inline void write_part(kin__column *column, uint32_t place, const kin__part *part, const void *value)
{
    column->has[place / 64] |= (uint64_t)1 << (place % 64);
    if (part->size > 0)
        kin__value_copy(kin__column_value(column, place, part->size), value, part->size);
}

static void scatter_part(kin_context *context, uint32_t slot, const kin__part *part, const void *value)
{
    kin__column *column = kin__column_of(context, slot, part->id);
    if (context->info->components[part->id].is_soa) {
        kin__bits_add(column->has, slot % KIN__CHUNK_SLOTS);
        kin__value_overwrite(context, slot, part->id, value);
    } else {
        write_part(column, slot % KIN__CHUNK_SLOTS, part, value);
    }
}

static inline void write_parts(kin_context *context, const kin__blueprint *blueprint, kin__chunk *chunk, uint32_t place)
{
    kin__column *const *columns = kin__chunk_columns(chunk, context->row_words);
    for (const kin__part *part = blueprint->parts; part < blueprint->parts + blueprint->part_count; part++) {
        KIN_ASSERT(columns[part->id] != context->empty);
        context->components[part->id].changes++;
        write_part(columns[part->id], place, part, part->value);
    }
}

// Writes values of the caller, or such as have a column for each field.
static void write_parts_slowly(kin_context *context, const kin__blueprint *blueprint, uint32_t slot,
                               const kin__batch *batch, uint32_t index)
{
    for (uint32_t i = 0; i < blueprint->part_count; i++) {
        context->components[blueprint->parts[i].id].changes++;
        scatter_part(context, slot, &blueprint->parts[i], kin__part_value(blueprint, batch, i, index));
    }
}

static inline kin_entity take(kin_context *context, kin__pool *pool)
{
    uint32_t slot = kin__pool_next(pool);
    return slot == KIN__NO_SLOT ? kin__pool_take(context, pool)
                                : kin__slot_take(context, pool, slot, context->row_words);
}

static inline void name_parent(kin_context *context, const kin__tree_node *node, kin_entity entity, kin_entity parent)
{
    const kin__part *part = &node->blueprint->parts[node->part];
    uint32_t slot = kin_entity_slot(entity);
    char *value = kin__column_value(kin__column_of(context, slot, part->id), slot % KIN__CHUNK_SLOTS, part->size);
    memcpy(value + node->offset, &parent, sizeof parent);
    kin__relation_append(kin__relation_at(context, node->relation), slot, kin_entity_slot(parent));
}

void kin__tree_spawn_fast(kin_context *context, const kin__tree *tree, const kin__batch *batch, uint32_t index,
                          kin_entity *made)
{
    KIN_ASSERT(kin__tree_is_fast(context, tree));
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const kin__tree_node *node = &tree->nodes[i];
        kin_entity entity = made[i] = take(context, node->pool);
        uint32_t slot = kin_entity_slot(entity), place = slot % KIN__CHUNK_SLOTS, words = context->row_words;
        kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        for (uint32_t word = 0; word < words; word++)
            kin__chunk_row(chunk, words, place)[word] = node->blueprint->row[word];
        if (tree->has_soas || (i == 0 && batch->values != NULL))
            write_parts_slowly(context, node->blueprint, slot, i == 0 ? batch : NULL, index);
        else
            write_parts(context, node->blueprint, chunk, place);
        if (i > 0)
            name_parent(context, node, entity, made[node->parent]);
        KIN_VALIDATE(kin__slot_is_valid(context, slot));
    }
}

// A few entities need no memory, if the chunks have room for them.
enum { FEW_ENTITIES = 32 };

kin_entity kin__spawn_tree(kin_context *context, uint32_t blueprint, const void *const *values, kin_entity *entities)
{
    const kin__tree *tree = context->blueprints[blueprint].tree;
    kin_entity few[FEW_ENTITIES], *made = entities != NULL ? entities : few;
    KIN_ASSERT(tree != NULL);
    if ((entities == NULL && tree->node_count > FEW_ENTITIES) || !kin__tree_is_fast(context, tree) ||
        !is_reserved(context, tree))
        return kin__tree_spawn(context, blueprint, values, entities);
    kin__tree_spawn_fast(context, tree, &(kin__batch){.count = 1, .values = values}, 0, made);
    return made[0];
}
