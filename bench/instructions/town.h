// Town: the world of the counted operations, and the operations.
//
// Every operation is a function `counted_…`; callgrind counts from its entry to its return. It runs the operation once
// for each entity of a town created for it. Values that it reads are added to `sum`.
#ifndef KIN_BENCH_TOWN_H
#define KIN_BENCH_TOWN_H

#include "bench/bench.h"
#include "trees/trees.h"

enum { TOWN_ENTITIES = 1024, TOWN_GROUPS = 32 };

typedef char town_name[16];

typedef struct town {
    game_context *game;
    scene_context *scene; // the context with a relation
    kin_collector *collector;
    game_entity entities[TOWN_ENTITIES];
    scene_entity nodes[TOWN_ENTITIES];
    town_name names[TOWN_ENTITIES];
    kin_component_id health; // found at run time
    uint64_t sum;
} town;

// Fills a town before an operation.
typedef void town_setting(town *town);
town_setting town_used;       // no entities, but room left by destroyed ones
town_setting town_empty;      // entities without components
town_setting town_moving;     // with Position and Velocity
town_setting town_whole;      // with Position, Velocity, Health and Data
town_setting town_spawned;    // no entities, but room left by those of a blueprint
town_setting town_aside;      // the same, and a listener of a group that the blueprint never matches
town_setting town_warned;     // with Position and Velocity, and a listener of entities that will be destroyed
town_setting town_ragged;     // with Position, every second with Velocity
town_setting town_flagged;    // with Position, Velocity and the flag Frozen
town_setting town_named;      // with Number, Name and Title
town_setting town_notified;   // with Health, and a listener of its changes
town_setting town_collected;  // with Health, and a collector of its changes
town_setting town_full;       // the same, with all entities collected
town_setting town_watched;    // without Health, which 32 groups require
town_setting town_subscribed; // the same, with a listener on each of these groups
town_setting town_apart;      // nodes with Place, and room left by ChildOf
town_setting town_tree;       // a tree of nodes with Place, each with up to four children

void town_create(town *town, town_setting *setting);
void town_destroy(town *town);

typedef void town_operation(town *town);
town_operation counted_create, counted_create_two, counted_destroy, counted_destroy_group, counted_clone;
town_operation counted_spawn, counted_spawn_with, counted_spawn_many;
town_operation counted_iterate_runs, counted_iterate_blocks;
town_operation counted_get, counted_get_by_id, counted_get_unchecked, counted_has;
town_operation counted_add, counted_remove, counted_replace, counted_set_flag, counted_clear_flag, counted_drain;
town_operation counted_find_number, counted_find_text, counted_find_string;
town_operation counted_group_count, counted_group_count_changed, counted_group_entities, counted_group_entities_changed;
town_operation counted_link, counted_unlink, counted_move_leaf, counted_move_branch, counted_destroy_tree;
town_operation counted_destroy_apart;

#endif
