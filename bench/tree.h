// Tree: the shape of the trees in the rows about relations, and the changes that the rows make to them.
//
//   node          0   1   2   3   4   5  …  99 | 100 …        trees of TREE_NODES nodes
//   its parent    -   0   0   0   1   1  …  32 |   - …        each node has up to three children, the last third none
#ifndef KIN_BENCH_TREE_H
#define KIN_BENCH_TREE_H

#include "workload.h"

#include <stdbool.h>

enum { TREE_NODES = 100, TREE_CHILDREN = 3, TREE_INNER = (TREE_NODES + TREE_CHILDREN - 2) / TREE_CHILDREN };

static inline bool tree_is_root(uint32_t node)
{
    return node % TREE_NODES == 0;
}

// Returns the parent of a node that is no root.
static inline uint32_t tree_parent(uint32_t node)
{
    return node - node % TREE_NODES + (node % TREE_NODES - 1) / TREE_CHILDREN;
}

// A leaf, and the node below which it moves, which has no place below a leaf.
typedef struct tree_move {
    uint32_t leaf, parent;
} tree_move;

static inline tree_move tree_choose_move(uint64_t *random, uint32_t count)
{
    uint32_t trees = count / TREE_NODES;
    tree_move move = {workload_random_below(random, trees) * TREE_NODES, workload_random_below(random, trees)};
    move.leaf += TREE_INNER + workload_random_below(random, TREE_NODES - TREE_INNER);
    move.parent = move.parent * TREE_NODES + workload_random_below(random, TREE_INNER);
    return move;
}

#endif
