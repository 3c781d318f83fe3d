// One result: parallel systems, and the same systems with direct calls. KIN_TICKS sets the length of the game.
#include "suites.h"

#include <check.h>
#include <inttypes.h>
#include <kin/pool.h>
#include <ranch/ranch.h>
#include <stdio.h>
#include <stdlib.h>

enum { COWS = 3000, MOST_COWS = 8 * COWS, CELL = 8, LIFE = 60, TICKS = 200 };

typedef struct ranch {
    ranch_ranch_world *world;
    ranch_herd_context *herd;
    uint64_t births; // a hash of the messages
} ranch;

static uint32_t ticks(void)
{
    const char *text = getenv("KIN_TICKS");
    return text == NULL ? TICKS : (uint32_t)strtoul(text, NULL, 10);
}

// ---- what happens to a cow

// Returns whether it is in another cell now.
static bool walk(ranch_Position *position, uint32_t slot)
{
    int32_t before = position->x / CELL;
    position->x += position->y;
    if (position->x >= 64 * CELL || position->x < 0)
        position->y = -position->y;
    position->y += (int32_t)(slot % 3) * (position->y > 0) - (int32_t)(slot % 2) * (position->y > 4);
    return position->x / CELL != before;
}

static bool is_marked_at(const ranch_Position *position)
{
    return position->x / CELL % 5 == 0;
}

static bool calves(int32_t ticks, uint32_t slot)
{
    return ticks == 20 + (int32_t)(slot % 7);
}

static bool dies(int32_t ticks, uint32_t slot)
{
    return ticks >= LIFE + (int32_t)(slot % 31);
}

static ranch_Name name_of(char text[static 24], uint32_t slot)
{
    snprintf(text, 24, "calf of %" PRIu32, slot);
    return (ranch_Name){.text = text};
}

static ranch_Cell cell_of(uint32_t slot)
{
    return (ranch_Cell){.x = (int32_t)(slot % 64)};
}

// ---- systems that record their changes

void ranch_walk_update(ranch_walk_job *job, ranch_walk_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (ranch_walk_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            ranch_herd_entity cow = ranch_walk_at(it, i);
            if (!walk(&it->position[i], kin_entity_slot(cow.id)))
                continue;
            ranch_walk_replace_cell(job, cow, (ranch_Cell){it->position[i].x / CELL});
            ranch_walk_set_marked(job, cow, is_marked_at(&it->position[i]));
        }
}

static void grow_cow(ranch_grow_job *job, ranch_herd_entity cow, int32_t ticks)
{
    uint32_t slot = kin_entity_slot(cow.id);
    char text[24];
    if (calves(ticks, slot)) {
        ranch_herd_entity calf = ranch_grow_spawn_cow(job);
        ranch_grow_add_name(job, calf, name_of(text, slot));
        ranch_grow_replace_cell(job, calf, cell_of(slot));
        ranch_grow_publish_born(job, (ranch_Born){cow, calf});
    }
    if (dies(ticks, slot))
        ranch_grow_destroy_entity(job, cow);
}

