// Snapshots that were read from files, merged into contexts: levels and scenes.
#include "../suites.h"
#include "buffer.h"

#include <caravan/caravan.h>
#include <kin/save.h>

#include <string.h>

static buffer file;
static camp_context *author, *game;
static kin_snapshot *saved, *level;

static void setup(void)
{
    memset(&file, 0, sizeof file);
    author = camp_context_create(NULL);
    game = camp_context_create(NULL);
    saved = level = NULL;
}

static void teardown(void)
{
    kin_snapshot_destroy(saved);
    kin_snapshot_destroy(level);
    camp_context_destroy(author);
    camp_context_destroy(game);
    buffer_release(&file);
}

static void make_level(void)
{
    camp_entity tents[600], *list = tents;
    for (int i = 0; i < 600; i++) {
        tents[i] = camp_spawn_tent(author);
        camp_replace_spot(author, tents[i], (Spot){i, 0});
    }
    for (int i = 1; i < 4; i++)
        camp_add_child_of(author, tents[i], (ChildOf){tents[500 + i / 3]});
    camp_children_place_before(author, tents[2], tents[1]);
    camp_add_guests(author, tents[7], (Guests){.list = {list, 600}});
    camp_add_badge(author, tents[8], (Badge){tents[9], "smith"});
    camp_add_trail(author, tents[9], (Trail){1});
    ck_assert_int_eq(camp_save(author, &saved), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write(saved, buffer_sink(&file), NULL), KIN_OK);
}

static void check_level(const camp_entity *merged)
{
    ck_assert_uint_eq(camp_children_first(game, merged[512 + 500]).id, merged[512 + 2].id);
    ck_assert_uint_eq(camp_children_count(game, merged[512 + 500]), 2);
    ck_assert_uint_eq(camp_get_guests(game, merged[512 + 7])->list.at[599].id, merged[512 + 599].id);
    ck_assert_uint_eq(camp_get_badge(game, merged[512 + 8])->of.id, merged[512 + 9].id);
    ck_assert_str_eq(camp_get_badge(game, merged[512 + 8])->title, "smith");
    ck_assert_int_eq(camp_get_spot(game, merged[512 + 599])->x, 599);
    ck_assert(!camp_has_trail(game, merged[512 + 9]));
}

START_TEST(mrg_03_a_snapshot_from_a_file_is_merged_as_often_as_liked)
{
    static camp_entity merged[2048];
    for (int i = 0; i < 512; i++)
        camp_create_entity(author); // the level begins in the second chunk
    camp_destroy_all_entities(author);
    make_level();
    ck_assert_int_eq(kin_context_read(&game->base, &level, buffer_source(&file), NULL, NULL), KIN_OK);
    uint32_t slots = kin_snapshot_slot_count(level, &camp_info);
    ck_assert_uint_eq(slots, 512 + 600);
    for (uint32_t i = 1; i <= 3; i++) {
        ck_assert_int_eq(camp_merge(game, level, merged), KIN_OK);
        ck_assert_uint_eq(camp_entity_count(game), 600 * i);
        check_level(merged);
    }
    ck_assert_int_eq(camp_merge(author, level, NULL), KIN_OK);
    ck_assert_uint_eq(camp_entity_count(author), 1200);
}
END_TEST

Suite *save_merge_suite(void)
{
    Suite *suite = suite_create("save_merge");
    TCase *tests = tcase_create("file");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, mrg_03_a_snapshot_from_a_file_is_merged_as_often_as_liked);
    suite_add_tcase(suite, tests);
    return suite;
}
