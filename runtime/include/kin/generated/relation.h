/// Relations, for generated code only. Changes with the interface version.
///
/// A relation is a field of a component that names an entity of the same context. The entity that has the component is
/// the holder, the entity that the field names is the target. `number` is the index of the relation in `relations` of
/// kin_context_info.
///
///   ChildOf.parent        holder -> target      the value of the field
///   children of a target  first, ..., last      all its holders, in order
///
/// The list of a target is derived from its holders' fields and is current in every callback. Each slot has two nodes,
/// one as a target and one as a holder. A list is a ring of nodes, linked both ways:
///
///   target → first holder → … → last holder → target
///
/// So a holder always has two neighbours, and lists change without a branch, which would often be mispredicted: whether
/// a holder is the first or last of its list is random. The nodes are in blocks, one for each chunk that has holders or
/// targets:
///
///   block   nodes[512 + 512]   of the holders, then of the targets. Links name nodes by number: 1024 for each chunk.
///                              A target without holders links to itself. A holder in no list has KIN__NO_NODE.
///           counts[512]        the number of holders of each target
///
/// Add, replace and remove are inlined for a component with one relation whose changes write only bits, a value and
/// links, while the relation is its only watcher. The library makes all other changes, refuses invalid ones, and
/// reserves the blocks.
#ifndef KIN_INTERNAL_RELATION_H
#define KIN_INTERNAL_RELATION_H

#include <kin/generated/storage.h>

#include <string.h>

KIN_BEGIN_DECLARATIONS

#define KIN__NO_NODE UINT32_MAX

typedef struct kin__relation_node {
    uint32_t next, previous;
} kin__relation_node;

typedef struct kin__relation_block {
    kin__relation_node nodes[2 * KIN__CHUNK_SLOTS];
    uint32_t counts[KIN__CHUNK_SLOTS];
} kin__relation_block;

typedef struct kin__relation {
    kin__relation_block **blocks; // by chunk; NULL: no slot of it is in a list
    uint32_t block_count;
    kin_component_id component;
    uint32_t size, offset; // bytes of a value, and bytes before the field in it
    bool is_plain;         // the column has values as structs: they are neither boxed nor soa
    bool takes;            // holders are destroyed with their target
    uint64_t moves;        // counts the changes of its lists
    uint64_t alone;        // the component's bit if it is one of the first 64 and has no other relation; else 0
    const kin_relation_info *info;
} kin__relation;

// Returns the number of holders of the target; 0 if it is not alive.
KIN_API uint32_t kin__relation_count(const kin_context *context, uint32_t number, kin_entity target);

// Return the first and the last holder of the target; 0 if it has none.
KIN_API kin_entity kin__relation_first(const kin_context *context, uint32_t number, kin_entity target);
KIN_API kin_entity kin__relation_last(const kin_context *context, uint32_t number, kin_entity target);

// Return the next and the previous holder in the list of the target; 0 at the end, or if the entity names no target.
KIN_API kin_entity kin__relation_next(const kin_context *context, uint32_t number, kin_entity holder);
KIN_API kin_entity kin__relation_previous(const kin_context *context, uint32_t number, kin_entity holder);

// Writes at most `capacity` holders of the target to `entities`, in order. Returns the number of all its holders.
KIN_API uint32_t kin__relation_copy(const kin_context *context, uint32_t number, kin_entity target,
                                    kin_entity *entities, uint32_t capacity);

// Moves the holder in the list of its target to the place before the sibling; to the end if the sibling is 0.
KIN_API kin_status kin__relation_place_before(kin_context *context, uint32_t number, kin_entity holder,
                                              kin_entity sibling);

// Destroys all holders of the target, in order, or none.
KIN_API kin_status kin__relation_destroy_holders(kin_context *context, uint32_t number, kin_entity target);

// For a tree. Return the root above the entity; the number of steps to it; and whether `ancestor` is the entity itself
// or above it.
KIN_API kin_entity kin__relation_root(const kin_context *context, uint32_t number, kin_entity entity);
KIN_API uint32_t kin__relation_depth(const kin_context *context, uint32_t number, kin_entity entity);
// Returns the nearest entity above that matches; 0 if none does, and for an invalid rule.
KIN_API kin_entity kin__relation_find_above(const kin_context *context, uint32_t number, kin_entity entity,
                                            kin_rule rule);
KIN_API bool kin__relation_contains(const kin_context *context, uint32_t number, kin_entity ancestor,
                                    kin_entity entity);

