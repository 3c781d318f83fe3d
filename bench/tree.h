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

// Writes the parents of the nodes of one tree, numbered depth first; that of the root is TREE_NODES.
static inline void tree_number_depth_first(uint32_t parents[TREE_NODES])
{
    uint32_t waiting[TREE_NODES] = {0}, above[TREE_NODES] = {TREE_NODES}, count = 1;
    for (uint32_t number = 0; number < TREE_NODES; number++) {
        uint32_t node = waiting[--count], child = node * TREE_CHILDREN + TREE_CHILDREN;
        parents[number] = above[count];
        for (; child > node * TREE_CHILDREN; child--)
            if (child < TREE_NODES) {
                waiting[count] = child;
                above[count++] = number;
            }
    }
}

// A matrix of 3 rows and 4 columns that moves by small multiples of 0.25.
static inline void tree_make_local(float local[12], uint32_t node)
{
    for (uint32_t i = 0; i < 12; i++)
        local[i] = i % 4 == 3 ? (float)(node % 16 + i) * 0.25f : i % 5 == 0;
}

// Sets `world` to parent * local; the last row of both is 0 0 0 1.
static inline void tree_combine(const float parent[restrict 12], const float local[restrict 12],
                                float world[restrict 12])
{
    for (uint32_t row = 0; row < 12; row += 4) {
        for (uint32_t column = 0; column < 4; column++)
            world[row + column] =
                parent[row] * local[column] + parent[row + 1] * local[4 + column] + parent[row + 2] * local[8 + column];
        world[row + 3] += parent[row + 3];
    }
}

static const float tree_identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

static inline uint64_t tree_sum(const float world[12])
{
    return (uint64_t)(int64_t)(world[3] * 4 + world[7] * 12 + world[11] * 28);
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
