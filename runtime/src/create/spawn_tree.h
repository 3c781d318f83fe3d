// Trees of blueprints: the entities that a blueprint with children spawns, prepared once for each context.
//
//   nodes    [ Car | Car.front_left | Car.axle | Car.axle.left … ]   depth first; the blueprint itself is the first
//              0        parent 0       parent 0     parent 2
//
// Each node has its own blueprint with its components and values. The first node has the blueprint of the schema; every
// other node has one of those that follow them in kin_context.blueprints, one for each child of the schema. Its slots
// come from the pool of the blueprint that the child uses, or of entities without a blueprint.
//
//   make, release                     spawn_tree_make.c
//   write where nothing is notified  spawn_tree_write.c
//   all checks, one by one            spawn_tree.c
//   spawn one, nothing notified       spawn_tree_fast.c
#ifndef KIN_SRC_SPAWN_TREE_H
#define KIN_SRC_SPAWN_TREE_H

#include "create/blueprint.h"

typedef struct kin__blueprint_node {
    kin__blueprint *blueprint;
    kin__pool *pool;
    uint32_t pool_number; // in `pools` of the tree
    uint32_t parent;      // number of a node before this; not of the first
    uint32_t part;        // in the blueprint: the component that names the parent
    uint32_t offset;      // bytes from the beginning of its value to the field
    uint32_t relation;    // number of the relation
} kin__blueprint_node;

// The slots that one spawn takes from a pool.
typedef struct kin__blueprint_pool {
    kin__pool *pool;
    uint32_t count;
    uint64_t *row; // components that any of these entities has
} kin__blueprint_pool;

// All arrays are in one allocation.
typedef struct kin__blueprint_tree {
    kin__blueprint_node *nodes;
    kin__blueprint_pool *pools;
    uint64_t *row;    // components that any of the entities has
    uint64_t *names;  // a row: components that name a parent
    uint32_t *counts; // by component: the number of entities that have it
    uint32_t node_count, pool_count;
    uint32_t part_count;   // of all nodes
    uint32_t most_parts;   // of a node
    size_t value_size;     // bytes for a value that names a parent
    uint32_t relations[2]; // of the nodes, if there are at most two
    uint32_t relation_count;
    bool is_rich;  // one of the blueprints is
    bool has_soas; // a component has one column for each field
    size_t size;   // bytes of the allocation
} kin__blueprint_tree;

// Makes the trees of all blueprints with children. False when out of memory.
bool kin__blueprint_trees_make(kin_context *context);
void kin__blueprint_trees_release(kin_context *context);

// Returns the bytes in use.
size_t kin__blueprint_trees_used(const kin_context *context);

// Whether a component of a blueprint only names the parent of a child, so that the fast path can add it.
bool kin__is_fast_parent(const kin_context *context, const kin__blueprint *blueprint, kin_component_id id);

// Whether a spawn notifies nothing.
bool kin__blueprint_tree_is_fast(const kin_context *context, const kin__blueprint_tree *tree);

// Creates the entities of the `index`-th spawn of a batch, for which everything is reserved, and writes them to `made`.
void kin__blueprint_tree_write(kin_context *context, const kin__blueprint_tree *tree, const kin__batch *batch,
                               uint32_t index, kin_entity *made);

// Spawns one tree in the general case. Returns the first entity; 0, and zeros in `entities`, on failure.
kin_entity kin__blueprint_tree_spawn(kin_context *context, uint32_t blueprint, const void *const *values,
                                     kin_entity *entities);

#endif
