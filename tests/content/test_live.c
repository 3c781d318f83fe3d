// The content of a context: prefabs, spawns by name, levels and reloads (CNT-03 to CNT-26).
#include "live/live.h"
#include "live_case.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <fort/fort.h>
#include <fort/fort_content.h>
#include <kin/reflect.h>
#include <kin/snapshot.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

CASE(game)

static kin_content *content;

static void begin(void)
{
    content = NULL;
    live_case_begin();
    game_begin();
}

static void end(void)
{
    game_end();
    live_case_end();
}

static text pack_of(const char *yaml)
{
    return pack_for(&game_info, yaml);
}

static void open_content(const char *yaml)
{
    text pack = pack_of(yaml);
    content = kin_content_open_bytes(&game->base, pack.bytes, pack.size, NULL);
    ck_assert_ptr_nonnull(content);
}

static kin_content_state reload(const char *yaml)
{
    kin_content_state state;
    text pack = pack_of(yaml);
    ck_assert_int_eq(kin_content_load(content, pack.bytes, pack.size), KIN_OK);
    kin_content_report(content, &state);
    return state;
}

#define FAST                                                                                                           \
    "prefabs:\n"                                                                                                       \
    "  FastCannon:\n"                                                                                                  \
    "    extends: Cannon\n"                                                                                            \
    "    Health: { points: 150 }\n"                                                                                    \
    "    Title: { text: fast }\n"                                                                                      \
    "    head: { Gun: { interval: 0.05, side: Blue } }\n"                                                              \
    "    parts: { flag: { of: Block, Box: { width: 0.2 } } }\n"                                                        \
    "    without: [Smoke, foot]\n"                                                                                     \
    "    knobs: { points: Health.points }\n"

// ---- prefabs and spawns

START_TEST(cnt_03_a_prefab_is_its_base_with_what_it_says)
{
    open_content(FAST "  Faster: { extends: FastCannon, head: { Gun: { interval: 0.02 } } }\n");
    game_entity fast = game_spawn_named(game, "Faster", NULL);
    ck_assert_uint_ne(fast.id, 0);
    ck_assert_int_eq(game_get_health(game, fast)->points, 150);
    ck_assert_str_eq(game_get_title(game, fast)->text, "fast");
    ck_assert(!game_is_smoke(game, fast));
    game_entity head = game_find_part(game, fast, "head");
    ck_assert_float_eq(game_get_gun(game, head)->interval, 0.02F);
    ck_assert_int_eq(game_get_gun(game, head)->side, SIDE_BLUE);
    ck_assert_entity(game_get_barrels(game, head)->left, game_find_part(game, head, "left"));
    ck_assert_float_eq(game_get_box(game, game_find_part(game, fast, "flag"))->width, 0.2F);
    ck_assert_entity(game_find_part(game, fast, "foot"), GAME_NO_ENTITY);
    ck_assert_uint_eq(game_parts_count(game, fast), 3);
}
END_TEST

START_TEST(cnt_10_spawned_entities_have_the_slots_of_their_blueprints)
{
    open_content("prefabs: { Same: { extends: Cannon } }\n");
    game_context *other = game_context_create(NULL);
    game_create_entity(other); // as Content has one
    for (int i = 0; i < 100; i++) {
        game_cannon_parts compiled, made;
        game_spawn_cannon_parts(other, &compiled);
        game_spawn_named_cannon(game, "Same", (game_cannon_value){.given = {.health = false}}, &made);
        for (size_t k = 0; k < 6; k++)
            ck_assert_uint_eq(kin_entity_slot((&made.entity)[k].id), kin_entity_slot((&compiled.entity)[k].id));
        ck_assert_float_eq(game_get_gun(game, made.head.entity)->interval, 0.25F);
    }
    game_context_destroy(other);
}
END_TEST

START_TEST(cnt_12_a_spawn_by_name_takes_knobs_and_paths)
{
    open_content(FAST);
    game_entity fast = game_spawn_named(game, "FastCannon",
                                        KIN_SET({"at", KIN_VEC(3, 0, 4)}, {"head.Gun.interval", KIN_NUMBER(0.03)},
                                                {"points", KIN_INTEGER(7)}, {"Title.text", KIN_TEXT("mine")},
                                                {"head.Gun.side", KIN_TEXT("Green")}));
    ck_assert_float_eq(game_get_local(game, fast)->at.z, 4);
    ck_assert_int_eq(game_get_health(game, fast)->points, 7);
    ck_assert_str_eq(game_get_title(game, fast)->text, "mine");
    ck_assert_float_eq(game_get_gun(game, game_find_part(game, fast, "head"))->interval, 0.03F);
    ck_assert_int_eq(game_get_gun(game, game_find_part(game, fast, "head"))->side, SIDE_GREEN);
    game_entity cannon = game_spawn_named(game, "Cannon", KIN_SET({"colour", KIN_VEC(7, 8, 9)}));
    ck_assert_uint_eq(game_get_color(game, game_find_part(game, cannon, "pillar"))->rgb[2], 9);
    ck_assert_uint_eq(game_get_color(game, game_find_part(game, cannon, "foot"))->rgb[0], 7);
}
END_TEST

static void ck_refused(game_entity made, const char *part)
{
    ck_assert_entity(made, GAME_NO_ENTITY);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_int_eq(errors.entries[0].status, KIN_ERROR_INVALID);
    ck_assert_msg(strstr(errors.entries[0].message, part) != NULL, "%s", errors.entries[0].message);
    error_log_clear(&errors);
    ck_assert_uint_eq(game_entity_count(game), 1); // Content
}