// Clones an entity with all entities below it. Returns the clone of `source`; 0 on failure, which is reported.
KIN_API kin_entity kin__entity_clone_tree(kin_context *context, uint32_t number, kin_entity source);

// Sets the flag of an entity and of all entities below it, parents first. Stops at the first that is refused.
KIN_API kin_status kin__flag_set_below(kin_context *context, uint32_t number, kin_entity root, kin_component_id id,
                                       bool on);

// A walk over an entity and all entities below it, depth first. Set the first three members and zero the rest to begin.
typedef struct kin__relation_walk {
    const kin_context *context;
    kin_entity root;
    uint32_t number;
    uint32_t depth;    // of the entity below the root
    kin_entity entity; // the current one; 0: before the first
    kin_entity parent; // its target
    kin_entity behind; // the next holder of that target, when the walk reached the entity
    uint64_t moves;    // of the relation, at that moment
    bool skips;        // leaves out the entities below the current one
    bool has_ended;
} kin__relation_walk;

// Goes to the next entity. Returns false after the last one.
KIN_API bool kin__relation_walk_next(kin__relation_walk *walk);

// ---- lists

// Returns the block of a slot; NULL if its chunk has none.
static inline kin__relation_block *kin__relation_block_of(const kin__relation *relation, uint32_t slot)
{
    uint32_t number = slot / KIN__CHUNK_SLOTS;
    return number < relation->block_count ? relation->blocks[number] : NULL;
}

// The functions below take slots whose chunks have blocks.

static inline kin__relation_block *kin__relation_block_at(const kin__relation *relation, uint32_t slot)
{
    return relation->blocks[slot / KIN__CHUNK_SLOTS];
}

// Return the number of the node of a slot.
static inline uint32_t kin__relation_holder_node(uint32_t slot)
{
    return slot + slot / KIN__CHUNK_SLOTS * KIN__CHUNK_SLOTS;
}

static inline uint32_t kin__relation_target_node(uint32_t slot)
{
    return kin__relation_holder_node(slot) + KIN__CHUNK_SLOTS;
}

// Returns whether a node belongs to a holder, not to a target, and is not KIN__NO_NODE.
static inline bool kin__is_holder_node(uint32_t number)
{
    return (number & KIN__CHUNK_SLOTS) == 0;
}

static inline kin__relation_node *kin__relation_node_at(const kin__relation *relation, uint32_t number)
{
    return &relation->blocks[number / (2 * KIN__CHUNK_SLOTS)]->nodes[number % (2 * KIN__CHUNK_SLOTS)];
}

// Appends a holder, which must be in no list or detached, to the list of the target.
static inline void kin__relation_attach(kin__relation *relation, uint32_t holder, uint32_t target)
{
    kin__relation_block *block = kin__relation_block_at(relation, target);
    kin__relation_node *end = &block->nodes[KIN__CHUNK_SLOTS + target % KIN__CHUNK_SLOTS];
    kin__relation_node *node = &kin__relation_block_at(relation, holder)->nodes[holder % KIN__CHUNK_SLOTS];
    uint32_t last = end->previous, number = kin__relation_holder_node(holder);
    block->counts[target % KIN__CHUNK_SLOTS]++;
    end->previous = number;
    kin__relation_node_at(relation, last)->next = number;
    node->next = kin__relation_target_node(target);
    node->previous = last;
    relation->moves++;
}

// Links the neighbours of the holder to each other. Does not change the links of the holder.
static inline void kin__relation_detach(kin__relation *relation, uint32_t holder, uint32_t target)
{
    kin__relation_node node = kin__relation_block_at(relation, holder)->nodes[holder % KIN__CHUNK_SLOTS];
    kin__relation_node_at(relation, node.previous)->next = node.next;
    kin__relation_node_at(relation, node.next)->previous = node.previous;
    kin__relation_block_at(relation, target)->counts[target % KIN__CHUNK_SLOTS]--;
    relation->moves++;
}

// Removes a holder from the list of its target.
static inline void kin__relation_withdraw(kin__relation *relation, uint32_t holder, uint32_t target)
{
    kin__relation_node *node = &kin__relation_block_at(relation, holder)->nodes[holder % KIN__CHUNK_SLOTS];
    kin__relation_detach(relation, holder, target);
    node->next = node->previous = KIN__NO_NODE;
}

// ---- changes of a component with one relation

// The compile-time constants of the component.
typedef struct kin__related {
    kin_component_id id;
    uint32_t row_words;
    uint32_t number;     // of its relation
    size_t size, offset; // bytes of a value, and bytes before the field in it
    bool is_tree;
} kin__related;

