// Recordings of an earlier version: what scout.yaml recorded is played by guide.yaml (RPL-03).
#include "../../suites.h"
#include "save/scarce.h"
#include "scout_make.h"

#include <guide/guide.h>
#include <guide/guide_save.h>

#include <stdio.h>
#include <string.h>

static buffer file;
static guide_world *world;
static lodge_context *lodge;
static kin_player *player;
static scout_entities entities;
static int32_t stride;
static char error[512];

void stroll_update(guide_world *updated, stroll_iter *it, const kin_tick *tick)
{
    (void)updated;
    (void)tick;
    while (stroll_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->place[i].x += stride;
}

bool guard_migrate(Guard *value, const kin_record *record)
{
    int64_t points = 0;
    bool has = kin_record_integer(record, "Health.armor", &points) && points != 0;
    value->points = (int32_t)points;
    return has;
}

bool title_migrate(Title *value, const kin_record *record)
{
    static char text[16];
    int64_t level;
    if (!kin_record_integer(record, "Rank.level", &level))
        return false;
    snprintf(text, sizeof text, "rank %d", (int)level);
    value->level = text;
    return true;
}

static void note_error(const kin_error *reported, void *user)
{
    (void)user;
    snprintf(error, sizeof error, "%s", reported->message);
}

static void begin(const kin_record_options *options)
{
    kin_context_options context = {.on_error = note_error, .allocator = scarce_allocator()};
    entities = scout_make_recording(&file, options);
    world = guide_world_create(&context, NULL);
    ck_assert_ptr_nonnull(world);
    lodge = world->contexts->lodge;
    player = guide_player_create(world, buffer_source(&file));
    ck_assert_msg(player != NULL, "%s", error);
}

static void setup(void)
{
    memset(&file, 0, sizeof file);
    world = NULL;
    player = NULL;
    stride = 1;
    error[0] = '\0';
}

static void teardown(void)
{
    kin_player_destroy(player);
    guide_world_destroy(world);
    buffer_release(&file);
    ck_assert_uint_eq(scarce_used, 0);
}

// `points` of 0 and `text` of NULL: the entity lacks the component.
static void expect(kin_entity id, int32_t x, int32_t points, const char *text)
{
    lodge_entity entity = {id};
    ck_assert(lodge_entity_is_alive(lodge, entity));
    ck_assert_int_eq(lodge_get_place(lodge, entity)->x, x);
    ck_assert_int_eq(lodge_has_guard(lodge, entity), points != 0);
    if (points != 0)
        ck_assert_int_eq(lodge_get_guard(lodge, entity)->points, points);
    ck_assert_int_eq(lodge_has_title(lodge, entity), text != NULL);
    if (text != NULL)
        ck_assert_str_eq(lodge_get_title(lodge, entity)->level, text);
}

static void step(void)
{
    ck_assert_msg(kin_player_step(player), "%s", error);
    const kin_divergence *divergence = kin_player_divergence(player);
    ck_assert_msg(divergence == NULL, "%s", divergence == NULL ? "" : divergence->text);
}

static void step_all(void)
{
    expect(entities.a, 1, 4, "rank 2");
    expect(entities.b, 10, 0, "rank 1");
    step();
    lodge_edit_guard(lodge, (lodge_entity){entities.a})->points = 99;
    step();
    ck_assert_int_eq(lodge_get_health(lodge, (lodge_entity){entities.a})->hp, 40);
    expect(entities.a, 3, 99, "rank 2");
    step();
    expect(entities.a, 4, 99, "rank 2");
    expect(entities.c, 21, 9, "rank 3");
    step();
    expect(entities.a, 5, 99, "rank 2");
    expect(entities.b, 14, 0, "rank 7");
    step();
    ck_assert(!lodge_entity_is_alive(lodge, (lodge_entity){entities.a}));
    expect(entities.b, 15, 0, "rank 7");
    expect(entities.d, 31, 1, NULL);
    step();
    expect(entities.b, 16, 0, NULL);
    expect(entities.c, 24, 9, "rank 3");
    step();
    expect(entities.c, 25, 9, NULL);
    expect(entities.d, 33, 1, NULL);
    ck_assert(!kin_player_step(player));
    ck_assert_str_eq(error, "");
}

START_TEST(rpl_03_a_later_version_plays_a_recording_and_decides_about_new_entities)
{
    static const kin_record_options options[] = {{.level = 0}, {.states = true, .key_interval = 2}};
    begin(&options[_i]);
    step_all();
    ck_assert_int_eq(kin_player_seek(player, 1), KIN_OK);
    expect(entities.a, 2, 4, "rank 2");
}
END_TEST

START_TEST(rpl_03_what_is_not_recorded_stays_with_the_entities)
{
    begin(&(kin_record_options){.level = 0});
    lodge_add_note(lodge, (lodge_entity){entities.a}, (Note){5});
    lodge_add_note(lodge, (lodge_entity){entities.b}, (Note){6});
    for (uint32_t frame = 0; frame < SCOUT_FRAMES; frame++)
        step();
    ck_assert_int_eq(lodge_get_note(lodge, (lodge_entity){entities.b})->number, 6);
    ck_assert(!lodge_has_note(lodge, (lodge_entity){entities.d}));
}
END_TEST

START_TEST(rpl_03_hashes_tell_where_a_later_version_behaves_differently)
{
    begin(&(kin_record_options){.level = 0});
    step();
    stride = 2;
    while (kin_player_step(player))
        continue;
    const kin_divergence *divergence = kin_player_divergence(player);
    ck_assert_ptr_nonnull(divergence);
    ck_assert_str_eq(divergence->text, "frame 1: lodge Place differs");
    ck_assert_str_eq(error, "");
}
END_TEST

// Refuses each request of a frame once.
START_TEST(rpl_03_a_later_version_without_memory_tries_a_frame_again)
{
    begin(&(kin_record_options){.level = 0});
    for (uint32_t frame = 0; frame < SCOUT_FRAMES; frame++) {
        bool is_played = false;
        for (int64_t requests = 0; !is_played; requests++) {
            ck_assert_int_lt(requests, 2000);
            scarce_requests = requests;
            is_played = kin_player_step(player);
            scarce_requests = -1;
        }
    }
    expect(entities.b, 17, 0, NULL);
    expect(entities.c, 25, 9, NULL);
    expect(entities.d, 33, 1, NULL);
    ck_assert_ptr_null(kin_player_divergence(player));
}
END_TEST

Suite *save_record_version_suite(void)
{
    Suite *suite = suite_create("save_record_version");
    TCase *cases = tcase_create("versions");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, rpl_03_a_later_version_plays_a_recording_and_decides_about_new_entities, 0, 2);
    tcase_add_test(cases, rpl_03_what_is_not_recorded_stays_with_the_entities);
    tcase_add_test(cases, rpl_03_hashes_tell_where_a_later_version_behaves_differently);
    tcase_add_test(cases, rpl_03_a_later_version_without_memory_tries_a_frame_again);
    suite_add_tcase(suite, cases);
    return suite;
}