START_TEST(cnt_12_what_does_not_fit_is_refused_with_the_nearest_name)
{
    open_content(FAST);
    ck_refused(game_spawn_named(game, "FastCanon", NULL), "FastCannon");
    ck_refused(game_spawn_named(game, NULL, NULL), "no such prefab");
    ck_refused(game_spawn_named(game, "FastCannon", KIN_SET({"intervall", KIN_NUMBER(1)})), "'interval'");
    ck_refused(game_spawn_named(game, "FastCannon", KIN_SET({"head.Gun.intervl", KIN_NUMBER(1)})),
               "'head.Gun.interval'");
    ck_refused(game_spawn_named(game, "FastCannon", KIN_SET({"interval", KIN_NUMBER(99)})), "range");
    ck_refused(game_spawn_named(game, "FastCannon", KIN_SET({"points", KIN_NUMBER(0.5)})), "does not fit");
    ck_refused(game_spawn_named(game, "FastCannon", KIN_SET({"at", KIN_VEC(1, 2)})), "3 numbers");
    ck_refused(game_spawn_named(game, "FastCannon", KIN_SET({"at", {.kind = KIN_SETTING_NUMBERS, .count = 17}})),
               "more than 16 numbers");
    ck_refused(game_spawn_named(game, "FastCannon", KIN_SET({NULL, KIN_NUMBER(1)})), "a name is NULL");
    ck_refused(game_spawn_named(game, "FastCannon", KIN_SET({"head.Gun.side", KIN_TEXT("Bleu")})), "no value");
    ck_refused(game_spawn_named(game, "FastCannon", KIN_SET({"Origin.place", KIN_NUMBER(1)})), "cannot be set");
    ck_refused(game_spawn_named_tower(game, "FastCannon", (game_tower_value){.given = {.local = false}}, NULL),
               "does not extend 'Tower'");
}
END_TEST

START_TEST(cnt_03_typed_spawns_give_values_and_parts)
{
    open_content(FAST);
    game_cannon_parts parts;
    game_entity fast = game_spawn_named_cannon(
        game, "FastCannon", (game_cannon_value){.health = {.points = 80}, .given = {.health = true}}, &parts);
    ck_assert_entity(fast, parts.entity);
    ck_assert_int_eq(game_get_health(game, fast)->points, 80);
    ck_assert_entity(parts.foot.entity, GAME_NO_ENTITY);
    ck_assert_entity(game_get_barrels(game, parts.head.entity)->right, parts.head.right.entity);
}
END_TEST

START_TEST(cnt_04_blueprints_change_and_those_that_extend_them_follow)
{
    open_content("blueprints:\n  Cannon: { head: { Gun: { interval: 0.1 } }, Health: { points: 50 } }\n");
    game_big_cannon_parts big;
    game_cannon_parts gun;
    game_tower_parts tower;
    game_spawn_cannon_parts(game, &gun);
    game_spawn_big_cannon_parts(game, &big);
    game_spawn_tower_parts(game, &tower);
    ck_assert_float_eq(game_get_gun(game, gun.head.entity)->interval, 0.1F);
    ck_assert_int_eq(game_get_health(game, gun.entity)->points, 50);
    ck_assert_float_eq(game_get_gun(game, big.head.entity)->interval, 0.1F);
    ck_assert_int_eq(game_get_health(game, big.entity)->points, 200);
    ck_assert_float_eq(game_get_gun(game, tower.gun.head.entity)->interval, 0.1F);
    kin_content_close(content);
    game_spawn_cannon_parts(game, &gun);
    ck_assert_float_eq(game_get_gun(game, gun.head.entity)->interval, 0.25F);
}
END_TEST

START_TEST(cnt_02_values_of_unique_components_are_set)
{
    open_content("values:\n  Battle: { money: 5000, waves: [3, 5, 8] }\n");
    const Battle *battle = game_get_unique_battle(game);
    ck_assert_ptr_nonnull(battle);
    ck_assert_int_eq(battle->money, 5000);
    ck_assert_uint_eq(battle->waves.count, 3);
    ck_assert_int_eq(battle->waves.at[2], 8);
}
END_TEST

// ---- levels

#define VALLEY                                                                                                         \
    FAST "levels:\n"                                                                                                   \
         "  valley:\n"                                                                                                 \
         "    place:\n"                                                                                                \
         "      - FastCannon: { at: [3, 0, 4] }\n"                                                                     \
         "      - FastCannon: { at: [8, 0, 4], interval: 0.03, as: north_gun }\n"                                      \
         "      - Tower: { Local: { at: [19, 0, 19] }, Watch: { by: north_gun.head }, as: gate }\n"                    \
         "      - Block: [{ Local: { at: [1, 0, 1] } }, { Box: { width: 2 } }, { Box: { width: 2 } }]\n"               \
         "      - houses: { at: [40, 0, 0], as: houses }\n"                                                            \
         "  houses: { place: [ Block: { Local: { at: [1, 0, 1] }, as: door } ] }\n"

START_TEST(cnt_13_a_level_is_placed_with_references_and_levels_in_it)
{
    open_content(VALLEY);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_OK);
    game_entity gun = game_find_placed(game, "valley/north_gun"), gate = game_find_placed(game, "valley/gate");
    ck_assert_uint_ne(gun.id, 0);
    ck_assert_float_eq(game_get_local(game, gun)->at.x, 8);
    ck_assert_float_eq(game_get_gun(game, game_find_part(game, gun, "head"))->interval, 0.03F);
    ck_assert_entity(game_get_watch(game, gate)->by, game_find_part(game, gun, "head"));
    game_entity door = game_find_placed(game, "valley/houses.door");
    ck_assert_float_eq(game_get_local(game, door)->at.x, 41);
    ck_assert_entity(game_find_placed(game, "valley/none"), GAME_NO_ENTITY);
}
END_TEST

START_TEST(cnt_14_a_level_is_placed_once_and_can_be_removed)
{
    open_content(VALLEY);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_OK);
    uint32_t count = game_entity_count(game);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_ERROR_INVALID);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(game_remove_level(game, "valley"), KIN_OK);
    ck_assert_uint_eq(game_entity_count(game), 1);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_OK);
    ck_assert_uint_eq(game_entity_count(game), count);
    ck_assert_int_eq(game_place_level(game, "vally"), KIN_ERROR_INVALID);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
}
END_TEST

static void take_key(const kin_change *change, void *user)
{
    (void)user;
    if (change->component == GAME_BOX && change->event == KIN_COMPONENT_ADDED)
        game_add_number(game, game_create_entity(game), (Number){9});
}

