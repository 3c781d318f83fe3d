// Saving back (CNT-30 to CNT-32): what a designer has changed in the running game goes into the text of a file.
#include "generator/content/content.h"
#include "generator/scratch.h"
#include "live/live.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <fort/fort.h>
#include <fort/fort_content.h>
#include <kin/content_edit.h>
#include <kin/random.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

CASE(game)

static kin_content *content;

static void begin(void)
{
    static const kin_context_info *const contexts[] = {&game_info};
    scratch_create();
    game_begin();
    scratch_write("empty/none.yaml", "content: 1\n");
    const char *path = scratch_path("empty");
    diagnostics faults = diagnostics_create(scratch_arena());
    kin__pack *pack =
        content_compile(scratch_arena(), &faults, (content_schema){contexts, 1}, (content_paths){&path, 1});
    text bytes = text_create(scratch_arena());
    content_append_file(pack, &bytes);
    content = kin_content_open_bytes(&game->base, bytes.bytes, bytes.size, NULL);
    ck_assert_ptr_nonnull(content);
}

static void end(void)
{
    game_end();
    scratch_destroy();
}

static void watch(const char *yaml)
{
    static const kin_content_watch_options quiet = {.is_quiet = true};
    scratch_write("files/all.yaml", yaml);
    ck_assert_int_eq(kin_content_watch(content, scratch_path("files"), &quiet), KIN_OK);
}

static uint32_t saved(void)
{
    kin_content_state state;
    kin_content_report(content, &state);
    return state.saved;
}

static uint32_t left_out(void)
{
    kin_content_state state;
    kin_content_report(content, &state);
    return state.left_out;
}

static void expect_file(const char *yaml)
{
    ck_assert_str_eq(scratch_read("files/all.yaml"), yaml);
    ck_assert_uint_eq(scratch_count("files"), 1);
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
}

static void count_difference(const kin_content_difference *difference, void *count)
{
    ck_assert_ptr_nonnull(difference->given);
    ++*(uint32_t *)count;
}

static uint32_t differences(game_entity entity)
{
    void *data;
    uint32_t count = 0;
    const kin_content_face *face = kin_content_face_of(&game->base, &data);
    const char *level;
    ck_assert_int_eq(face->differ(data, entity.id, count_difference, &count, &level), KIN_OK);
    return count;
}

static void set_points(game_entity entity, int32_t points)
{
    Health health = *game_get_health(game, entity);
    health.points = points;
    health.since = 3; // content: false
    ck_assert_int_eq(game_replace_health(game, entity, health), KIN_OK);
}

static void set_interval(game_entity cannon, float interval)
{
    game_entity head = game_find_part(game, cannon, "head");
    Gun gun = *game_get_gun(game, head);
    gun.interval = interval;
    ck_assert_int_eq(game_replace_gun(game, head, gun), KIN_OK);
}

static void move(game_entity entity, float x)
{
    Local local = *game_get_local(game, entity);
    local.at.x = x;
    ck_assert_int_eq(game_replace_local(game, entity, local), KIN_OK);
}

// ---- to the prefab

START_TEST(cnt_30_a_value_of_the_prefab_is_replaced_where_it_stands)
{
    watch("content: 1 # first\nprefabs:\n  Fast: # fast\n    extends: Cannon\n    Health: { points: 150 } # hard\n");
    game_entity gun = game_spawn_named(game, "Fast", NULL);
    ck_assert_uint_eq(differences(gun), 0);
    set_points(gun, 99);
    ck_assert_uint_eq(differences(gun), 1);
    ck_assert_int_eq(kin_content_save(content, gun.id, "prefab"), KIN_OK);
    ck_assert_uint_eq(saved(), 1);
    expect_file(
        "content: 1 # first\nprefabs:\n  Fast: # fast\n    extends: Cannon\n    Health: { points: 99 } # hard\n");
    ck_assert_uint_eq(differences(gun), 0);
    ck_assert_int_eq(game_get_health(game, game_spawn_named(game, "Fast", NULL))->points, 99);
    ck_assert_int_eq(kin_content_save(content, gun.id, "prefab"), KIN_OK);
    ck_assert_uint_eq(saved(), 0);
}
END_TEST

