// What relation.c does with trees, with Kin but without relations: the same values in a component of the same size, in
// a context that has no relation. Circles are looked for in an array of parents.

#include "side.h"
#include "tree.h"
#include "trees/trees.h"

#include <stdlib.h>

typedef struct forest {
    plain_context *plain;
    uint32_t count;
    plain_entity *nodes;
    uint32_t *parents; // of r.check5 and r.check50: a node counted from 1; 0: none
    tree_move *moves;
    uint64_t random, sum;
} forest;

static void create_nodes(forest *forest)
{
    for (uint32_t i = 0; i < forest->count; i++) {
        forest->nodes[i] = plain_create_entity(forest->plain);
        plain_add_place(forest->plain, forest->nodes[i], (Place){(float)(i % 100), 0, 0});
    }
}

static void add_nears(void *user)
{
    forest *forest = user;
    for (uint32_t i = 0; i < forest->count; i++)
        if (!tree_is_root(i))
            plain_add_under(forest->plain, forest->nodes[i], (Under){forest->nodes[tree_parent(i)]});
}

static void remove_nears(void *user)
{
    forest *forest = user;
    for (uint32_t i = 0; i < forest->count; i++)
        if (!tree_is_root(i))
            plain_remove_under(forest->plain, forest->nodes[i]);
}

static void *create(uint32_t count)
{
    forest *made = calloc(1, sizeof *made);
    made->count = count;
    made->random = 88172645463325252u;
    made->plain = plain_context_create(NULL);
    made->nodes = calloc(count, sizeof *made->nodes);
    made->parents = calloc(count, sizeof *made->parents);
    made->moves = calloc(count, sizeof *made->moves);
    create_nodes(made);
    add_nears(made);
    return made;
}

static void *create_apart(uint32_t count)
{
    forest *made = create(count);
    remove_nears(made);
    return made;
}

static void destroy(void *user)
{
    forest *forest = user;
    plain_context_destroy(forest->plain);
    free(forest->nodes);
    free(forest->parents);
    free(forest->moves);
    free(forest);
}

static uint64_t sum_of_nears(void *user)
{
    const forest *forest = user;
    uint64_t sum = plain_entity_count(forest->plain);
    for (uint32_t i = 0; i < forest->count; i++) {
        const Under *under = plain_get_under(forest->plain, forest->nodes[i]);
        sum += under == NULL ? 0 : (uint64_t)(i + 1) * kin_entity_slot(under->to.id);
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

static void replace_nears(void *user)
{
    forest *forest = user;
    for (uint32_t i = 0; i < forest->count; i++) {
        tree_move move = forest->moves[i];
        plain_replace_under(forest->plain, forest->nodes[move.leaf], (Under){forest->nodes[move.parent]});
    }
}

// ---- r.cascade, r.alone

static void build(void *user)
{
    forest *forest = user;
    plain_context_destroy(forest->plain);
    forest->plain = plain_context_create(NULL);
    create_nodes(forest);
    add_nears(forest);
}

static void build_alone(void *user)
{
    build(user);
    remove_nears(user);
}

static void destroy_nodes(void *user)
{
    forest *forest = user;
    for (uint32_t i = 0; i < forest->count; i++)
        plain_destroy_entity(forest->plain, forest->nodes[i]);
}

// ---- r.check5, r.check50

static void *create_chains(uint32_t count, uint32_t levels)
{
    forest *made = create(count);
    for (uint32_t i = 0; i < count; i++)
        made->parents[i] = i % (levels + 1) != 0 ? i : 0;
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

static void check_chains(forest *forest, uint32_t levels)
{
    uint32_t chains = forest->count / (levels + 1);
    uint64_t sum = 0, random = 88172645463325252u;
    for (uint32_t i = 0; i < chains; i++) {
        uint32_t chain = workload_random_below(&random, chains - 1), wanted = (chain + 1) * (levels + 1) + 1;
        uint32_t node = chain * (levels + 1) + levels + 1;
        while (node != 0 && node != wanted)
            node = forest->parents[node - 1];
        sum += node == wanted;
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

const side_work kin_plain_works[] = {
    {"r.link", create, remove_nears, add_nears, sum_of_nears, destroy},
    {"r.unlink", create_apart, add_nears, remove_nears, sum_of_nears, destroy},
    {"r.reparent", create, choose_moves, replace_nears, sum_of_nears, destroy},
    {"r.cascade", create, build, destroy_nodes, sum_of_nears, destroy},
    {"r.alone", create, build_alone, destroy_nodes, sum_of_nears, destroy},
    {"r.check5", create_chains_of_5, NULL, check_5, sum_of_checks, destroy},
    {"r.check50", create_chains_of_50, NULL, check_50, sum_of_checks, destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