START_TEST(cnt_13_a_level_that_a_listener_makes_impossible_is_gone_again)
{
    open_content("levels: { bad: { place: [ Block: {}, Ticket: { Number: { value: 9 } } ] } }\n");
    kin_context_subscribe(&game->base, KIN_COMPONENT_CHANGED, take_key, NULL);
    ck_assert_int_ne(game_place_level(game, "bad"), KIN_OK);
    error_log_clear(&errors);
    ck_assert_uint_eq(game_entity_count(game), 2); // Content, and what the listener made
}
END_TEST

static void poll_inside(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    ck_assert_int_eq(kin_content_poll(content), KIN_ERROR_INVALID);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_ERROR_INVALID);
    ck_assert_uint_eq(errors.count, 2);
    error_log_clear(&errors);
}

START_TEST(cnt_15_placing_and_polling_inside_a_listener_are_refused)
{
    open_content(VALLEY);
    kin_context_subscribe(&game->base, KIN_ENTITY_CREATED, poll_inside, NULL);
    game_create_entity(game);
}
END_TEST

START_TEST(cnt_16_equal_instances_have_places_of_their_own)
{
    open_content("levels: { row: { place: [ Block: [{}, {}, {}] ] } }\n");
    ck_assert_int_eq(game_place_level(game, "row"), KIN_OK);
    uint32_t places[3], count = 0;
    for (uint32_t word = 0; word < kin_look_words(&game->base); word++) {
        uint64_t match = kin_look_has(&game->base, GAME_BOX, word);
        KIN_EACH_BIT(bit, match)
        {
            places[count++] =
                game_get_origin(game, game_entity_of(kin_look_entity(&game->base, 64 * word + bit)))->place;
        }
    }
    ck_assert_uint_eq(count, 3);
    ck_assert(places[0] != places[1] && places[1] != places[2] && places[0] != places[2]);
}
END_TEST

// ---- reloads

START_TEST(cnt_20_values_follow_unless_the_game_has_changed_them)
{
    open_content("prefabs: { Fast: { extends: Cannon, Health: { points: 150 } } }\n");
    game_entity a = game_spawn_named(game, "Fast", NULL), b = game_spawn_named(game, "Fast", NULL);
    game_replace_health(game, b, (Health){.points = 3, .since = 2});
    kin_content_state state = reload("prefabs: { Fast: { extends: Cannon, Health: { points: 160 }, "
                                     "head: { Gun: { interval: 0.5 } } } }\n");
    ck_assert_int_eq(game_get_health(game, a)->points, 160);
    ck_assert_int_eq(game_get_health(game, b)->points, 3);
    ck_assert_float_eq(game_get_gun(game, game_find_part(game, a, "head"))->interval, 0.5F);
    ck_assert_uint_eq(state.written, 3);
    ck_assert_uint_eq(state.kept, 1);
    ck_assert_int_eq(game_get_health(game, game_spawn_named(game, "Fast", NULL))->points, 160);
    ck_assert_uint_eq(game_get_unique_content(game)->version, state.version);
}
END_TEST

START_TEST(cnt_20_strings_lists_and_blueprints_follow)
{
    open_content("blueprints: { Sign: { Title: { text: one }, Path: { steps: [[1, 2, 3]] } } }\n"
                 "values: { Battle: { money: 5 } }\n");
    game_entity sign = game_spawn_sign(game), own = game_spawn_sign(game);
    game_replace_title(game, own, (Title){"own"});
    reload("blueprints: { Sign: { Title: { text: two }, Path: { steps: [[1, 2, 3], [4, 5, 6]] } } }\n"
           "values: { Battle: { money: 6, waves: [1] } }\n");
    ck_assert_str_eq(game_get_title(game, sign)->text, "two");
    ck_assert_str_eq(game_get_title(game, own)->text, "own");
    ck_assert_uint_eq(game_get_path(game, sign)->steps.count, 2);
    ck_assert_float_eq(game_get_path(game, sign)->steps.at[1].z, 6);
    ck_assert_int_eq(game_get_unique_battle(game)->money, 6);
    ck_assert_uint_eq(game_get_unique_battle(game)->waves.count, 1);
}
END_TEST

START_TEST(cnt_21_structure_follows_the_file)
{
    open_content("prefabs: { Fast: { extends: Cannon, Title: { text: a }, parts: { old: { of: Block } } } }\n");
    game_entity fast = game_spawn_named(game, "Fast", NULL);
    game_entity head = game_find_part(game, fast, "head");
    kin_content_state state =
        reload("prefabs: { Fast: { extends: Cannon, Box: { width: 3 }, parts: { new: { of: Barrel, "
               "parts: { top: { of: Block } } } }, head: { Barrels: { left: .head.right } } } }\n");
    ck_assert(!game_has_title(game, fast));
    ck_assert_float_eq(game_get_box(game, fast)->width, 3);
    ck_assert_entity(game_find_part(game, fast, "old"), GAME_NO_ENTITY);
    game_entity made = game_find_part(game, fast, "new");
    ck_assert_uint_ne(made.id, 0);
    ck_assert_entity(game_find_part(game, fast, "head"), head);
    ck_assert_entity(game_get_barrels(game, head)->left, game_find_part(game, head, "right"));
    ck_assert_uint_ge(state.spawned, 1);
    ck_assert_uint_eq(state.destroyed, 1);
}
END_TEST

START_TEST(cnt_22_instances_are_paired_placed_and_destroyed)
{
    open_content("levels: { row: { place: [ Block: { Box: { width: 2 }, as: one }, Block: { Box: { width: 3 } }, "
                 "Barrel: {} ] } }\n");
    ck_assert_int_eq(game_place_level(game, "row"), KIN_OK);
    game_entity one = game_find_placed(game, "row/one");
    uint32_t count = game_entity_count(game);
    kin_content_state state =
        reload("levels: { row: { place: [ Block: { Box: { width: 5 }, as: one }, Block: { Box: { width: 4 } }, "
               "Sign: { as: sign } ] } }\n");
    ck_assert_entity(game_find_placed(game, "row/one"), one);
    ck_assert_float_eq(game_get_box(game, one)->width, 5);
    ck_assert_uint_ne(game_find_placed(game, "row/sign").id, 0);
    ck_assert_uint_eq(game_entity_count(game), count);
    ck_assert_uint_eq(state.destroyed, 1);
    ck_assert_uint_eq(state.spawned, 1);
}
END_TEST