START_TEST(cnt_30_what_the_prefab_does_not_say_is_added_below_its_parts)
{
    watch("content: 1\nprefabs:\n  Fast:\n    extends: Cannon\n    parts:\n      flag: { of: Block }  # new\n");
    game_entity gun = game_spawn_named(game, "Fast", NULL);
    set_interval(gun, 0.05F);
    game_entity flag = game_find_part(game, gun, "flag");
    ck_assert_int_eq(game_replace_box(game, flag, (Box){.width = 2.5F, .height = 1}), KIN_OK);
    Color colour = {.rgb = {7, 8, 9}};
    ck_assert_int_eq(game_replace_color(game, game_find_part(game, gun, "foot"), colour), KIN_OK);
    ck_assert_int_eq(kin_content_save(content, gun.id, "prefab"), KIN_OK);
    expect_file("content: 1\nprefabs:\n  Fast:\n    extends: Cannon\n    parts:\n"
                "      flag: { of: Block, Box: { width: 2.5 } }  # new\n"
                "    foot: { Color: { rgb: [7, 8, 9] } }\n"
                "    head: { Gun: { interval: 0.05 } }\n");
    ck_assert_uint_eq(differences(gun), 0);
}
END_TEST

START_TEST(cnt_30_the_place_of_the_first_entity_is_not_the_prefabs)
{
    watch("content: 1\nprefabs: { Fast: { extends: Cannon } }\nlevels: { l: { place: [{ Fast: { at: [1, 2, 3], as: one "
          "} }] } }\n");
    ck_assert_int_eq(game_place_level(game, "l"), KIN_OK);
    game_entity gun = game_find_placed(game, "l/one");
    move(gun, 5);
    set_points(gun, 70);
    ck_assert_int_eq(kin_content_save(content, gun.id, "prefab"), KIN_OK);
    expect_file("content: 1\nprefabs: { Fast: { extends: Cannon, Health: { points: 70 } } }\n"
                "levels: { l: { place: [{ Fast: { at: [1, 2, 3], as: one } }] } }\n");
}
END_TEST

START_TEST(cnt_30_what_the_level_says_is_not_saved_to_the_prefab)
{
    static const char yaml[] = "content: 1\nprefabs: { Fast: { extends: Cannon } }\n"
                               "levels: { l: { place: [{ Fast: { interval: 1, as: one } }] } }\n";
    watch(yaml);
    ck_assert_int_eq(game_place_level(game, "l"), KIN_OK);
    game_entity gun = game_find_placed(game, "l/one");
    set_interval(gun, 2);
    ck_assert_refused(&errors, kin_content_save(content, gun.id, "prefab"), KIN_ERROR_INVALID);
    expect_file(yaml);
    set_points(gun, 3);
    ck_assert_int_eq(kin_content_save(content, gun.id, "prefab"), KIN_OK);
    ck_assert_uint_eq(saved(), 1);
    ck_assert_uint_eq(left_out(), 1);
}
END_TEST

START_TEST(cnt_30_a_part_saves_itself_alone)
{
    watch("content: 1\nprefabs:\n  Fast: { extends: Cannon }\n");
    game_entity gun = game_spawn_named(game, "Fast", NULL);
    set_points(gun, 99);
    set_interval(gun, 0.5F);
    ck_assert_int_eq(kin_content_save(content, game_find_part(game, gun, "head").id, "prefab"), KIN_OK);
    expect_file("content: 1\nprefabs:\n  Fast: { extends: Cannon, head: { Gun: { interval: 0.5 } } }\n");
}
END_TEST

START_TEST(cnt_04_values_of_a_blueprint_go_to_blueprints)
{
    watch("content: 1\nvalues: { Battle: { money: 3 } }\n");
    game_entity gun = game_spawn_named(game, "Cannon", NULL);
    set_points(gun, 99);
    ck_assert_int_eq(kin_content_save(content, gun.id, "prefab"), KIN_OK);
    expect_file("content: 1\nvalues: { Battle: { money: 3 } }\nblueprints: { Cannon: { Health: { points: 99 } } }\n");
    ck_assert_int_eq(game_get_health(game, game_spawn_cannon(game))->points, 99);
    set_points(gun, 98);
    ck_assert_int_eq(kin_content_save(content, gun.id, "prefab"), KIN_OK);
    expect_file("content: 1\nvalues: { Battle: { money: 3 } }\nblueprints: { Cannon: { Health: { points: 98 } } }\n");
}
END_TEST

// ---- to the instance

#define LEVEL                                                                                                          \
    "content: 1\n"                                                                                                     \
    "levels:\n"                                                                                                        \
    "  valley:\n"                                                                                                      \
    "    place:\n"                                                                                                     \
    "      - Cannon: { at: [3, 0, 4] } # the first\n"                                                                  \
    "      - Cannon: { at: [8, 0, 4], interval: 0.03, as: north_gun }\n"                                               \
    "      - Block:\n"                                                                                                 \
    "          - { Local: { turn: 1 } } # none\n"                                                                      \
    "          - { Box: { width: 7 } }\n"                                                                              \
    "      - Tower: { as: tower }\n"                                                                                   \
    "      - houses: { at: [40, 0, 0] }\n"                                                                             \
    "  houses:\n"                                                                                                      \
    "    place:\n"                                                                                                     \
    "      - Block: { as: door }\n"