void ranch_grow_update(ranch_grow_job *job, ranch_grow_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (ranch_grow_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            grow_cow(job, ranch_grow_at(it, i), ++it->age[i].ticks);
}

// ---- systems that make them

void ranch_walk_plain_update(ranch_ranch_world *world, ranch_walk_plain_iter *it, const kin_tick *tick)
{
    ranch_herd_context *herd = world->contexts->herd;
    (void)tick;
    while (ranch_walk_plain_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            ranch_herd_entity cow = ranch_walk_plain_at(it, i);
            if (!walk(&it->position[i], kin_entity_slot(cow.id)))
                continue;
            ranch_herd_replace_cell(herd, cow, (ranch_Cell){it->position[i].x / CELL});
            ranch_herd_set_marked(herd, cow, is_marked_at(&it->position[i]));
        }
}

static void grow_plain_cow(ranch_ranch_world *world, ranch_herd_entity cow, int32_t ticks)
{
    ranch_herd_context *herd = world->contexts->herd;
    uint32_t slot = kin_entity_slot(cow.id);
    char text[24];
    if (calves(ticks, slot)) {
        ranch_herd_entity calf = ranch_herd_spawn_cow(herd);
        ranch_herd_add_name(herd, calf, name_of(text, slot));
        ranch_herd_replace_cell(herd, calf, cell_of(slot));
        ranch_ranch_publish_born(world, (ranch_Born){cow, calf});
    }
    if (dies(ticks, slot))
        ranch_herd_destroy_entity(herd, cow);
}

// The loop ends before the first change, so that it does not visit the calves.
void ranch_grow_plain_update(ranch_ranch_world *world, ranch_grow_plain_iter *it, const kin_tick *tick)
{
    static ranch_herd_entity cows[MOST_COWS];
    static int32_t ages[MOST_COWS];
    uint32_t count = 0;
    (void)tick;
    while (ranch_grow_plain_next(it))
        for (uint32_t i = 0; i < it->count && count < MOST_COWS; i++) {
            cows[count] = ranch_grow_plain_at(it, i);
            ages[count++] = ++it->age[i].ticks;
        }
    for (uint32_t i = 0; i < count; i++)
        grow_plain_cow(world, cows[i], ages[i]);
}

void ranch_hear_on_born(ranch_ranch_world *world, const ranch_Born *message)
{
    ranch *self = world->user;
    self->births = (self->births ^ message->mother.id ^ message->calf.id << 1) * 0x9E3779B97F4A7C15U;
}

// ---- games

static void begin(ranch *ranch)
{
    ranch->births = 0;
    ranch->world = ranch_ranch_world_create(NULL, ranch);
    ranch->herd = ranch->world->contexts->herd;
    for (uint32_t i = 0; i < COWS; i++) {
        ranch_herd_entity cow = ranch_herd_spawn_cow(ranch->herd);
        ranch_herd_replace_position(ranch->herd, cow, (ranch_Position){(int32_t)(i * 7 % 500), (int32_t)(i % 9) - 4});
        ranch_herd_replace_age(ranch->herd, cow, (ranch_Age){(int32_t)(i % LIFE)});
    }
}

static void end(ranch *ranch)
{
    ranch_ranch_world_destroy(ranch->world);
}

static uint64_t hash_of(const ranch *ranch)
{
    kin_snapshot *snapshot = NULL;
    ck_assert_int_eq(ranch_herd_save(ranch->herd, &snapshot), KIN_OK);
    uint64_t hash = kin_snapshot_hash(snapshot);
    kin_snapshot_destroy(snapshot);
    return hash;
}

static void update(ranch *ranch, void (*run)(ranch_ranch_world *world, double delta))
{
    run(ranch->world, 1);
    ranch_ranch_world_run_evening(ranch->world, 1);
}

// With one thread, and with four.
START_TEST(par_03_recorded_changes_are_those_of_direct_calls_after_every_tick)
{
    ranch recorded, direct;
    kin_executor *pool = _i == 0 ? NULL : kin_pool_create(4);
    begin(&recorded);
    begin(&direct);
    ck_assert_int_eq(ranch_ranch_world_set_executor(recorded.world, pool), KIN_OK);
    for (uint32_t tick = 0; tick < ticks(); tick++) {
        update(&recorded, ranch_ranch_world_run_recorded);
        update(&direct, ranch_ranch_world_run_direct);
        ck_assert_msg(hash_of(&recorded) == hash_of(&direct), "tick %" PRIu32 " differs", tick);
        ck_assert_uint_eq(recorded.births, direct.births);
    }
    ck_assert_uint_gt(ranch_herd_entity_count(direct.herd), COWS / 4);
    ck_assert_uint_gt(kin_group_count(ranch_herd_marked_group(direct.herd)), 100);
    ck_assert_uint_ne(direct.births, 0);
    end(&recorded);
    end(&direct);
    kin_pool_destroy(pool);
}
END_TEST

Suite *runtime_serial_suite(void)
{
    Suite *suite = suite_create("runtime_serial");
    TCase *tests = tcase_create("serial");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, par_03_recorded_changes_are_those_of_direct_calls_after_every_tick, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
