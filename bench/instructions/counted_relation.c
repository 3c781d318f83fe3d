// Counted operations on a relation that is a tree.

#include "town.h"

void counted_link(town *town)
{
    for (uint32_t i = 1; i < TOWN_ENTITIES; i++)
        scene_add_child_of(town->scene, town->nodes[i], (ChildOf){town->nodes[(i - 1) / 4]});
}

void counted_unlink(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        scene_remove_child_of(town->scene, town->nodes[i]);
}

void counted_move_leaf(town *town)
{
    scene_entity leaf = town->nodes[TOWN_ENTITIES - 1];
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        scene_replace_child_of(town->scene, leaf, (ChildOf){town->nodes[i % 16]});
}

// The node has children, and moves between two others below the root.
void counted_move_branch(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        scene_replace_child_of(town->scene, town->nodes[1], (ChildOf){town->nodes[2 + i % 2]});
}

void counted_destroy_tree(town *town)
{
    scene_destroy_entity(town->scene, town->nodes[0]);
}

void counted_destroy_apart(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        scene_destroy_entity(town->scene, town->nodes[i]);
}