#define TOWERS(first, second, third)                                                                                   \
    "levels: { row: { place: [ Cannon: { as: north }, Cannon: { as: south }, "                                         \
    "Tower: { Watch: { by: " first " }, as: one }, Tower: { Watch: { by: " second " }, as: two }, "                    \
    "Tower: { Watch: { by: " third " }, as: three } ] } }\n"

START_TEST(cnt_20_references_of_instances_follow_unless_the_game_has_changed_them)
{
    open_content(TOWERS("north.head", "north", "north"));
    ck_assert_int_eq(game_place_level(game, "row"), KIN_OK);
    game_entity north = game_find_placed(game, "row/north");
    game_entity south = game_find_placed(game, "row/south");
    game_entity one = game_find_placed(game, "row/one");
    game_entity two = game_find_placed(game, "row/two");
    game_entity three = game_find_placed(game, "row/three");
    ck_assert_entity(game_get_watch(game, two)->by, north);
    game_replace_watch(game, three, (Watch){.by = one});
    kin_content_state state = reload(TOWERS("south.head", "~", "south"));
    ck_assert_entity(game_get_watch(game, one)->by, game_find_part(game, south, "head"));
    ck_assert_uint_eq(game_get_watch(game, two)->by.id, 0);
    ck_assert_entity(game_get_watch(game, three)->by, one);
    ck_assert_uint_eq(state.written, 2);
    ck_assert_uint_eq(state.kept, 1);
}
END_TEST

// Instances of a level that has not changed are looked at only if they set what their prefab changes.
START_TEST(cnt_20_an_equal_level_follows_its_prefabs)
{
    static const char level[] = "levels: { row: { place: [ Wall: { Box: { width: 2 }, as: own }, Wall: { as: plain }, "
                                "Wall: [{}, {}], inner: { as: in } ] }, inner: { place: [ Wall: { as: far } ] } }\n";
    open_content(arena_format(scratch, "prefabs: { Wall: { extends: Block } }\n%s", level));
    ck_assert_int_eq(game_place_level(game, "row"), KIN_OK);
    game_entity own = game_find_placed(game, "row/own");
    game_entity plain = game_find_placed(game, "row/plain");
    game_entity far = game_find_placed(game, "row/in.far");
    kin_content_state state =
        reload(arena_format(scratch, "prefabs: { Wall: { extends: Block, Box: { width: 7 } } }\n%s", level));
    ck_assert_float_eq(game_get_box(game, own)->width, 2);
    ck_assert_float_eq(game_get_box(game, plain)->width, 7);
    ck_assert_float_eq(game_get_box(game, far)->width, 7);
    ck_assert_uint_eq(state.written, 4);
    ck_assert_uint_eq(state.kept, 0);
}
END_TEST

START_TEST(cnt_22_instances_without_names_are_paired_in_order)
{
    open_content("levels: { row: { place: [ Block: [{ Box: { width: 1 } }, { Box: { width: 2 } }, "
                 "{ Box: { width: 3 } }, { Box: { width: 4 } }] ] } }\n");
    ck_assert_int_eq(game_place_level(game, "row"), KIN_OK);
    uint32_t count;
    const game_entity *all = game_entities(game, &count);
    game_entity blocks[4];
    memcpy(blocks, &all[count - 4], sizeof blocks);
    kin_content_state state = reload("levels: { row: { place: [ Block: [{ Box: { width: 2 } }, { Box: { width: 1 } }, "
                                     "{ Box: { width: 5 } }, { Box: { width: 6 } }] ] } }\n");
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_float_eq(game_get_box(game, blocks[i])->width, i < 2 ? 1 + (float)i : 3 + (float)i);
    ck_assert_uint_eq(state.spawned + state.destroyed, 0);
    state = reload("levels: { row: { place: [ Block: [{ Box: { width: 5 } }, { Box: { width: 8 } }] ] } }\n");
    ck_assert_float_eq(game_get_box(game, blocks[2])->width, 5);
    ck_assert_float_eq(game_get_box(game, blocks[1])->width, 8); // the first of the file before
    ck_assert(!game_entity_is_alive(game, blocks[0]) && !game_entity_is_alive(game, blocks[3]));
    ck_assert_uint_eq(state.destroyed, 2);
}
END_TEST

START_TEST(cnt_23_a_pack_with_errors_changes_nothing)
{
    kin_content_state state;
    open_content(FAST);
    ck_assert_int_ne(kin_content_load(content, "nonsense", 8), KIN_OK);
    error_log_clear(&errors);
    kin_content_report(content, &state);
    ck_assert_ptr_nonnull(state.error);
    ck_assert_uint_ne(game_spawn_named(game, "FastCannon", NULL).id, 0);
}
END_TEST

START_TEST(cnt_23_a_file_that_vanishes_leaves_the_content)
{
    text pack = pack_of(FAST), other = pack_of("prefabs: { Fast: { extends: Cannon } }\n");
    write_file(path_of("a.kinc"), pack.bytes, pack.size);
    content = game_content_open(game, path_of("a.kinc"), NULL);
    ck_assert_ptr_nonnull(content);
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    remove(path_of("a.kinc"));
    ck_assert_int_eq(kin_content_poll(content), KIN_ERROR_STREAM);
    error_log_clear(&errors);
    ck_assert_uint_ne(kin_prefab_find(content, "FastCannon"), KIN_NO_PREFAB);
    write_file(path_of("a.kinc"), other.bytes, other.size);
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_uint_eq(kin_prefab_find(content, "FastCannon"), KIN_NO_PREFAB);
    ck_assert_uint_ne(kin_prefab_find(content, "Fast"), KIN_NO_PREFAB);
}
END_TEST

START_TEST(cnt_20_the_number_of_a_prefab_stays_the_same)
{
    open_content("prefabs: { A: { extends: Cannon }, B: { extends: Block } }\n");
    kin_prefab number = kin_prefab_find(content, "B");
    reload("prefabs: { B: { extends: Block, Box: { width: 7 } } }\n");
    ck_assert_uint_eq(kin_prefab_find(content, "B"), number);
    kin_entity made;
    ck_assert_int_eq(kin_prefab_spawn(&game->base, number, NULL, &made), KIN_OK);
    ck_assert_float_eq(game_get_box(game, game_entity_of(made))->width, 7);
}
END_TEST

