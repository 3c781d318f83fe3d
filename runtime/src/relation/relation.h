// Relations: fields that name an entity, the target. The holders of a target, the entities that name it, form a list.
// <kin/generated/relation.h> has their layout.
//
// The links are derived from the fields. A change is a step (index.h): kin__relations_check refuses it before the first
// write, or kin__relations_update applies it before the first listener is called. Memory is reserved when a holder is
// added, so that removing and destroying holders needs none.
//
// Invariants, checked by kin__relations_are_valid():
//   1. a holder is in the list of the entity that its field names, and in no other list; in none if the field is 0
//   2. the entity that a field names is alive
//   3. in a tree, no entity is below itself
//   4. `counts` of a block agree with its nodes
//   5. the chunk of an entity with the component has a block
//
// Cost: a step changes up to six links of each relation of the component. In a tree, a new target of an entity with
// holders is checked by a walk to the root. Memory: 20 bytes for each slot of a chunk with a block, and 4 more bytes a
// slot for all relations together.
#ifndef KIN_SRC_RELATION_H
#define KIN_SRC_RELATION_H

#include "base/base.h"
#include "index/index.h"

#include <kin/generated/relation.h>

// A context with relations counts this many extra subscribers of KIN_ENTITY_WILL_BE_DESTROYED, which makes each destroy
// look for holders. So contexts without relations need no additional test.
enum { KIN__RELATIONS_AS_SUBSCRIBERS = 1 };

typedef struct kin__relations {
    uint32_t *first;     // by component: the number of its first relation
    uint64_t simple;     // of the first 64 components: those whose changes write nothing but bits, a value and links
    uint64_t several;    // of the first 64 components: those with several relations
    bool can_refuse;     // a relation keeps its targets from being destroyed
    char *scratch;       // room for one value at each depth of nesting: see kin__relations_scratch
    size_t scratch_size; // of one
    uint64_t restores;   // of snapshots
} kin__relations;

// Makes all relations of the context, and marks their components (KIN__SIDE_EFFECT_RELATION). False when out of memory.
bool kin__relations_make(kin_context *context);
void kin__relations_release(kin_context *context);

// Returns KIN_OK if the step can be made, else KIN_ERROR_NOT_ALIVE or KIN_ERROR_CIRCLE.
kin_status kin__relations_check(const kin_context *context, const kin__step *step);

// Writes the reason why kin__relations_check refuses the step. False if it does not.
enum { KIN__RELATION_REASON_SIZE = 240 };
bool kin__relations_describe(const kin_context *context, const kin__step *step, char reason[KIN__RELATION_REASON_SIZE]);

// Reserve links for holders in the chunk of a slot; and for the targets that a value names. False when out of memory.
bool kin__relations_reserve(kin_context *context, uint32_t slot, kin_component_id id);
bool kin__relations_reserve_targets(kin_context *context, kin_component_id id, const void *value);

// Reserves the block of a slot's chunk. False when out of memory. (relation.c)
bool kin__relation_reserve(kin_context *context, kin__relation *relation, uint32_t slot);

// Empties the block of chunk `number`: no slot of it is in a list. (relation.c)
void kin__relation_block_clear(kin__relation_block *block, uint32_t number);

// Updates the lists for a step that is checked and reserved, but not yet written.
void kin__relations_update(kin_context *context, const kin__step *step);

// Removes a dead entity, which had the component, from the lists of its targets. Its value must still be in place.
void kin__relations_remove(kin_context *context, uint32_t slot, kin_component_id id);

// Moves a holder before another holder of the same target, or to the end of the list if `before` is 0. Slots are
// counted from 0.
void kin__relation_move(kin_context *context, kin__relation *relation, uint32_t slot, kin_entity before);

void kin__relations_trim(kin_context *context);
size_t kin__relations_used(const kin_context *context);
bool kin__relations_are_valid(const kin_context *context);

// ---- lists

static inline kin__relation *kin__relation_at(const kin_context *context, uint32_t number)
{
    KIN_ASSERT(number < context->info->relation_count);
    return &context->relations[number];
}

