// Writes the entities of a tree where nothing is notified (fast.h): bits, values, handles, and the links to parents.

#include "base/base.h"
#include "create/spawn_tree.h"
#include "lookup/lookup.h"
#include "store/store.h"

bool kin__blueprint_tree_is_fast(const kin_context *context, const kin__blueprint_tree *tree)
{
    uint32_t watchers = context->core->alive->watchers;
    for (uint32_t i = 0; i < tree->node_count; i++)
        watchers |= tree->nodes[i].blueprint->watchers;
    return watchers == 0 && tree->relation_count <= 2;
}

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

static inline void name_parent(kin_context *context, const kin__blueprint_node *node, kin_entity entity,
                               kin_entity parent)
{
    const kin__part *part = &node->blueprint->parts[node->part];
    uint32_t slot = kin_entity_slot(entity);
    char *value = kin__column_value(kin__column_of(context, slot, part->id), slot % KIN__CHUNK_SLOTS, part->size);
    memcpy(value + node->offset, &parent, sizeof parent);
    kin__relation_attach(kin__relation_at(context, node->relation), slot, kin_entity_slot(parent));
}

void kin__blueprint_tree_write(kin_context *context, const kin__blueprint_tree *tree, const kin__batch *batch,
                               uint32_t index, kin_entity *made)
{
    KIN_ASSERT(kin__blueprint_tree_is_fast(context, tree));
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const kin__blueprint_node *node = &tree->nodes[i];
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