START_TEST(cnt_25_after_a_restore_the_step_is_applied_again)
{
    open_content("prefabs: { Fast: { extends: Cannon, Health: { points: 150 } } }\n");
    game_entity fast = game_spawn_named(game, "Fast", NULL);
    kin_snapshot *snapshot = NULL;
    ck_assert_int_eq(game_save(game, &snapshot), KIN_OK);
    kin_content_state state = reload("prefabs: { Fast: { extends: Cannon, Health: { points: 160 } } }\n");
    ck_assert_int_eq(game_restore(game, snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_int_eq(game_get_health(game, fast)->points, 150);
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_int_eq(game_get_health(game, fast)->points, 160);
    ck_assert_uint_eq(game_get_unique_content(game)->version, state.version);
    kin_snapshot_destroy(snapshot);
}
END_TEST

START_TEST(cnt_26_a_save_of_an_older_pack_can_be_adopted)
{
    text old = pack_of("prefabs: { Fast: { extends: Cannon, Health: { points: 150 } } }\n");
    write_file(path_of("a.kinc"), old.bytes, old.size);
    open_content("prefabs: { Fast: { extends: Cannon, Health: { points: 150 } } }\n");
    game_entity fast = game_spawn_named(game, "Fast", NULL);
    kin_content_close(content);
    open_content("prefabs: { Fast: { extends: Cannon, Health: { points: 170 } } }\n");
    ck_assert_int_eq(game_get_health(game, fast)->points, 150);
    ck_assert_int_eq(kin_content_adopt(content, path_of("a.kinc")), KIN_OK);
    ck_assert_int_eq(game_get_health(game, fast)->points, 170);
    ck_assert_int_eq(kin_content_adopt(content, path_of("none.kinc")), KIN_ERROR_STREAM);
    ck_assert_reported(&errors, KIN_ERROR_STREAM);
}
END_TEST

static void set_width_of_before(const kin_change *change, void *user)
{
    (void)user;
    if (change->component == GAME_BOX && change->event == KIN_COMPONENT_ADDED)
        game_replace_box(game, (game_entity){change->entity}, (Box){.width = 3, .height = 1});
}

START_TEST(cnt_22_what_a_listener_makes_of_a_new_instance_stays)
{
    open_content("prefabs: { Wall: { extends: Block, Box: { width: 3 } } }\n"
                 "levels: { row: { place: [{ Wall: { as: one } }] } }\n");
    ck_assert_int_eq(game_place_level(game, "row"), KIN_OK);
    kin_context_subscribe(&game->base, KIN_COMPONENT_CHANGED, set_width_of_before, NULL);
    kin_content_state state = reload("prefabs: { Wall: { extends: Block, Box: { width: 5 } } }\n"
                                     "levels: { row: { place: [{ Wall: { as: one } }, { Wall: { as: two } }] } }\n");
    ck_assert_uint_eq(state.written, 1);
    ck_assert_uint_eq(state.spawned, 1);
    ck_assert_float_eq(game_get_box(game, game_find_placed(game, "row/one"))->width, 5);
    ck_assert_float_eq(game_get_box(game, game_find_placed(game, "row/two"))->width, 3);
}
END_TEST

START_TEST(cnt_20_inline_strings_are_compared_up_to_their_ends)
{
    open_content("prefabs: { Post: { extends: Sign, Path: { tag: east } } }\n");
    game_entity post = game_spawn_named(game, "Post", NULL);
    Path path = *game_get_path(game, post);
    memset(path.tag, 'x', sizeof path.tag);
    snprintf(path.tag, sizeof path.tag, "east"); // as before, and something after it
    ck_assert_int_eq(game_replace_path(game, post, path), KIN_OK);
    kin_content_state state = reload("prefabs: { Post: { extends: Sign, Path: { tag: west } } }\n");
    ck_assert(state.written == 1 && state.kept == 0);
    ck_assert_str_eq(game_get_path(game, post)->tag, "west");
    snprintf(path.tag, sizeof path.tag, "eas");
    ck_assert_int_eq(game_replace_path(game, post, path), KIN_OK);
    state = reload("prefabs: { Post: { extends: Sign, Path: { tag: north } } }\n");
    ck_assert(state.written == 0 && state.kept == 1);
}
END_TEST

// Each has its own slots, and another size.
START_TEST(cnt_11_two_components_of_an_entity_name_parts)
{
    open_content("prefabs: { Post: { extends: Tower, Barrels: { left: .gun, right: . } } }\n");
    for (int listens = 0; listens < 2; listens++) {
        if (listens)
            kin_context_subscribe(&game->base, KIN_COMPONENT_CHANGED, ignore_change, NULL);
        game_entity post = game_spawn_named(game, "Post", NULL);
        const Barrels *barrels = game_get_barrels(game, post);
        ck_assert_entity(barrels->left, game_find_part(game, post, "gun"));
        ck_assert_entity(barrels->right, post);
        const Watch *watch = game_get_watch(game, post);
        ck_assert_entity(watch->by, game_find_part(game, post, "gun.head"));
        ck_assert_entity(watch->sights[1].target, post);
    }
}
END_TEST

// ---- without memory

#define ROW(width)                                                                                                     \
    FAST "  Wall: { extends: Block, Box: { width: " width " } }\n"                                                     \
         "  Post: { extends: Sign, Title: { text: post" width " } }\n"                                                 \
         "values: { Battle: { money: 1" width ", waves: [1, " width "] } }\n"                                          \
         "levels: { row: { place: [ Wall: [{}, { Box: { height: 2 } }], FastCannon: { as: gun }, Post: {}, "           \
         "Tower: { Watch: { by: gun.head } }, inner: { as: in } ] }, inner: { place: [ Wall: { as: far } ] } }\n"

// Calls until no request for memory is refused any more. A call that is refused leaves no entity.
static void refuse_each_request(bool (*call)(const text *pack), const text *pack)
{
    bool is_done = false;
    for (uint64_t number = 1; !is_done; number++) {
        uint32_t count = game_entity_count(game);
        guard_fail(&memory, number, false);
        is_done = call(pack);
        bool has_failed = guard_has_failed(&memory);
        guard_fail(&memory, 0, false);
        ck_assert(is_done || (has_failed && errors.count > 0));
        ck_assert(is_done || game_entity_count(game) == count);
        error_log_clear(&errors);
    }
}

static uint64_t state_hash(void)
{
    kin_snapshot *saved = NULL;
    ck_assert_int_eq(game_save(game, &saved), KIN_OK);
    uint64_t hash = kin_snapshot_hash(saved);
    kin_snapshot_destroy(saved);
    return hash;
}

static bool open_pack(const text *pack)
{
    content = kin_content_open_bytes(&game->base, pack->bytes, pack->size, NULL);
    return content != NULL;
}

static bool place_row(const text *pack)
{
    (void)pack;
    return game_place_level(game, "row") == KIN_OK;
}

static bool spawn_fast(const text *pack)
{
    (void)pack;
    return game_spawn_named(game, "FastCannon", KIN_SET({"head.Gun.interval", KIN_NUMBER(0.5)})).id != 0;
}

static bool load_pack(const text *pack)
{
    return kin_content_load(content, pack->bytes, pack->size) == KIN_OK;
}

static bool remove_row(const text *pack)
{
    (void)pack;
    return game_remove_level(game, "row") == KIN_OK;
}

START_TEST(cnt_without_memory_nothing_changes)
{
    text first = pack_of(ROW("3"));
    refuse_each_request(open_pack, &first);
    refuse_each_request(place_row, NULL);
    refuse_each_request(spawn_fast, NULL);
    refuse_each_request(remove_row, NULL);
    ck_assert_uint_eq(game_find_placed(game, "row/gun").id, 0);
}
END_TEST

// A reload that is refused in the middle is completed by the next one.
START_TEST(cnt_23_a_reload_without_memory_is_completed_by_the_next)
{
    text first = pack_of(ROW("3"));
    text second = pack_of(ROW("5"));
    ck_assert(open_pack(&first) && place_row(NULL) && load_pack(&second));
    uint64_t expected = state_hash();
    bool has_failed = true;
    for (uint64_t number = 1; has_failed; number++) {
        game_end();
        game_begin();
        ck_assert(open_pack(&first) && place_row(NULL));
        guard_fail(&memory, number, false);
        bool is_loaded = load_pack(&second);
        has_failed = guard_has_failed(&memory);
        guard_fail(&memory, 0, false);
        error_log_clear(&errors);
        ck_assert(is_loaded || has_failed);
        ck_assert(load_pack(&second));
        ck_assert_uint_eq(state_hash(), expected);
    }
}
END_TEST

// Instances without a name, whose places are those of their texts: each step moves two of them to a new place, once to
// the place that another one had before.
#define CHAIN(first, second, third)                                                                                    \
    FAST "levels: { row: { place: [ FastCannon: [{ interval: " first " }, { interval: " second                         \
         " }, { interval: " third " }], Block: [{ Box: { width: " first " } }, {}, { Box: { width: " third             \
         " } }], Tower: { as: tower, Watch: { by: last.head } }, FastCannon: { as: last } ] } }\n"

// Whether the step to the pack has begun, and is completed by the next load, whatever that loads.
static bool has_begun(const text *pack)
{
    return content->now->size == pack->size && memcmp(content->now->bytes, pack->bytes, pack->size) == 0;
}

START_TEST(cnt_22_places_that_move_in_a_chain_are_completed_without_memory)
{
    const text packs[] = {pack_of(CHAIN("1", "2", "3")), pack_of(CHAIN("2", "4", "3")), pack_of(CHAIN("5", "4", "1"))};
    ck_assert(open_pack(&packs[0]) && place_row(NULL));
    uint32_t count = game_entity_count(game);
    ck_assert(load_pack(&packs[1]) && load_pack(&packs[2]));
    ck_assert_uint_eq(game_entity_count(game), count); // all of them stay
    uint64_t expected = state_hash();
    bool has_failed = true;
    for (uint64_t number = 1; has_failed; number++) {
        game_end();
        game_begin();
        ck_assert(open_pack(&packs[0]) && place_row(NULL));
        guard_fail(&memory, number, false); // one request of the two steps is refused
        bool is_loaded = load_pack(&packs[1]);
        if (is_loaded || has_begun(&packs[1])) // else the first step is made again, before there is a second one
            is_loaded = load_pack(&packs[2]) && is_loaded;
        has_failed = guard_has_failed(&memory);
        guard_fail(&memory, 0, false);
        error_log_clear(&errors);
        ck_assert(is_loaded || has_failed);
        ck_assert(has_begun(&packs[1]) || has_begun(&packs[2]) || load_pack(&packs[1]));
        ck_assert(load_pack(&packs[2]));
        ck_assert_uint_eq(game_entity_count(game), count);
        ck_assert_uint_eq(state_hash(), expected);
    }
}
END_TEST

// ---- renames

#define OLD_TOWN                                                                                                       \
    "prefabs:\n"                                                                                                       \
    "  Fast:\n"                                                                                                        \
    "    extends: Cannon\n"                                                                                            \
    "    parts: { flag: { of: Block, Box: { width: 2 }, parts: { top: { of: Barrel } } } }\n"                          \
    "    knobs: { wide: flag.Box.width }\n"                                                                            \
    "levels:\n"                                                                                                        \
    "  valley: { place: [{ Fast: { as: north } }, { Tower: { as: gate, Watch: { by: north.flag.top } } }, "            \
    "{ houses: { as: homes } }] }\n"                                                                                   \
    "  houses: { place: [{ Block: { as: door } }] }\n"

#define NEW_TOWN                                                                                                       \
    "prefabs:\n"                                                                                                       \
    "  Quick:\n"                                                                                                       \
    "    was: Fast\n"                                                                                                  \
    "    extends: Cannon\n"                                                                                            \
    "    parts: { sign: { was: flag, of: Block, Box: { width: 3 }, parts: { tip: { was: top, of: Barrel } } } }\n"     \
    "    knobs: { wide: sign.Box.width }\n"                                                                            \
    "levels:\n"                                                                                                        \
    "  vale: { was: valley, place: [{ Quick: { as: south, was: north } }, "                                            \
    "{ Tower: { as: gate, Watch: { by: south.sign.tip } } }, { huts: { as: cabins, was: homes } }] }\n"                \
    "  huts: { was: houses, place: [{ Block: { as: gate, was: door } }] }\n"

START_TEST(cnt_27_what_was_renamed_keeps_its_entities)
{
    open_content(OLD_TOWN);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_OK);
    kin_prefab number = kin_prefab_find(content, "Fast");
    game_entity north = game_find_placed(game, "valley/north"), door = game_find_placed(game, "valley/homes.door");
    game_entity flag = game_find_part(game, north, "flag"), top = game_find_part(game, flag, "top");
    ck_assert_uint_ne(top.id, 0);
    uint32_t count = game_entity_count(game);
    kin_content_state state = reload(NEW_TOWN);
    ck_assert_uint_eq(state.spawned + state.destroyed, 0);
    ck_assert_uint_eq(game_entity_count(game), count);
    ck_assert_uint_eq(kin_prefab_find(content, "Quick"), number);
    ck_assert_uint_eq(kin_prefab_find(content, "Fast"), KIN_NO_PREFAB);
    ck_assert_entity(game_find_placed(game, "vale/south"), north);
    ck_assert_entity(game_find_placed(game, "vale/cabins.gate"), door);
    ck_assert_entity(game_find_part(game, north, "sign"), flag);
    ck_assert_entity(game_find_part(game, north, "sign.tip"), top);
    ck_assert_entity(game_find_part(game, flag, "tip"), top);
    ck_assert_float_eq(game_get_box(game, flag)->width, 3);
    ck_assert_entity(game_get_watch(game, game_find_placed(game, "vale/gate"))->by, top);
}
END_TEST

#define EXCHANGED(fast, slow, flag, mast, north, south, one, two, word)                                                \
    "prefabs:\n"                                                                                                       \
    "  " fast ": { " word("Fast") "extends: Cannon, parts: { " flag ": { " word(                                       \
        "flag") "of: Block, Box: { width: 2 } }, " mast                                                                \
                ": { " word(                                                                                           \
                    "mast") "of: Block } } }\n"                                                                        \
                            "  " slow ": { " word(                                                                     \
                                "Slow") "extends: Cannon }\n"                                                          \
                                        "levels:\n"                                                                    \
                                        "  " north ": { " word("north") "place: [{ " fast ": { " word(                 \
                                            "one") "as: " one " } }, { " slow                                          \
                                                   ": { " word(                                                        \
                                                       "two") "as: " two " } }] }\n"                                   \
                                                              "  " south ": { " word(                                  \
                                                                  "south") "place: [{ Block: { as: one } }] }\n"
#define NO_WORD(name)
#define WAS(name) "was: " name ", "

START_TEST(cnt_27_names_that_are_exchanged_keep_their_entities)
{
    open_content(EXCHANGED("Fast", "Slow", "flag", "mast", "north", "south", "one", "two", NO_WORD));
    ck_assert_int_eq(game_place_level(game, "north"), KIN_OK);
    ck_assert_int_eq(game_place_level(game, "south"), KIN_OK);
    game_entity one = game_find_placed(game, "north/one"), two = game_find_placed(game, "north/two");
    game_entity flag = game_find_part(game, one, "flag"), mast = game_find_part(game, one, "mast");
    game_entity block = game_find_placed(game, "south/one");
    kin_prefab fast = kin_prefab_find(content, "Fast");
    kin_content_state state = reload(EXCHANGED("Slow", "Fast", "mast", "flag", "south", "north", "two", "one", WAS));
    ck_assert_uint_eq(state.spawned + state.destroyed + state.written + state.kept, 0);
    ck_assert_uint_eq(kin_prefab_find(content, "Slow"), fast);
    ck_assert_entity(game_find_placed(game, "south/two"), one);
    ck_assert_entity(game_find_placed(game, "south/one"), two);
    ck_assert_entity(game_find_placed(game, "north/one"), block);
    ck_assert_entity(game_find_part(game, one, "mast"), flag);
    ck_assert_entity(game_find_part(game, one, "flag"), mast);
}
END_TEST

START_TEST(cnt_27_former_names_are_names_of_nothing)
{
    static const char *const paths[] = {"valley/north", "vale/north", "vale/homes.gate", "vale/cabins.door",
                                        "vale/none",    "vale/",      "vale/gate.gate",  "south"};
    open_content(NEW_TOWN);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_ERROR_INVALID);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(game_place_level(game, "vale"), KIN_OK);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        ck_assert_entity(game_find_placed(game, paths[i]), GAME_NO_ENTITY);
    game_entity south = game_find_placed(game, "vale/south");
    ck_assert_entity(game_find_part(game, south, "flag.top"), GAME_NO_ENTITY);
    ck_assert_entity(game_spawn_named(game, "Fast", NULL), GAME_NO_ENTITY);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(game_remove_level(game, "vale"), KIN_OK);
    ck_assert_uint_eq(game_entity_count(game), 1);
}
END_TEST

