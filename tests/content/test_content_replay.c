// Recordings of worlds with content (CNT-24).
#include "live_case.h"
#include "runtime/support/support.h"
#include "save/buffer.h"
#include "suites.h"

#include <barracks/barracks.h>
#include <barracks/barracks_content.h>
#include <barracks/barracks_save.h>
#include <check.h>
#include <string.h>

static error_log errors;
static buffer recording;
static barracks_world *world;
static bool spawns; // the system does, by name

void enlist_execute(barracks_world *updated, const kin_tick *tick)
{
    (void)tick;
    if (spawns)
        barracks_spawn_named(updated->contexts->barracks, "Guard", NULL);
}

static void create_world(void)
{
    world = barracks_world_create(&(kin_context_options){.on_error = error_log_append, .error_user = &errors}, NULL);
    ck_assert_ptr_nonnull(world);
}

static kin_content *open_content(int strength)
{
    const char *yaml =
        arena_format(scratch, "prefabs: { Guard: { extends: Recruit, Drill: { strength: %d } } }\n", strength);
    text pack = pack_for(&barracks_info, yaml);
    kin_content *content = kin_content_open_bytes(&world->contexts->barracks->base, pack.bytes, pack.size, NULL);
    ck_assert_ptr_nonnull(content);
    return content;
}

static void reload(kin_content *content, int strength)
{
    const char *yaml =
        arena_format(scratch, "prefabs: { Guard: { extends: Recruit, Drill: { strength: %d } } }\n", strength);
    text pack = pack_for(&barracks_info, yaml);
    ck_assert_int_eq(kin_content_load(content, pack.bytes, pack.size), KIN_OK);
}

// Records some updates with a reload in the middle.
static void record(void)
{
    create_world();
    kin_content *content = open_content(7);
    barracks_spawn_named(world->contexts->barracks, "Guard", NULL);
    ck_assert_int_eq(barracks_world_record(world, buffer_sink(&recording), NULL), KIN_OK);
    barracks_world_update(world, 1);
    if (!spawns)
        reload(content, 9);
    barracks_world_update(world, 1);
    barracks_spawn_named(world->contexts->barracks, "Guard", NULL);
    barracks_world_update(world, 1);
    ck_assert_int_eq(barracks_world_stop_recording(world), KIN_OK);
    barracks_world_destroy(world);
    world = NULL;
}

static void setup(void)
{
    memset(&recording, 0, sizeof recording);
    error_log_clear(&errors);
    live_case_begin();
    spawns = false;
}

static void teardown(void)
{
    barracks_world_destroy(world);
    world = NULL;
    buffer_release(&recording);
    live_case_end();
}

static void play(uint32_t count)
{
    kin_player *player = barracks_player_create(world, buffer_source(&recording));
    ck_assert_msg(player != NULL, "%s", errors.entries[0].message);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert(kin_player_step(player));
    ck_assert_ptr_null(kin_player_divergence(player));
    ck_assert(!kin_player_step(player));
    kin_player_destroy(player);
    ck_assert_uint_eq(barracks_entity_count(world->contexts->barracks), count);
    ck_assert_uint_eq(errors.count, 0);
}

START_TEST(cnt_24_a_player_needs_no_content_for_levels_and_reloads)
{
    record();
    create_world();
    play(3); // Content has an entity of its own
}
END_TEST

START_TEST(cnt_24_systems_that_spawn_by_name_find_the_same_content)
{
    spawns = true;
    record();
    create_world();
    open_content(7);
    play(6);
}
END_TEST

START_TEST(cnt_24_a_player_with_another_content_refuses)
{
    spawns = true;
    record();
    create_world();
    open_content(8);
    uint32_t count = barracks_entity_count(world->contexts->barracks);
    ck_assert_ptr_null(barracks_player_create(world, buffer_source(&recording)));
    ck_assert_int_eq(errors.entries[0].status, KIN_ERROR_SHAPE);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "context 'barracks' was recorded with version "));
    ck_assert_uint_eq(barracks_entity_count(world->contexts->barracks), count);
    ck_assert_uint_eq(errors.count, 1);
}
END_TEST

Suite *content_replay_suite(void)
{
    Suite *suite = suite_create("content_replay");
    TCase *tests = tcase_create("rules");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, cnt_24_a_player_needs_no_content_for_levels_and_reloads);
    tcase_add_test(tests, cnt_24_systems_that_spawn_by_name_find_the_same_content);
    tcase_add_test(tests, cnt_24_a_player_with_another_content_refuses);
    suite_add_tcase(suite, tests);
    return suite;
}