static inline kin_entity kin__related_target(const kin__related *related, const void *value)
{
    kin_entity target;
    memcpy(&target, (const char *)value + related->offset, sizeof target);
    return target;
}

// Returns whether a living holder, whose chunk has a block, may name the target, and the target's chunk has a block. In
// a tree, a holder without holders of its own can close a circle only with itself.
static inline bool kin__related_may_name(const kin_context *context, const kin__related *related, kin_entity holder,
                                         kin_entity target)
{
    const kin__relation *relation = &context->relations[related->number];
    uint32_t slot = kin_entity_slot(holder);
    if (!kin__chunk_has_entity(kin__chunk_at(context, target), target) ||
        kin__relation_block_of(relation, kin_entity_slot(target)) == NULL)
        return false;
    return !related->is_tree ||
           (target != holder && (kin__relation_block_at(relation, slot)->counts[slot % KIN__CHUNK_SLOTS] == 0 ||
                                 !kin__relation_contains(context, related->number, holder, target)));
}

// The same for a holder whose chunk may lack a block, and a target that may be 0. A holder that names no target needs a
// block too, as a replace in the library relies on it.
static inline bool kin__related_may_begin(const kin_context *context, const kin__related *related, kin_entity holder,
                                          kin_entity target)
{
    return kin__relation_block_of(&context->relations[related->number], kin_entity_slot(holder)) != NULL &&
           (target == 0 || kin__related_may_name(context, related, holder, target));
}

// Add, replace and remove. They return false, with nothing changed, when the caller must call the library.
static inline bool kin__related_add(kin_context *context, kin_entity entity, const kin__related *related,
                                    const void *value)
{
    kin__chunk *chunk = kin__chunk_at(context, entity);
    uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    kin__component *component = kin__component_of(context, related->id);
    kin_entity target = kin__related_target(related, value);
    if (!kin__chunk_has_entity(chunk, entity) || kin__chunk_has(chunk, related->id, related->row_words, place))
        return false;
    kin__column *column = kin__chunk_columns(chunk, related->row_words)[related->id];
    if (component->watchers != 1 || column == context->empty ||
        !kin__related_may_begin(context, related, entity, target))
        return false;
    if (target != 0)
        kin__relation_attach(&context->relations[related->number], kin_entity_slot(entity), kin_entity_slot(target));
    kin__flip(chunk, column, related->id, related->row_words, place);
    component->changes++;
    memcpy(kin__column_value(column, place, related->size), value, related->size);
    return true;
}

static inline bool kin__related_replace(kin_context *context, kin_entity entity, const kin__related *related,
                                        const void *value)
{
    void *place = kin__get(context, entity, related->id, related->size);
    if (place == NULL || kin__component_of(context, related->id)->watchers != 1)
        return false;
    kin__relation *relation = &context->relations[related->number];
    uint32_t slot = kin_entity_slot(entity);
    kin_entity before = kin__related_target(related, place), after = kin__related_target(related, value);
    if (before != after && before != 0 && after != 0) {
        if (!kin__related_may_name(context, related, entity, after))
            return false;
        kin__relation_detach(relation, slot, kin_entity_slot(before));
        kin__relation_attach(relation, slot, kin_entity_slot(after));
    } else if (before != after) {
        if (!kin__related_may_begin(context, related, entity, after))
            return false;
        if (after != 0)
            kin__relation_attach(relation, slot, kin_entity_slot(after));
        else
            kin__relation_withdraw(relation, slot, kin_entity_slot(before));
    }
    memcpy(place, value, related->size);
    return true;
}

static inline bool kin__related_remove(kin_context *context, kin_entity entity, const kin__related *related)
{
    kin__chunk *chunk = kin__chunk_at(context, entity);
    uint32_t slot = kin_entity_slot(entity), place = slot % KIN__CHUNK_SLOTS;
    kin__component *component = kin__component_of(context, related->id);
    if (!kin__chunk_has_entity(chunk, entity) || !kin__chunk_has(chunk, related->id, related->row_words, place) ||
        component->watchers != 1)
        return false;
    kin__column *column = kin__chunk_columns(chunk, related->row_words)[related->id];
    kin_entity target = kin__related_target(related, kin__column_value(column, place, related->size));
    if (target != 0)
        kin__relation_withdraw(&context->relations[related->number], slot, kin_entity_slot(target));
    kin__flip(chunk, column, related->id, related->row_words, place);
    component->changes++;
    return true;
}

KIN_END_DECLARATIONS

#endif