START_TEST(cnt_27_spawns_by_name_take_the_names_of_now)
{
    open_content(NEW_TOWN);
    game_entity quick =
        game_spawn_named(game, "Quick", KIN_SET({"wide", KIN_NUMBER(5)}, {"sign.tip.Box.height", KIN_NUMBER(7)}));
    ck_assert_uint_ne(quick.id, 0);
    ck_assert_float_eq(game_get_box(game, game_find_part(game, quick, "sign"))->width, 5);
    ck_assert_float_eq(game_get_box(game, game_find_part(game, quick, "sign.tip"))->height, 7);
    ck_assert_entity(game_spawn_named(game, "Quick", KIN_SET({"flag.Box.width", KIN_NUMBER(5)})), GAME_NO_ENTITY);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
}
END_TEST

START_TEST(cnt_27_a_save_from_before_a_rename_is_adopted)
{
    text old = pack_of(OLD_TOWN);
    write_file(path_of("a.kinc"), old.bytes, old.size);
    open_content(OLD_TOWN);
    ck_assert_int_eq(game_place_level(game, "valley"), KIN_OK);
    game_entity north = game_find_placed(game, "valley/north"), flag = game_find_part(game, north, "flag");
    kin_content_close(content);
    open_content(NEW_TOWN);
    ck_assert_entity(game_find_placed(game, "vale/south"), north);
    ck_assert_float_eq(game_get_box(game, flag)->width, 2);
    ck_assert_int_eq(kin_content_adopt(content, path_of("a.kinc")), KIN_OK);
    ck_assert_entity(game_find_part(game, north, "sign"), flag);
    ck_assert_float_eq(game_get_box(game, flag)->width, 3);
}
END_TEST

