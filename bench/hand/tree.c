// Combining transforms along trees by hand: dense arrays, each parent before its children.

#include "tree.h"
#include "side.h"

#include <stdlib.h>

typedef float matrix[12];

typedef struct forest {
    uint32_t count;
    uint32_t *parents; // UINT32_MAX: a root
    matrix *locals, *worlds;
} forest;

static void *create(uint32_t count)
{
    forest *made = calloc(1, sizeof *made);
    uint32_t parents[TREE_NODES];
    tree_number_depth_first(parents);
    made->count = count;
    made->parents = calloc(count, sizeof *made->parents);
    made->locals = calloc(count, sizeof *made->locals);
    made->worlds = calloc(count, sizeof *made->worlds);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = i % TREE_NODES;
        made->parents[i] = place == 0 ? UINT32_MAX : i - place + parents[place];
        tree_make_local(made->locals[i], i);
    }
    return made;
}

static void destroy(void *user)
{
    forest *forest = user;
    free(forest->parents);
    free(forest->locals);
    free(forest->worlds);
    free(forest);
}

static void walk(void *user)
{
    const forest *forest = user;
    for (uint32_t i = 0; i < forest->count; i++) {
        uint32_t parent = forest->parents[i];
        tree_combine(parent == UINT32_MAX ? tree_identity : forest->worlds[parent], forest->locals[i],
                     forest->worlds[i]);
    }
}

static uint64_t sum_of_worlds(void *user)
{
    const forest *forest = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < forest->count; i++)
        sum += tree_sum(forest->worlds[i]);
    return sum;
}

const side_work hand_tree_works[] = {
    {"r.walk", create, NULL, walk, sum_of_worlds, destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
