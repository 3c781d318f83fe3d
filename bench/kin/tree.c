// Combining transforms along trees with Kin: a system that visits all nodes, and one that visits those that changed and
// all below them. The second is compared with the first.

#include "tree.h"
#include "nodes/nodes.h"
#include "side.h"

#include <stdlib.h>

typedef struct forest {
    nodes_world *world;
    grove_context *grove;
    uint32_t count;
    grove_entity *nodes;
    uint64_t random;
} forest;

void walk_all_update(nodes_world *world, walk_all_iter *it, const kin_tick *tick)
{
    (void)world;
    (void)tick;
    while (walk_all_next(it))
        tree_combine(it->parent_world == NULL ? tree_identity : it->parent_world->m, it->local->m, it->world->m);
}

void walk_changed_update(nodes_world *world, walk_changed_iter *it, const kin_tick *tick)
{
    (void)world;
    (void)tick;
    while (walk_changed_next(it))
        tree_combine(it->parent_world == NULL ? tree_identity : it->parent_world->m, it->local->m, it->world->m);
}

static void create_tree(forest *forest, uint32_t root, const uint32_t parents[TREE_NODES])
{
    for (uint32_t i = 0; i < TREE_NODES && root + i < forest->count; i++) {
        grove_entity node = forest->nodes[root + i] = grove_create_entity(forest->grove);
        Local local;
        tree_make_local(local.m, root + i);
        grove_add_local(forest->grove, node, local);
        grove_add_world(forest->grove, node, world_default());
        if (i > 0)
            grove_add_child_of(forest->grove, node, (ChildOf){forest->nodes[root + parents[i]]});
    }
}

// Enables one of the systems, and visits all nodes once.
static void *create(uint32_t count, const char *system)
{
    forest *made = calloc(1, sizeof *made);
    uint32_t parents[TREE_NODES];
    tree_number_depth_first(parents);
    made->count = count;
    made->random = 88172645463325252u;
    made->nodes = calloc(count, sizeof *made->nodes);
    made->world = nodes_world_create(NULL, NULL);
    made->grove = made->world->contexts->grove;
    for (uint32_t root = 0; root < count; root += TREE_NODES)
        create_tree(made, root, parents);
    kin_systems_set_enabled(nodes_world_systems(made->world), "WalkAll", false);
    kin_systems_set_enabled(nodes_world_systems(made->world), "WalkChanged", false);
    kin_systems_set_enabled(nodes_world_systems(made->world), system, true);
    nodes_world_update(made->world, 1);
    return made;
}

static void *create_all(uint32_t count)
{
    return create(count, "WalkAll");
}

static void *create_changed(uint32_t count)
{
    return create(count, "WalkChanged");
}

static void destroy(void *user)
{
    forest *forest = user;
    nodes_world_destroy(forest->world);
    free(forest->nodes);
    free(forest);
}

static void touch_some(void *user)
{
    forest *forest = user;
    for (uint32_t i = 0; i < workload_share(forest->count, 1); i++)
        grove_touch_local(forest->grove, forest->nodes[workload_random_below(&forest->random, forest->count)]);
}

static void update(void *user)
{
    nodes_world_update(((forest *)user)->world, 1);
}

static uint64_t sum_of_worlds(void *user)
{
    const forest *forest = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < forest->count; i++)
        sum += tree_sum(grove_get_world(forest->grove, forest->nodes[i])->m);
    return sum;
}

const side_work kin_tree_works[] = {
    {"r.walk", create_all, NULL, update, sum_of_worlds, destroy},
    {"r.changed", create_changed, touch_some, update, sum_of_worlds, destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
const side_work kin_whole_works[] = {
    {"r.changed", create_all, touch_some, update, sum_of_worlds, destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