START_TEST(cnt_30_an_instance_is_saved_to_its_level)
{
    watch(LEVEL);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_OK);
    game_entity gun = game_find_placed(game, "valley/north_gun");
    move(gun, 9.25F);
    set_interval(gun, 0.07F);
    set_points(gun, 12);
    ck_assert_int_eq(kin_content_save(content, gun.id, "instance"), KIN_OK);
    expect_file("content: 1\nlevels:\n  valley:\n    place:\n      - Cannon: { at: [3, 0, 4] } # the first\n"
                "      - Cannon: { at: [9.25, 0, 4], interval: 0.07, as: north_gun, Health: { points: 12 } }\n"
                "      - Block:\n          - { Local: { turn: 1 } } # none\n          - { Box: { width: 7 } }\n"
                "      - Tower: { as: tower }\n      - houses: { at: [40, 0, 0] }\n"
                "  houses:\n    place:\n      - Block: { as: door }\n");
    ck_assert_uint_eq(differences(gun), 0);
}
END_TEST

// Finds the block of a width.
static game_entity block_of(float width)
{
    uint32_t count;
    const game_entity *all = game_boxes_entities(game, &count);
    for (uint32_t i = 0; i < count; i++)
        if (game_get_box(game, all[i])->width == width)
            return all[i];
    ck_abort_msg("no block");
}