static void count_reload(const kin_content_state *state, void *user)
{
    uint32_t *counts = user;
    counts[state->error == NULL]++;
}

START_TEST(cnt_23_an_error_that_is_mended_is_told)
{
    text pack = pack_of(FAST);
    uint32_t counts[2] = {0, 0};
    content = kin_content_open_bytes(&game->base, pack.bytes, pack.size,
                                     &(kin_content_options){.on_reload = count_reload, .user = counts});
    ck_assert_ptr_nonnull(content);
    ck_assert_int_ne(kin_content_load(content, "nonsense", 8), KIN_OK);
    error_log_clear(&errors);
    ck_assert(counts[false] == 1 && counts[true] == 0);
    ck_assert_int_eq(kin_content_load(content, pack.bytes, pack.size), KIN_OK);
    ck_assert_int_eq(kin_content_load(content, pack.bytes, pack.size), KIN_OK);
    ck_assert(counts[false] == 1 && counts[true] == 1);
}
END_TEST

START_TEST(opening_nothing_is_refused)
{
    ck_assert_ptr_null(kin_content_open(&game->base, NULL, NULL));
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_ptr_null(kin_content_open_bytes(&game->base, NULL, 0, NULL));
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_ptr_null(kin_content_of(&game->base));
}
END_TEST

