// Changing and destroying entities in trees with Kin. plain.c does the same without relations.

#include "side.h"
#include "tree.h"
#include "trees/trees.h"

#include <stdlib.h>

typedef struct forest {
    scene_context *scene;
    uint32_t count;
    scene_entity *nodes;
    tree_move *moves;
    uint64_t random, sum;
} forest;

static void create_nodes(forest *forest)
{
    for (uint32_t i = 0; i < forest->count; i++) {
        forest->nodes[i] = scene_create_entity(forest->scene);
        scene_add_place(forest->scene, forest->nodes[i], (Place){(float)(i % 100), 0, 0});
    }
}

static void add_parents(void *user)
{
    forest *forest = user;
    for (uint32_t i = 0; i < forest->count; i++)
        if (!tree_is_root(i))
            scene_add_child_of(forest->scene, forest->nodes[i], (ChildOf){forest->nodes[tree_parent(i)]});
}

static void remove_parents(void *user)
{
    forest *forest = user;
    for (uint32_t i = 0; i < forest->count; i++)
        if (!tree_is_root(i))
            scene_remove_child_of(forest->scene, forest->nodes[i]);
}

static void *create(uint32_t count)
{
    forest *made = calloc(1, sizeof *made);
    made->count = count;
    made->random = 88172645463325252u;
    made->scene = scene_context_create(NULL);
    made->nodes = calloc(count, sizeof *made->nodes);
    made->moves = calloc(count, sizeof *made->moves);
    create_nodes(made);
    add_parents(made);
    return made;
}

static void *create_apart(uint32_t count)
{
    forest *made = create(count);
    remove_parents(made);
    return made;
}

static void destroy(void *user)
{
    forest *forest = user;
    scene_context_destroy(forest->scene);
    free(forest->nodes);
    free(forest->moves);
    free(forest);
}

// The parents of all nodes, as the places of their slots.
static uint64_t sum_of_parents(void *user)
{
    const forest *forest = user;
    uint64_t sum = scene_entity_count(forest->scene);
    for (uint32_t i = 0; i < forest->count; i++) {
        const ChildOf *child_of = scene_get_child_of(forest->scene, forest->nodes[i]);
        sum += child_of == NULL ? 0 : (uint64_t)(i + 1) * kin_entity_slot(child_of->parent.id);
    }
    return sum;
}

// ---- r.reparent

static void choose_moves(void *user)
{
    forest *forest = user;
    for (uint32_t i = 0; i < forest->count; i++)
        forest->moves[i] = tree_choose_move(&forest->random, forest->count);
}

static void move_leaves(void *user)
{
    forest *forest = user;
    for (uint32_t i = 0; i < forest->count; i++) {
        tree_move move = forest->moves[i];
        scene_replace_child_of(forest->scene, forest->nodes[move.leaf], (ChildOf){forest->nodes[move.parent]});
    }
}

// ---- r.cascade, r.alone

static void build(void *user)
{
    forest *forest = user;
    scene_context_destroy(forest->scene);
    forest->scene = scene_context_create(NULL);
    create_nodes(forest);
    add_parents(forest);
}

static void build_alone(void *user)
{
    build(user);
    remove_parents(user);
}

static void destroy_roots(void *user)
{
    forest *forest = user;
    for (uint32_t i = 0; i < forest->count; i += TREE_NODES)
        scene_destroy_entity(forest->scene, forest->nodes[i]);
}

static void destroy_nodes(void *user)
{
    forest *forest = user;
    for (uint32_t i = 0; i < forest->count; i++)
        scene_destroy_entity(forest->scene, forest->nodes[i]);
}

// ---- r.check5, r.check50

static void *create_chains(uint32_t count, uint32_t levels)
{
    forest *made = create_apart(count);
    for (uint32_t i = 0; i < count; i++)
        if (i % (levels + 1) != 0)
            scene_add_child_of(made->scene, made->nodes[i], (ChildOf){made->nodes[i - 1]});
    return made;
}

static void *create_chains_of_5(uint32_t count)
{
    return create_chains(count, 5);
}

static void *create_chains_of_50(uint32_t count)
{
    return create_chains(count, 50);
}

// Asks whether the last node of a chain is below the first node of the next one: it is not.
static void check_chains(forest *forest, uint32_t levels)
{
    uint32_t chains = forest->count / (levels + 1);
    uint64_t sum = 0, random = 88172645463325252u;
    for (uint32_t i = 0; i < chains; i++) {
        uint32_t chain = workload_random_below(&random, chains - 1);
        scene_entity last = forest->nodes[chain * (levels + 1) + levels];
        sum += scene_children_contains(forest->scene, forest->nodes[(chain + 1) * (levels + 1)], last);
    }
    forest->sum = sum;
}

static void check_5(void *user)
{
    check_chains(user, 5);
}

static void check_50(void *user)
{
    check_chains(user, 50);
}

static uint64_t sum_of_checks(void *user)
{
    return ((forest *)user)->sum;
}

const side_work kin_relation_works[] = {
    {"r.link", create, remove_parents, add_parents, sum_of_parents, destroy},
    {"r.unlink", create_apart, add_parents, remove_parents, sum_of_parents, destroy},
    {"r.reparent", create, choose_moves, move_leaves, sum_of_parents, destroy},
    {"r.cascade", create, build, destroy_roots, sum_of_parents, destroy},
    {"r.alone", create, build_alone, destroy_nodes, sum_of_parents, destroy},
    {"r.check5", create_chains_of_5, NULL, check_5, sum_of_checks, destroy},
    {"r.check50", create_chains_of_50, NULL, check_50, sum_of_checks, destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
