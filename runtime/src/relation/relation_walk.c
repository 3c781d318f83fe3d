// Walks over trees. A walk keeps no list of entities to visit: each step reads the current tree.
//
// While the relation's `moves` are unchanged, the current entity is still at its place. Otherwise its place is found
// again by a climb to the root. If the entity has left the tree, the walk continues with the entity that followed it.

#include "relation/relation.h"

static bool is_alive(const kin__relation_walk *walk, kin_entity entity)
{
    return kin__chunk_of(walk->context, entity) != NULL;
}

// Makes an entity of the tree the current entity.
static bool go_to(kin__relation_walk *walk, const kin__relation *relation, kin_entity entity, uint32_t depth)
{
    walk->entity = entity;
    walk->parent = kin__relation_target(walk->context, relation, entity);
    walk->behind = depth == 0 ? 0 : kin__relation_next_of(walk->context, relation, kin_entity_slot(entity));
    walk->depth = depth;
    walk->moves = relation->moves;
    walk->skips = false;
    return true;
}

static bool end(kin__relation_walk *walk)
{
    walk->entity = walk->parent = 0;
    walk->has_ended = true;
    return false;
}

// Returns whether the entity is in the walk's tree, and sets its depth.
static bool find_depth(const kin__relation_walk *walk, const kin__relation *relation, kin_entity entity,
                       uint32_t *depth)
{
    *depth = 0;
    while (entity != 0 && entity != walk->root) {
        entity = kin__relation_target(walk->context, relation, entity);
        ++*depth;
    }
    return entity != 0 && is_alive(walk, entity);
}

// Moves to the entity that follows an entity of the tree and everything below it.
static bool leave(kin__relation_walk *walk, const kin__relation *relation, kin_entity entity, uint32_t depth)
{
    for (; entity != walk->root; depth--) {
        kin_entity next = kin__relation_next_of(walk->context, relation, kin_entity_slot(entity));
        if (next != 0)
            return go_to(walk, relation, next, depth);
        entity = kin__relation_target(walk->context, relation, entity);
    }
    return end(walk);
}

// Returns whether the entity is alive in the walk's tree, and its target is `parent`.
static bool is_below(const kin__relation_walk *walk, const kin__relation *relation, kin_entity entity,
                     kin_entity parent, uint32_t *depth)
{
    return is_alive(walk, entity) && kin__relation_target(walk->context, relation, entity) == parent &&
           find_depth(walk, relation, entity, depth);
}

// Moves on from the former place of an entity that was destroyed or has a new target.
static bool leave_place(kin__relation_walk *walk, const kin__relation *relation)
{
    uint32_t depth;
    if (walk->depth == 0)
        return end(walk);
    if (walk->behind != 0)
        return is_below(walk, relation, walk->behind, walk->parent, &depth) ? go_to(walk, relation, walk->behind, depth)
                                                                            : end(walk);
    return is_alive(walk, walk->parent) && find_depth(walk, relation, walk->parent, &depth)
               ? leave(walk, relation, walk->parent, depth)
               : end(walk);
}

bool kin__relation_walk_next(kin__relation_walk *walk)
{
    const kin__relation *relation = kin__relation_at(walk->context, walk->number);
    if (walk->has_ended || (walk->entity == 0 && !is_alive(walk, walk->root)))
        return end(walk);
    if (walk->entity == 0)
        return go_to(walk, relation, walk->root, 0);
    bool stays = walk->entity == walk->root || walk->moves == relation->moves;
    if (!is_alive(walk, walk->entity) ||
        (!stays && !is_below(walk, relation, walk->entity, walk->parent, &walk->depth)))
        return leave_place(walk, relation);
    kin_entity first = walk->skips ? 0 : kin__relation_first_of(walk->context, relation, kin_entity_slot(walk->entity));
    return first != 0 ? go_to(walk, relation, first, walk->depth + 1)
                      : leave(walk, relation, walk->entity, walk->depth);
}