START_TEST(cnt_01_a_context_has_one_content)
{
    open_content(FAST);
    text pack = pack_of(FAST);
    ck_assert_ptr_null(kin_content_open_bytes(&game->base, pack.bytes, pack.size, NULL));
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_ptr_eq(kin_content_of(&game->base), content);
    kin_content_close(content);
    ck_assert_ptr_null(kin_content_of(&game->base));
    ck_assert_ptr_null(game_content_open(game, path_of("none.kinc"), NULL));
    ck_assert_reported(&errors, KIN_ERROR_STREAM);
    ck_assert_entity(game_spawn_named(game, "Cannon", NULL), GAME_NO_ENTITY);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
}
END_TEST

Suite *content_live_suite(void)
{
    Suite *suite = suite_create("content_live");
    TCase *tests = tcase_create("content_live");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, cnt_01_a_context_has_one_content);
    tcase_add_test(tests, cnt_02_values_of_unique_components_are_set);
    tcase_add_test(tests, cnt_03_a_prefab_is_its_base_with_what_it_says);
    tcase_add_test(tests, cnt_03_typed_spawns_give_values_and_parts);
    tcase_add_test(tests, cnt_04_blueprints_change_and_those_that_extend_them_follow);
    tcase_add_test(tests, cnt_10_spawned_entities_have_the_slots_of_their_blueprints);
    tcase_add_test(tests, cnt_12_a_spawn_by_name_takes_knobs_and_paths);
    tcase_add_test(tests, cnt_12_what_does_not_fit_is_refused_with_the_nearest_name);
    tcase_add_test(tests, cnt_13_a_level_is_placed_with_references_and_levels_in_it);
    tcase_add_test(tests, cnt_13_a_level_that_a_listener_makes_impossible_is_gone_again);
    tcase_add_test(tests, cnt_14_a_level_is_placed_once_and_can_be_removed);
    tcase_add_test(tests, cnt_15_placing_and_polling_inside_a_listener_are_refused);
    tcase_add_test(tests, cnt_16_equal_instances_have_places_of_their_own);
    tcase_add_test(tests, cnt_20_values_follow_unless_the_game_has_changed_them);
    tcase_add_test(tests, cnt_20_strings_lists_and_blueprints_follow);
    tcase_add_test(tests, cnt_20_the_number_of_a_prefab_stays_the_same);
    tcase_add_test(tests, cnt_21_structure_follows_the_file);
    tcase_add_test(tests, cnt_22_instances_are_paired_placed_and_destroyed);
    tcase_add_test(tests, cnt_22_instances_without_names_are_paired_in_order);
    tcase_add_test(tests, cnt_20_references_of_instances_follow_unless_the_game_has_changed_them);
    tcase_add_test(tests, cnt_20_an_equal_level_follows_its_prefabs);
    tcase_add_test(tests, cnt_23_a_pack_with_errors_changes_nothing);
    tcase_add_test(tests, cnt_23_a_file_that_vanishes_leaves_the_content);
    tcase_add_test(tests, opening_nothing_is_refused);
    tcase_add_test(tests, cnt_23_an_error_that_is_mended_is_told);
    tcase_add_test(tests, cnt_without_memory_nothing_changes);
    tcase_add_test(tests, cnt_23_a_reload_without_memory_is_completed_by_the_next);
    tcase_add_test(tests, cnt_11_two_components_of_an_entity_name_parts);
    tcase_add_test(tests, cnt_20_inline_strings_are_compared_up_to_their_ends);
    tcase_add_test(tests, cnt_22_what_a_listener_makes_of_a_new_instance_stays);
    tcase_add_test(tests, cnt_22_places_that_move_in_a_chain_are_completed_without_memory);
    tcase_add_test(tests, cnt_26_a_save_of_an_older_pack_can_be_adopted);
    tcase_add_test(tests, cnt_25_after_a_restore_the_step_is_applied_again);
    tcase_add_test(tests, cnt_27_what_was_renamed_keeps_its_entities);
    tcase_add_test(tests, cnt_27_names_that_are_exchanged_keep_their_entities);
    tcase_add_test(tests, cnt_27_former_names_are_names_of_nothing);
    tcase_add_test(tests, cnt_27_spawns_by_name_take_the_names_of_now);
    tcase_add_test(tests, cnt_27_a_save_from_before_a_rename_is_adopted);
    suite_add_tcase(suite, tests);
    return suite;
}
