// The silent steps of a cascade. They are the steps of cascade.c in the same order, but no listener can run between
// them. So an entity that has no holders, or no more holders, is destroyed without a mark, and a run of such entities
// in a list is destroyed before the list is relinked.
//
// Invariant: on return, marks, lists and counts are as cascade.c leaves them between two steps. Marked entities that
// are not destroyed are on the path from the slot where it began to the slot that it returns.
#include "store/store.h"
#include "destroy/silent_holder.h"

typedef struct silent_walk {
    kin_context *context;
    kin__relation *relations, *end;
    uint32_t *const *marks; // by chunk: each chunk with holders or targets has them (store/store.h)
    kin__loud loud;
    uint32_t slot; // the target whose holders are destroyed
} silent_walk;

static inline uint32_t *mark_of(const silent_walk *walk, uint32_t slot)
{
    return &walk->marks[slot / KIN__CHUNK_SLOTS][slot % KIN__CHUNK_SLOTS];
}

static inline bool has_holders(const silent_walk *walk, uint32_t slot)
{
    for (const kin__relation *relation = walk->relations; relation < walk->end; relation++)
        if (kin__relation_has_holders(relation, slot))
            return true;
    return false;
}

// Returns the node of the first holder of the relation that is not marked; the node of the target if all are.
static inline uint32_t find_holder(const silent_walk *walk, const kin__relation *relation)
{
    const kin__relation_block *block = kin__relation_block_of(relation, walk->slot);
    uint32_t at = block == NULL ? KIN__NO_NODE : block->nodes[KIN__CHUNK_SLOTS + walk->slot % KIN__CHUNK_SLOTS].next;
    while (kin__is_holder_node(at) && *mark_of(walk, kin__relation_slot_of(at)) != 0)
        at = kin__relation_node_at(relation, at)->next;
    return at;
}

static inline bool is_silent_leaf(const silent_walk *walk, uint32_t slot)
{
    const kin__chunk *chunk = kin__chunk_of_slot(walk->context, slot);
    return !has_holders(walk, slot) && kin__holder_is_silent(walk->context, chunk, slot, walk->loud) &&
           *mark_of(walk, slot) == 0;
}

// Destroys the holder with a node and those after it, while they are silent and have no holders. Returns the node of
// the first remaining holder. Stops at a holder whose component has several relations, as that is in several lists.
static inline uint32_t destroy_run(const silent_walk *walk, kin__relation *relation, uint32_t at)
{
    kin_context *context = walk->context;
    uint64_t others = context->watched[0] & ~relation->alone;
    uint32_t before = kin__relation_node_at(relation, at)->previous, count = 0;
    for (uint32_t slot; kin__is_holder_node(at) && is_silent_leaf(walk, slot = kin__relation_slot_of(at)); count++) {
        kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        kin__relation_node *node = kin__relation_node_at(relation, at);
        at = node->next;
        node->next = node->previous = KIN__NO_NODE;
        kin__holder_destroy_silently(context, chunk, slot, others);
    }
    kin__relation_node_at(relation, before)->next = at;
    kin__relation_node_at(relation, at)->previous = before;
    kin__relation_block_at(relation, walk->slot)->counts[walk->slot % KIN__CHUNK_SLOTS] -= count;
    relation->moves += count;
    return at;
}

// Goes down to a holder that has holders itself.
static inline void descend(silent_walk *walk, uint32_t slot)
{
    *mark_of(walk, slot) = walk->slot + 1;
    walk->slot = slot;
    walk->context->core->slots.about_to_be_destroyed++;
    walk->context->core->slots.announced++;
}

// Goes back up from an entity without remaining holders. The next step destroys it.
static inline void ascend(silent_walk *walk)
{
    uint32_t *mark = mark_of(walk, walk->slot);
    walk->slot = *mark - 1;
    *mark = 0;
    walk->context->core->slots.about_to_be_destroyed--;
}

// Destroys the holders of a relation. False at a holder that is not silent. Sets `*moved` after going down.
static inline bool take_along(silent_walk *walk, kin__relation *relation, bool *moved)
{
    uint32_t at = find_holder(walk, relation);
    while (kin__is_holder_node(at)) {
        uint32_t slot = kin__relation_slot_of(at);
        if (has_holders(walk, slot)) {
            descend(walk, slot);
            *moved = true;
            return true;
        }
        uint32_t next = destroy_run(walk, relation, at);
        if (next == at)
            return false;
        at = next;
        if (kin__is_holder_node(at) && *mark_of(walk, kin__relation_slot_of(at)) != 0)
            at = find_holder(walk, relation);
    }
    return true;
}

uint32_t kin__cascade_silently(kin_context *context, uint32_t slot, kin__loud loud)
{
    silent_walk walk = {context,
                        context->relations,
                        context->relations + context->info->relation_count,
                        context->core->slots.endings.elements,
                        loud | context->core->relations->several,
                        slot};
    uint32_t root = slot;
    for (;;) {
        bool moved = false;
        for (kin__relation *relation = walk.relations; relation < walk.end && !moved; relation++)
            if (relation->takes && !take_along(&walk, relation, &moved))
                return walk.slot;
        if (moved)
            continue;
        if (walk.slot == root || has_holders(&walk, walk.slot))
            return walk.slot;
        ascend(&walk);
    }
}
