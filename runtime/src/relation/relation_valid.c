// Checks the invariants of relation.h.
#include "relation/relation.h"
#include "store/store.h"

// Invariants 1 and 2 for one target.
static bool is_list_valid(const kin_context *context, const kin__relation *relation, kin_entity target)
{
    uint32_t slot = kin_entity_slot(target), count = 0, previous = kin__relation_target_node(slot);
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    if (block == NULL)
        return true;
    uint32_t most = block->counts[slot % KIN__CHUNK_SLOTS],
             at = block->nodes[KIN__CHUNK_SLOTS + slot % KIN__CHUNK_SLOTS].next;
    for (kin_entity holder; (holder = kin__relation_holder_of(context, at)) != 0;) {
        if (kin__relation_block_of(relation, kin_entity_slot(holder)) == NULL || count++ == most ||
            kin__relation_node_at(relation, at)->previous != previous ||
            kin__relation_target(context, relation, holder) != target)
            return false;
        previous = at;
        at = kin__relation_node_at(relation, at)->next;
    }
    return count == most && at == kin__relation_target_node(slot) &&
           block->nodes[KIN__CHUNK_SLOTS + slot % KIN__CHUNK_SLOTS].previous == previous;
}

// Invariant 3.
static bool is_in_circle(const kin_context *context, const kin__relation *relation, kin_entity entity)
{
    uint32_t steps = 0;
    for (kin_entity at = entity; at != 0; at = kin__relation_target(context, relation, at))
        if (steps++ > kin__living(context))
            return true;
    return false;
}

// A free slot is in no list.
static bool is_slot_valid(const kin_context *context, const kin__relation *relation, uint32_t slot)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    bool is_listed = block != NULL && block->nodes[place].next != KIN__NO_NODE;
    if (!kin__chunk_is_alive(chunk, place))
        return !is_listed && !kin__relation_has_holders(relation, slot);
    if (block == NULL && kin__has(context, chunk->ids[place], relation->info->component, context->row_words))
        return false;
    kin_entity target = kin__relation_target(context, relation, chunk->ids[place]);
    return is_listed == (target != 0) && (target == 0 || kin__chunk_of(context, target) != NULL) &&
           is_list_valid(context, relation, chunk->ids[place]) &&
           !(relation->info->is_tree && is_in_circle(context, relation, chunk->ids[place]));
}

static bool is_valid(const kin_context *context, const kin__relation *relation)
{
    uint32_t listed = 0, counted = 0;
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        const kin__relation_block *block = kin__relation_block_of(relation, slot);
        if (!is_slot_valid(context, relation, slot))
            return false;
        listed += block != NULL && block->nodes[slot % KIN__CHUNK_SLOTS].next != KIN__NO_NODE;
        counted += block == NULL ? 0 : block->counts[slot % KIN__CHUNK_SLOTS];
    }
    return listed == counted;
}

bool kin__relations_are_valid(const kin_context *context)
{
    for (uint32_t i = 0; i < context->info->relation_count; i++)
        if (!is_valid(context, kin__relation_at(context, i)))
            return false;
    return true;
}
