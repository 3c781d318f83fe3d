// Town: the world whose operations are counted, and the operations.
//
// Every operation is a function `counted_…`, from whose entry to whose return callgrind counts; it does the operation once
// for each entity of a town that was made for it. What it reads goes into `sum`.
#ifndef KIN_BENCH_TOWN_H
#define KIN_BENCH_TOWN_H

#include "bench/bench.h"

enum { TOWN_ENTITIES = 1024, TOWN_GROUPS = 32 };

typedef char town_name[16];

typedef struct town {
    game_context *game;
    kin_collector *collector;
    game_entity entities[TOWN_ENTITIES];
    town_name names[TOWN_ENTITIES];
    uint64_t sum;
} town;

// What an operation finds.
typedef void town_setting(town *town);
town_setting town_used;      // no entity, but room where some were
town_setting town_empty;     // entities without components
town_setting town_moving;    // with Position and Velocity
town_setting town_whole;     // and with Health and Data
town_setting town_spawned;   // no entity, but room where a blueprint's were
town_setting town_ragged;    // of which every second has a Velocity
town_setting town_flagged;   // which are Frozen
town_setting town_named;     // with Number, Name and Title
town_setting town_told;      // with Health, of which a listener is told
town_setting town_collected; // with Health, which is collected
town_setting town_full;      // and all of them are collected
town_setting town_watched;   // without Health, for which 32 groups wait
town_setting town_heard;     // with a listener on each

void town_create(town *town, town_setting *setting);
void town_destroy(town *town);

typedef void town_operation(town *town);
town_operation counted_create, counted_create_two, counted_destroy, counted_destroy_group, counted_clone;
town_operation counted_spawn, counted_spawn_many;
town_operation counted_iterate_runs, counted_iterate_blocks;
town_operation counted_get, counted_get_unchecked, counted_has;
town_operation counted_add, counted_remove, counted_replace, counted_set_flag, counted_clear_flag, counted_drain;
town_operation counted_find_number, counted_find_text, counted_find_string;
town_operation counted_group_count, counted_group_count_changed, counted_group_entities, counted_group_entities_changed;

#endif