// Returns the slot of a node.
static inline uint32_t kin__relation_slot_of(uint32_t node)
{
    return node / (2 * KIN__CHUNK_SLOTS) * KIN__CHUNK_SLOTS + node % KIN__CHUNK_SLOTS;
}

// Returns the holder with a node; 0 for the node of a target, which ends its list, and for KIN__NO_NODE.
static inline kin_entity kin__relation_holder_of(const kin_context *context, uint32_t node)
{
    uint32_t chunk = node / (2 * KIN__CHUNK_SLOTS), place = node % KIN__CHUNK_SLOTS;
    return kin__is_holder_node(node) ? context->chunks[chunk]->ids[place] : 0;
}

// Return the first and the last holder of the entity in a slot; 0 if it has none.
static inline kin_entity kin__relation_first_of(const kin_context *context, const kin__relation *relation,
                                                uint32_t slot)
{
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    return block == NULL
               ? 0
               : kin__relation_holder_of(context, block->nodes[KIN__CHUNK_SLOTS + slot % KIN__CHUNK_SLOTS].next);
}

static inline kin_entity kin__relation_last_of(const kin_context *context, const kin__relation *relation, uint32_t slot)
{
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    return block == NULL
               ? 0
               : kin__relation_holder_of(context, block->nodes[KIN__CHUNK_SLOTS + slot % KIN__CHUNK_SLOTS].previous);
}

// Return the next and the previous holder of the same target; 0 at the end of the list.
static inline kin_entity kin__relation_next_of(const kin_context *context, const kin__relation *relation, uint32_t slot)
{
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    return block == NULL ? 0 : kin__relation_holder_of(context, block->nodes[place].next);
}

static inline kin_entity kin__relation_previous_of(const kin_context *context, const kin__relation *relation,
                                                   uint32_t slot)
{
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    return block == NULL ? 0 : kin__relation_holder_of(context, block->nodes[place].previous);
}

// Returns the entity that a holder names: 0 if it names none or lacks the component.
kin_entity kin__relation_target(const kin_context *context, const kin__relation *relation, kin_entity holder);

static inline bool kin__relation_has_holders(const kin__relation *relation, uint32_t slot)
{
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    return block != NULL && block->counts[slot % KIN__CHUNK_SLOTS] > 0;
}

// Returns whether an entity names the one in a slot, in any relation.
static inline bool kin__has_holders(const kin_context *context, uint32_t slot)
{
    const kin__relation *end = context->relations + context->info->relation_count;
    for (const kin__relation *relation = context->relations; relation < end; relation++)
        if (kin__relation_has_holders(relation, slot))
            return true;
    return false;
}

// Returns the entity that a value of the component names.
static inline kin_entity kin__relation_named(const kin__relation *relation, const void *value)
{
    kin_entity target;
    memcpy(&target, (const char *)value + relation->offset, sizeof target);
    return target;
}

// Returns the entity that the living entity in a slot names; 0 if it names none or lacks the component.
static inline kin_entity kin__relation_target_of_slot(const kin_context *context, const kin__relation *relation,
                                                      uint32_t slot)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    if (!relation->is_plain)
        return kin__relation_target(context, relation, chunk->ids[place]);
    const kin__column *column = *(kin__column *const *)(const void *)((const char *)chunk + relation->column_at);
    return kin__column_has(column, place)
               ? kin__relation_named(relation, kin__column_value(column, place, relation->size))
               : 0;
}

// Returns whether the ancestor is the entity itself, its target, the target of its target, and so on. Both must be
// alive.
static inline bool kin__relation_is_below(const kin_context *context, const kin__relation *relation, kin_entity entity,
                                          kin_entity ancestor)
{
    while (entity != ancestor) {
        entity = kin__relation_target_of_slot(context, relation, kin_entity_slot(entity));
        if (entity == 0)
            return false;
    }
    return true;
}

// Returns room for a value of any component with a relation, for the current change. Valid until the next change at the
// same depth of nesting.
static inline void *kin__relations_scratch(const kin_context *context)
{
    const kin__relations *relations = context->core->relations;
    KIN_ASSERT(context->depth < KIN__MAX_DEPTH);
    return relations->scratch + context->depth * relations->scratch_size;
}

#endif
