// The steps of a cascade that notify nothing. They are those of cascade.c, in the same order, but no listener can
// change anything between them. So an entity without holders is destroyed without a mark, as is one that has lost its
// holders, and a run of them in a list is destroyed before the list is connected again.
//
// Invariant: when it returns, marks, lists and counts are as cascade.c leaves them between two steps. The entities that
// it has marked, and not destroyed, are between the slot where it began and the one that it returns.
#include "core/ending.h"
#include "destroy/silent_holder.h"

typedef struct silent_walk {
    kin_context *context;
    kin__relation *relations, *end;
    uint32_t *const *marks; // by chunk: each chunk with holders or targets has them (core/ending.h)
    kin__loud loud;
    uint32_t slot; // the target whose holders are taken along
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

// Returns the node of the first holder of the relation that is not marked; that of a target if there is none.
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

// Destroys the holder with a node, and those behind it, as long as they have no holders and are silent. Returns the
// node of the first one that is left. A holder whose component has several relations is left: it must leave all their
// lists, also this one.
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

// Goes down to a holder that has holders.
static inline void descend(silent_walk *walk, uint32_t slot)
{
    *mark_of(walk, slot) = walk->slot + 1;
    walk->slot = slot;
    walk->context->core->slots.about_to_be_destroyed++;
    walk->context->core->slots.announced++;
}

// Goes back from an entity that has no holders left, and which is destroyed next.
static inline void ascend(silent_walk *walk)
{
    uint32_t *mark = mark_of(walk, walk->slot);
    walk->slot = *mark - 1;
    *mark = 0;
    walk->context->core->slots.about_to_be_destroyed--;
}

// Takes along the holders of a relation. Returns false at one that is not silent; `*moved` is set after going down.
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