START_TEST(cnt_30_an_instance_without_a_name_and_one_in_another_level_are_found)
{
    watch(LEVEL);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_OK);
    game_entity block = block_of(7);
    ck_assert_int_eq(game_replace_box(game, block, (Box){.width = 7, .height = 3}), KIN_OK);
    ck_assert_int_eq(kin_content_save(content, block.id, "instance"), KIN_OK);
    ck_assert_ptr_nonnull(strstr(scratch_read("files/all.yaml"), "          - { Box: { width: 7, height: 3 } }\n"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    game_entity door = game_find_placed(game, "valley/houses.door");
    ck_assert_int_eq(game_replace_box(game, door, (Box){.width = 2, .height = 1}), KIN_OK);
    move(door, 50); // its level is at 40: the place is left out
    ck_assert_int_eq(kin_content_save(content, door.id, "instance"), KIN_OK);
    ck_assert_ptr_nonnull(strstr(scratch_read("files/all.yaml"), "      - Block: { as: door, Box: { width: 2 } }\n"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
}
END_TEST

START_TEST(cnt_30_references_are_saved_as_names)
{
    watch(LEVEL);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_OK);
    game_entity tower = game_find_placed(game, "valley/tower");
    game_entity gun = game_find_placed(game, "valley/north_gun");
    ck_assert_uint_eq(differences(tower), 0);
    Watch seen = *game_get_watch(game, tower);
    seen.by = game_find_part(game, gun, "head.left");
    ck_assert_int_eq(game_replace_watch(game, tower, seen), KIN_OK);
    ck_assert_int_eq(kin_content_save(content, tower.id, "instance"), KIN_OK);
    ck_assert_ptr_nonnull(
        strstr(scratch_read("files/all.yaml"), "      - Tower: { as: tower, Watch: { by: north_gun.head.left } }\n"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_uint_eq(differences(tower), 0);
    seen.by = game_find_part(game, tower, "gun");
    ck_assert_int_eq(game_replace_watch(game, tower, seen), KIN_OK);
    ck_assert_int_eq(kin_content_save(content, tower.id, "instance"), KIN_OK);
    ck_assert_ptr_nonnull(strstr(scratch_read("files/all.yaml"), "Watch: { by: .gun } }\n"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    seen.by = GAME_NO_ENTITY;
    ck_assert_int_eq(game_replace_watch(game, tower, seen), KIN_OK);
    ck_assert_int_eq(kin_content_save(content, tower.id, "instance"), KIN_OK);
    ck_assert_ptr_nonnull(strstr(scratch_read("files/all.yaml"), "Watch: { by: ~ } }\n"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    seen.by = game_create_entity(game); // of no level
    ck_assert_int_eq(game_replace_watch(game, tower, seen), KIN_OK);
    ck_assert_refused(&errors, kin_content_save(content, tower.id, "instance"), KIN_ERROR_INVALID);
    ck_assert_uint_eq(left_out(), 1);
}
END_TEST

START_TEST(cnt_30_the_instances_of_a_level_are_listed_once_for_a_content)
{
    watch("content: 1\nlevels: { l: { place: [{ Cannon: [{}, { at: [1, 0, 0] }] }, { Cannon: { as: one } }] } }\n");
    ck_assert_int_eq(game_place_level(game, "l"), KIN_OK);
    game_entity gun = game_find_placed(game, "l/one");
    ck_assert_ptr_null(content->now->listed);
    set_points(gun, 3);
    ck_assert_uint_eq(differences(gun), 1);
    const kin__instance *listed = content->now->listed[0].all;
    ck_assert_uint_eq(content->now->listed[0].count, 3);
    ck_assert_uint_eq(differences(gun), 1);
    ck_assert_ptr_eq(content->now->listed[0].all, listed);
    const kin__generation *before = content->now;
    scratch_write("files/all.yaml",
                  "content: 1\nlevels: { l: { place: [{ Cannon: { as: one, Health: { points: 3 } } }] } }\n");
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_ptr_null(before->listed[0].all);
    ck_assert_uint_eq(differences(gun), 0);
}
END_TEST

// ---- some of it

START_TEST(cnt_30_a_choice_of_fields_components_and_parts_is_saved)
{
    static const char *const head[] = {"head"}, *const health[] = {"Health", "head.Gun.interval"},
                             *const none[] = {NULL};
    static const char *const wrong[] = {"head.Gun.interva"}, *const half[] = {"Heal"};
    watch("content: 1\nprefabs: { Fast: { extends: Cannon } }\n");
    game_entity gun = game_spawn_named(game, "Fast", NULL);
    set_points(gun, 70);
    set_interval(gun, 2);
    ck_assert_refused(&errors, kin_content_save_paths(content, gun.id, "prefab", wrong, 1), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_content_save_paths(content, gun.id, "prefab", half, 1), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_content_save_paths(content, gun.id, "prefab", none, 1), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_content_save_paths(content, gun.id, "prefab", none, 0), KIN_OK);
    expect_file("content: 1\nprefabs: { Fast: { extends: Cannon } }\n");
    ck_assert_int_eq(kin_content_save_paths(content, gun.id, "prefab", head, 1), KIN_OK);
    ck_assert_uint_eq(saved(), 1);
    expect_file("content: 1\nprefabs: { Fast: { extends: Cannon, head: { Gun: { interval: 2 } } } }\n");
    ck_assert_uint_eq(differences(gun), 1);
    set_interval(gun, 3);
    ck_assert_int_eq(kin_content_save_paths(content, gun.id, "Strong", health, 2), KIN_OK);
    ck_assert_uint_eq(saved(), 2);
    ck_assert_int_eq(kin_content_save_paths(NULL, gun.id, "prefab", head, 1), KIN_ERROR_INVALID);
    game_destroy_entity(game, gun);
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_refused(&errors, kin_content_save_paths(content, gun.id, "prefab", head, 1), KIN_ERROR_NOT_ALIVE);
}
END_TEST

static void append_left_out(const kin_content_difference *difference, void *lines)
{
    text_append_format(lines, "%s|%s.%s: %s\n", difference->part, difference->component, difference->field,
                       difference->left_out);
}

static const char *left_out_of(game_entity entity, const char *where, kin_status expected)
{
    void *data;
    text lines = text_create(scratch_arena());
    kin_content_saving saving = {.where = where, .left_out = append_left_out, .user = &lines};
    const kin_content_face *face = kin_content_face_of(&game->base, &data);
    ck_assert_int_eq(face->save(data, entity.id, &saving), expected);
    return lines.bytes;
}

START_TEST(cnt_30_what_is_left_out_says_why)
{
    watch("content: 1\nprefabs: { Fast: { extends: Cannon } }\n"
          "levels: { l: { place: [{ Fast: { interval: 1, as: one } }, { Tower: { as: two } }] } }\n");
    ck_assert_int_eq(game_place_level(game, "l"), KIN_OK);
    game_entity gun = game_find_placed(game, "l/one"), tower = game_find_placed(game, "l/two");
    move(gun, 5);
    set_interval(gun, 2);
    set_points(gun, 70);
    ck_assert_str_eq(left_out_of(gun, "prefab", KIN_OK), "|Local.at.x: where an instance stands is not its prefab's\n"
                                                         "head|Gun.interval: its level says it\n");
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_str_eq(
        left_out_of(gun, "prefab", KIN_ERROR_INVALID),
        "|Local.at.x: where an instance stands is not its prefab's\nhead|Gun.interval: its level says it\n");
    ck_assert_msg(strstr(errors.entries[0].message,
                         "'Local.at.x' cannot be saved there: where an instance stands is not its "
                         "prefab's; and 1 others cannot be saved") != NULL,
                  "%s", errors.entries[0].message);
    error_log_clear(&errors);
    ck_assert_str_eq(left_out_of(gun, "Moved", KIN_OK), "|Local.at.x: where an instance stands is not its prefab's\n");
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_str_eq(left_out_of(gun, "instance", KIN_OK), "");
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    Watch seen = *game_get_watch(game, tower);
    seen.by = game_create_entity(game);
    ck_assert_int_eq(game_replace_watch(game, tower, seen), KIN_OK);
    ck_assert_str_eq(left_out_of(tower, "instance", KIN_ERROR_INVALID),
                     "|Watch.by: it names an entity that has no name in the level\n");
    ck_assert_str_eq(left_out_of(tower, "prefab", KIN_ERROR_INVALID),
                     "|Watch.by: a prefab can name its own parts only\n");
    error_log_clear(&errors);
}
END_TEST

START_TEST(cnt_30_unique_components_are_compared_with_values_and_stay_there)
{
    static const char yaml[] = "content: 1\nvalues: { Battle: { money: 3 } }\nprefabs: { Match: { extends: Game } }\n";
    int32_t waves[] = {1, 2};
    watch(yaml);
    game_entity carrier = {kin_context_carrier(&game->base, GAME_BATTLE)};
    ck_assert_uint_eq(differences(carrier), 0);
    ck_assert_int_eq(game_replace_battle(game, carrier, (Battle){.money = 9, .waves = {waves, 2}}), KIN_OK);
    ck_assert_uint_eq(differences(carrier), 1); // `values` say nothing of the waves
    ck_assert_refused(&errors, kin_content_save(content, carrier.id, "prefab"), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_content_revert(content, carrier.id), KIN_OK);
    ck_assert_int_eq(game_get_battle(game, carrier)->money, 3);
    ck_assert_uint_eq(game_get_battle(game, carrier)->waves.count, 2);
    game_destroy_entity(game, carrier);
    game_entity match = game_spawn_named(game, "Match", NULL); // its prefab says 10
    ck_assert_int_eq(game_get_battle(game, match)->money, 10);
    ck_assert_uint_eq(differences(match), 1);
    ck_assert_str_eq(left_out_of(match, "prefab", KIN_ERROR_INVALID),
                     "|Battle.money: 'values' give it; change it there\n");
    error_log_clear(&errors);
    ck_assert_int_eq(kin_content_revert(content, match.id), KIN_OK);
    ck_assert_int_eq(game_get_battle(game, match)->money, 3);
    ck_assert_uint_eq(differences(match), 0);
    expect_file(yaml);
}
END_TEST

// ---- to a new prefab

START_TEST(cnt_30_a_new_prefab_has_all_that_the_old_one_does_not_give)
{
    watch("content: 1\nprefabs:\n  Fast: { extends: Cannon } # fast\n"
          "levels: { l: { place: [{ Fast: { at: [1, 2, 3], interval: 1, as: one } }] } }\n");
    ck_assert_int_eq(game_place_level(game, "l"), KIN_OK);
    game_entity gun = game_find_placed(game, "l/one");
    set_points(gun, 70);
    ck_assert_int_eq(kin_content_save(content, gun.id, "Faster"), KIN_OK);
    ck_assert_uint_eq(saved(), 2);
    expect_file("content: 1\nprefabs:\n  Fast: { extends: Cannon } # fast\n"
                "  Faster: { extends: Fast, Health: { points: 70 }, head: { Gun: { interval: 1 } } }\n"
                "levels: { l: { place: [{ Fast: { at: [1, 2, 3], interval: 1, as: one } }] } }\n");
    ck_assert_refused(&errors, kin_content_save(content, gun.id, "Faster"), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_content_save(content, gun.id, "no_prefab"), KIN_ERROR_INVALID);
}
END_TEST

// ---- all kinds of values

START_TEST(cnt_31_strings_and_lists_are_saved_as_yaml_reads_them)
{
    watch("content: 1\nprefabs:\n  Way: { extends: Sign, Path: { steps: { append: [[1, 2, 3]] } } } # way\n");
    game_entity sign = game_spawn_named(game, "Way", NULL);
    static const char *const texts[] = {"plain text", "",   "with: colon", "\"quotes\" and \\",    "two\nlines\t",
                                        "null",       "12", "  spaces ",   "\xc3\xa4\xe2\x82\xac", "# none"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_int_eq(game_replace_title(game, sign, (Title){.text = texts[i]}), KIN_OK);
        ck_assert_msg(kin_content_save(content, sign.id, "prefab") == KIN_OK, "%zu: %s", i, errors.entries[0].message);
        ck_assert_int_eq(kin_content_poll(content), KIN_OK);
        ck_assert_str_eq(game_get_title(game, game_spawn_named(game, "Way", NULL))->text, texts[i]);
    }
    ck_assert_int_eq(game_replace_title(game, sign, (Title){.text = "a\x01"}), KIN_OK); // YAML has none
    ck_assert_refused(&errors, kin_content_save(content, sign.id, "prefab"), KIN_ERROR_INVALID);
    ck_assert_int_eq(game_replace_title(game, sign, (Title){.text = "# none"}), KIN_OK);
    Vec3 steps[] = {{0.1F, 1e30F, -3}, {4, 5, 6}};
    Path path = *game_get_path(game, sign);
    path.steps.at = steps;
    path.steps.count = 2;
    ck_assert_int_eq(game_replace_path(game, sign, path), KIN_OK);
    ck_assert_int_eq(kin_content_save(content, sign.id, "prefab"), KIN_OK);
    ck_assert_ptr_nonnull(
        strstr(scratch_read("files/all.yaml"), "Path: { steps: [{ x: 0.1, y: 1e+30, z: -3 }, { x: 4, y: 5, z: 6 }] }"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_uint_eq(differences(sign), 0);
    ck_assert_uint_eq(game_get_path(game, game_spawn_named(game, "Way", NULL))->steps.count, 2);
}
END_TEST

START_TEST(cnt_31_a_knob_of_several_fields_is_not_changed_for_one)
{
    static const char yaml[] = "content: 1\nprefabs:\n  Fast: { extends: Cannon, colour: { rgb: [1, 1, 1] } }\n";
    watch(yaml);
    game_entity gun = game_spawn_named(game, "Fast", NULL);
    ck_assert_int_eq(game_replace_color(game, game_find_part(game, gun, "foot"), (Color){.rgb = {7, 8, 9}}), KIN_OK);
    ck_assert_refused(&errors, kin_content_save(content, gun.id, "prefab"), KIN_ERROR_INVALID);
    expect_file(yaml);
}
END_TEST

// Random edits: each line of the file stays unless a value in it was saved, and what is read again is what lives.
START_TEST(cnt_31_random_edits_change_only_their_lines)
{
    kin_random random = kin_random_seeded(31);
    watch("content: 1 # head\n# before\nprefabs:\n  # above\n  Fast: # beside\n    extends: Cannon # base\n"
          "    # between\n    Health:\n      # deep\n      points: 150 # points\n    head: # part\n"
          "      Gun: { interval: 0.05, # in a flow\n             side: Blue } # after\n    # last\n# end\n");
    game_entity gun = game_spawn_named(game, "Fast", NULL);
    for (int i = 0; i < 300; i++) {
        const char *before = scratch_read("files/all.yaml");
        set_points(gun, (int32_t)kin_random_below(&random, 1001));
        if (kin_random_below(&random, 2) == 0)
            set_interval(gun, 0.01F + kin_random_float(&random));
        uint32_t count = differences(gun);
        ck_assert_int_eq(kin_content_save(content, gun.id, "prefab"), KIN_OK);
        ck_assert_uint_eq(saved(), count);
        const char *after = scratch_read("files/all.yaml");
        uint32_t changed = 0;
        for (const char *a = before, *b = after; *a != '\0' || *b != '\0';) {
            size_t left = strcspn(a, "\n");
            size_t right = strcspn(b, "\n");
            changed += left != right || memcmp(a, b, left) != 0;
            a += left + (a[left] == '\n');
            b += right + (b[right] == '\n');
        }
        ck_assert_uint_le(changed, count);
        ck_assert_int_eq(kin_content_poll(content), KIN_OK);
        ck_assert_uint_eq(differences(gun), 0);
    }
}
END_TEST

// ---- refusals

START_TEST(cnt_32_a_file_that_changed_is_not_overwritten)
{
    static const char yaml[] = "content: 1\nprefabs: { Fast: { extends: Cannon, Health: { points: 1 } } }\n";
    watch("content: 1\nprefabs: { Fast: { extends: Cannon } }\n");
    game_entity gun = game_spawn_named(game, "Fast", NULL);
    set_points(gun, 99);
    scratch_write("files/all.yaml", yaml);
    ck_assert_refused(&errors, kin_content_save(content, gun.id, "prefab"), KIN_ERROR_INVALID);
    ck_assert_str_eq(scratch_read("files/all.yaml"), yaml);
    scratch_write("files/all.yaml", "content: 1\nprefabs: { Fast: { extends: Canon } }\n");
    ck_assert_refused(&errors, kin_content_save(content, gun.id, "prefab"), KIN_ERROR_INVALID);
}
END_TEST

START_TEST(cnt_32_a_value_outside_its_range_is_not_written)
{
    static const char yaml[] = "content: 1\nprefabs: { Fast: { extends: Cannon } }\n";
    watch(yaml);
    game_entity gun = game_spawn_named(game, "Fast", NULL);
    set_points(gun, -5); // the game may do this
    ck_assert_refused(&errors, kin_content_save(content, gun.id, "prefab"), KIN_ERROR_INVALID);
    expect_file(yaml);
}
END_TEST

START_TEST(cnt_30_saving_needs_a_living_entity_of_a_content_that_is_watched)
{
    game_entity plain = game_create_entity(game);
    ck_assert_int_eq(kin_content_save(NULL, plain.id, "prefab"), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_content_revert(NULL, plain.id), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_content_save(content, plain.id, "prefab"), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_content_revert(content, plain.id), KIN_ERROR_INVALID);
    watch("content: 1\nprefabs: { Fast: { extends: Cannon } }\n");
    game_entity gun = game_spawn_named(game, "Fast", NULL);
    ck_assert_refused(&errors, kin_content_save(content, plain.id, "prefab"), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_content_save(content, gun.id, "instance"), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_content_save(content, gun.id, NULL), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_content_save(content, gun.id, ""), KIN_ERROR_INVALID);
    game_destroy_entity(game, plain);
    ck_assert_refused(&errors, kin_content_save(content, plain.id, "prefab"), KIN_ERROR_NOT_ALIVE);
    ck_assert_refused(&errors, kin_content_revert(content, plain.id), KIN_ERROR_NOT_ALIVE);
}
END_TEST

START_TEST(each_request_for_memory_may_be_refused_while_saving)
{
    watch(LEVEL);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_OK);
    game_entity gun = game_find_placed(game, "valley/north_gun");
    set_points(gun, 99);
    kin_status status = KIN_ERROR_NO_MEMORY;
    for (uint64_t n = 1; status != KIN_OK; n++) {
        ck_assert_uint_lt(n, 2000);
        guard_fail(&memory, n, false);
        status = kin_content_save(content, gun.id, "instance");
        guard_fail(&memory, 0, false);
        error_log_clear(&errors);
        if (status != KIN_OK)
            ck_assert_str_eq(scratch_read("files/all.yaml"), LEVEL);
    }
    ck_assert_ptr_nonnull(strstr(scratch_read("files/all.yaml"), "Health: { points: 99 }"));
}
END_TEST

START_TEST(each_request_for_memory_may_be_refused_while_unique_components_are_compared)
{
    kin_status status = KIN_ERROR_NO_MEMORY;
    int32_t waves[] = {1, 2};
    watch("content: 1\nvalues: { Battle: { money: 3, waves: [4, 5, 6] } }\n");
    game_entity carrier = {kin_context_carrier(&game->base, GAME_BATTLE)};
    ck_assert_int_eq(game_replace_battle(game, carrier, (Battle){.money = 9, .waves = {waves, 2}}), KIN_OK);
    for (uint64_t n = 1; status != KIN_OK; n++) {
        ck_assert_uint_lt(n, 100);
        guard_fail(&memory, n, false);
        status = kin_content_revert(content, carrier.id);
        guard_fail(&memory, 0, false);
        error_log_clear(&errors);
        ck_assert_int_eq(game_get_battle(game, carrier)->money, status == KIN_OK ? 3 : 9);
    }
    ck_assert_uint_eq(game_get_battle(game, carrier)->waves.count, 3);
    ck_assert_uint_eq(differences(carrier), 0);
}
END_TEST

// ---- giving back

START_TEST(cnt_30_reverting_gives_back_what_the_content_says)
{
    watch(LEVEL);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_OK);
    game_entity gun = game_find_placed(game, "valley/north_gun");
    move(gun, 99);
    set_interval(gun, 1);
    set_points(gun, 7);
    ck_assert_int_eq(kin_content_revert(content, gun.id), KIN_OK);
    ck_assert_float_eq(game_get_local(game, gun)->at.x, 8);
    ck_assert_float_eq(game_get_gun(game, game_find_part(game, gun, "head"))->interval, 0.03F);
    ck_assert_int_eq(game_get_health(game, gun)->points, 100);
    ck_assert_double_eq(game_get_health(game, gun)->since, 3); // no content
    ck_assert_uint_eq(differences(gun), 0);
}
END_TEST

START_TEST(names_stand_for_handles)
{
    char name[64];
    void *data;
    const kin_content_face *face = kin_content_face_of(&game->base, &data);
    ck_assert_ptr_eq(data, content);
    ck_assert(face->save == NULL);
    watch(LEVEL);
    face = kin_content_face_of(&game->base, &data);
    ck_assert(face->save != NULL);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_OK);
    game_entity gun = game_find_placed(game, "valley/north_gun");
    ck_assert_uint_eq(face->name(data, gun.id, name, sizeof name), 16);
    ck_assert_str_eq(name, "valley/north_gun");
    face->name(data, game_find_part(game, gun, "head.left").id, name, sizeof name);
    ck_assert_str_eq(name, "valley/north_gun.head.left");
    face->name(data, game_find_placed(game, "valley/houses.door").id, name, sizeof name);
    ck_assert_str_eq(name, "valley/houses.door");
    face->name(data, game_find_part(game, game_spawn_cannon(game), "head").id, name, sizeof name);
    ck_assert_str_eq(name, "Cannon.head");
    ck_assert_uint_eq(face->name(data, game_find_part(game, gun, "head.left").id, name, 9), 26);
    ck_assert_str_eq(name, "valley/n");
    ck_assert_uint_eq(face->name(data, game_create_entity(game).id, name, sizeof name), 0);
    ck_assert_str_eq(face->level(data, 1), "valley");
    ck_assert_ptr_null(face->level(data, 2));
    ck_assert_ptr_null(face->prefab(data, 0));
    ck_assert_str_eq(face->file(data, 0), scratch_path("files/all.yaml"));
    ck_assert_ptr_null(face->file(data, 1));
    ck_assert_str_eq(face->folder(data), scratch_path("files"));
}
END_TEST

Suite *content_save_suite(void)
{
    Suite *suite = suite_create("content_save");
    TCase *cases = tcase_create("save");
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_test(cases, cnt_30_a_value_of_the_prefab_is_replaced_where_it_stands);
    tcase_add_test(cases, cnt_30_what_the_prefab_does_not_say_is_added_below_its_parts);
    tcase_add_test(cases, cnt_30_the_place_of_the_first_entity_is_not_the_prefabs);
    tcase_add_test(cases, cnt_30_what_the_level_says_is_not_saved_to_the_prefab);
    tcase_add_test(cases, cnt_30_a_part_saves_itself_alone);
    tcase_add_test(cases, cnt_04_values_of_a_blueprint_go_to_blueprints);
    tcase_add_test(cases, cnt_30_an_instance_is_saved_to_its_level);
    tcase_add_test(cases, cnt_30_an_instance_without_a_name_and_one_in_another_level_are_found);
    tcase_add_test(cases, cnt_30_references_are_saved_as_names);
    tcase_add_test(cases, cnt_30_the_instances_of_a_level_are_listed_once_for_a_content);
    tcase_add_test(cases, cnt_30_a_choice_of_fields_components_and_parts_is_saved);
    tcase_add_test(cases, cnt_30_what_is_left_out_says_why);
    tcase_add_test(cases, cnt_30_unique_components_are_compared_with_values_and_stay_there);
    tcase_add_test(cases, cnt_30_a_new_prefab_has_all_that_the_old_one_does_not_give);
    tcase_add_test(cases, cnt_31_strings_and_lists_are_saved_as_yaml_reads_them);
    tcase_add_test(cases, cnt_31_a_knob_of_several_fields_is_not_changed_for_one);
    tcase_add_test(cases, cnt_31_random_edits_change_only_their_lines);
    tcase_add_test(cases, cnt_32_a_file_that_changed_is_not_overwritten);
    tcase_add_test(cases, cnt_32_a_value_outside_its_range_is_not_written);
    tcase_add_test(cases, cnt_30_saving_needs_a_living_entity_of_a_content_that_is_watched);
    tcase_add_test(cases, each_request_for_memory_may_be_refused_while_saving);
    tcase_add_test(cases, each_request_for_memory_may_be_refused_while_unique_components_are_compared);
    tcase_add_test(cases, cnt_30_reverting_gives_back_what_the_content_says);
    tcase_add_test(cases, names_stand_for_handles);
    suite_add_tcase(suite, cases);
    return suite;
}
