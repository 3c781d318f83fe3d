// Worlds in files: what systems have is read back (FIL-01, FIL-06, EVO-10).
#include "../suites.h"
#include "entity/entity.h"
#include "world_case.h"

#include <stdlib.h>
#include <string.h>

enum { LOG_SIZE = 1 << 16 };

static char first_log[LOG_SIZE];

// The same as play_twice, but the second time from the file.
static const char *play_from_file(void (*play)(void))
{
    save_and_read();
    listen_to_all();
    play();
    ck_assert_uint_lt(strlen(log_text()), LOG_SIZE);
    strcpy(first_log, log_text());
    restore_read();
    listen_to_all();
    play();
    ck_assert_str_eq(log_text(), first_log);
    return first_log;
}

// ---- random worlds

static void go_on(void)
{
    town_random_go_on(30);
}

START_TEST(fil_01_a_world_that_was_read_is_written_as_before_and_goes_on_as_before)
{
    town_random_number = (uint64_t)_i + 1;
    town_random_resets = _i % 2 == 1;
    town_citizen(1);
    uint32_t rounds = getenv("KIN_SWEEP_COUNTS") != NULL ? 3 : 200;
    for (uint32_t round = 0; round < rounds; round++) {
        uint64_t next = town_random_number;
        log_begin();
        town_random_go_on(1 + (uint32_t)(next / 64 % 40));
        next = town_random_number;
        save_and_read();
        for (uint32_t i = 0; i < 2; i++) {
            listen_to_all();
            town_random_number = next;
            go_on();
            if (i == 0)
                strcpy(first_log, log_text());
            else
                ck_assert_str_eq(log_text(), first_log);
            ck_assert_uint_lt(strlen(log_text()), LOG_SIZE);
            if (i == 0)
                restore_read();
        }
    }
}
END_TEST

// ---- what is in a file

static void change(void)
{
    change_and_update();
}

START_TEST(fil_06_slots_of_dead_entities_are_held_for_those_who_collected_them)
{
    people_entity entity = named_citizen(3);
    update();
    people_destroy_entity(people, entity);
    const char *log = play_from_file(change);
    ck_assert_ptr_nonnull(strstr(log, "Undertaker:leave(1)"));
    ck_assert_ptr_nonnull(strstr(log, "Lamps:execute_people(1)"));
}
END_TEST

START_TEST(fil_01_clocks_ticks_messages_and_disabled_systems_are_in_the_file)
{
    town_citizen(1);
    town_world_update(town, 3); // noon drops steps
    town_world_push_time(town, (kin_tick){4, 5, 6});
    kin_systems_set_enabled(town_world_systems(town), "Mayor", false);
    kin_systems_deactivate_reactive(town_world_systems(town));
    for (int64_t i = 0; i < 5; i++)
        town_publish_gossip(town, (Gossip){i - 2});
    town_publish_greeting(town, (Greeting){.words = "good day", .mood = MOOD_ANGRY});
    town_publish_bell(town);
    const char *log = play_from_file(update_twice);
    ck_assert_ptr_nonnull(strstr(log, "Patient:gossip(-2)"));
    ck_assert_ptr_nonnull(strstr(log, "Registry:greeting(good day)"));
    ck_assert_ptr_null(strstr(log, "Mayor"));
    town_world_pop_time(town);
}
END_TEST

START_TEST(the_head_has_the_frame_of_the_world)
{
    kin_file_info info;
    update_twice();
    save_and_read();
    ck_assert_int_eq(kin_file_look(buffer_source(&file), &info, NULL, 0), KIN_OK);
    ck_assert_uint_eq(info.frame, 2);
    ck_assert_str_eq(info.package, "town");
}
END_TEST

START_TEST(another_world_goes_on_from_the_file)
{
    named_citizen(7);
    update();
    people_destroy_entity(people, citizen_of(0));
    town_citizen(8);
    save_and_read();
    listen_to_all();
    change_and_update();
    strcpy(first_log, log_text());
    kin_snapshot_destroy(file_snapshot);
    file_snapshot = NULL;
    town_world *former = twice_other();
    ck_assert_msg(read_file() == KIN_OK, "%s", reported);
    restore_read();
    listen_to_all();
    change_and_update();
    ck_assert_str_eq(log_text(), first_log);
    kin_snapshot_destroy(file_snapshot);
    file_snapshot = NULL;
    twice_back(former);
}
END_TEST

START_TEST(a_context_takes_its_own_part_of_the_file_of_a_world)
{
    people_entity entity = town_citizen(4);
    update();
    people_set_asleep(people, entity, true); // Watch has collected it
    people_destroy_entity(people, entity);
    people_entity alive = town_citizen(5);
    save();
    write_to(&file, saved_town);
    people_destroy_all_entities(people);
    houses_entity house = houses_create_entity(houses);
    kin_status status = people_read(people, &file_snapshot, buffer_source(&file), NULL, NULL);
    ck_assert_msg(status == KIN_OK, "%s", reported);
    ck_assert_int_eq(people_restore(people, file_snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert(people_entity_is_alive(people, alive) && houses_entity_is_alive(houses, house));
    ck_assert_int_eq(people_get_age(people, alive)->years, 5);
    ck_assert(kin__context_is_valid(&people->base));
}
END_TEST

START_TEST(the_file_of_a_context_is_not_one_of_a_world)
{
    town_citizen(4);
    ck_assert_int_eq(people_save(people, &saved_town), KIN_OK);
    write_to(&file, saved_town);
    ck_assert_int_eq(read_file(), KIN_ERROR_SHAPE);
    ck_assert_msg(strstr(reported, "it is the file of a context") != NULL, "%s", reported);
    ck_assert_ptr_null(file_snapshot);
}
END_TEST

static kin_status status_inside;

static void read_inside(town_world *world)
{
    status_inside = town_read(world, &file_snapshot, buffer_source(&file), NULL, NULL);
}

START_TEST(a_world_is_not_read_inside_its_run_and_not_without_arguments)
{
    kin_source none = {NULL, NULL, NULL};
    save_and_read();
    kin_snapshot *former = file_snapshot;
    town_do("Mayor:execute", read_inside);
    update();
    ck_assert_int_eq(status_inside, KIN_ERROR_INVALID);
    ck_assert_int_eq(town_read(NULL, &file_snapshot, buffer_source(&file), NULL, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_read(town, NULL, buffer_source(&file), NULL, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_read(town, &file_snapshot, none, NULL, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_read_path(town, &file_snapshot, NULL, NULL, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_read_path(town, &file_snapshot, "/nowhere/at/all.kin", NULL, NULL), KIN_ERROR_STREAM);
    ck_assert_ptr_eq(file_snapshot, former);
}
END_TEST

START_TEST(a_snapshot_of_a_context_is_made_one_of_a_world_and_back)
{
    town_citizen(3);
    save();
    write_to(&file, saved_town);
    ck_assert_int_eq(people_read(people, &file_snapshot, buffer_source(&file), NULL, NULL), KIN_OK);
    ck_assert_int_eq(read_file(), KIN_OK);
    restore_read();
    ck_assert_int_eq(people_read(people, &file_snapshot, buffer_source(&file), NULL, NULL), KIN_OK);
    ck_assert_int_eq(people_restore(people, file_snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_int_eq(town_world_restore(town, file_snapshot, KIN_RESTORE_EXACTLY), KIN_ERROR_INVALID);
}
END_TEST

// ---- EVO-10

static void remove_system(const char *name)
{
    ck_assert_int_eq(kin_systems_remove(town_world_systems(town), name), KIN_OK);
}

START_TEST(evo_10_the_state_of_a_system_that_is_no_more_is_dropped)
{
    write_busy();
    town_world *former = twice_other();
    remove_system("Watch");
    remove_system("tavern");
    ck_assert_msg(read_file() == KIN_OK, "%s", reported);
    restore_read();
    listen_to_all();
    update();
    ck_assert_ptr_null(strstr(log_text(), "Watch"));
    ck_assert_ptr_nonnull(strstr(log_text(), "Undertaker:leave(2)"));
    ck_assert_ptr_nonnull(strstr(log_text(), "Registry:greeting(hello)"));
    kin_snapshot_destroy(file_snapshot);
    file_snapshot = NULL;
    twice_back(former);
}
END_TEST

START_TEST(evo_10_a_new_system_begins_as_in_a_new_world)
{
    town_world *former = twice_other();
    remove_system("Watch");
    remove_system("Registry");
    town_citizen(1);
    update();
    kin_snapshot *fewer = NULL;
    ck_assert_int_eq(town_world_save(town, &fewer), KIN_OK);
    write_to(&file, fewer);
    kin_snapshot_destroy(fewer);
    twice_back(former);
    town_citizen(2); // what its own systems know is no part of the file
    kin_systems_set_enabled(town_world_systems(town), "evening", false);
    ck_assert_msg(read_file() == KIN_OK, "%s", reported);
    restore_read();
    listen_to_all();
    update();
    ck_assert_has(log_text(), "Registry:enter(1) Registry:first_update(1) ");
    ck_assert_ptr_null(strstr(log_text(), "Watch"));
}
END_TEST

// Replaces a name in SHAP and paths by one of equal length.
static void rename_in_file(const char *from, const char *to)
{
    size_t length = strlen(from);
    for (size_t at = 0; at + length <= file.size; at++)
        if (memcmp(file.bytes + at, from, length) == 0)
            memcpy(file.bytes + at, to, length);
    repair();
}

START_TEST(evo_10_messages_that_are_no_more_are_dropped)
{
    write_busy();
    rename_in_file("Gossip", "Gossiq");
    ck_assert_msg(read_file() == KIN_OK, "%s", reported);
    restore_read();
    listen_to_all();
    update();
    ck_assert_ptr_null(strstr(log_text(), "gossip"));
    ck_assert_ptr_nonnull(strstr(log_text(), "Patient:greeting(hello)"));
}
END_TEST

// The messages of Patient, which has no limit, are those of Hurried, which keeps the oldest two.
START_TEST(evo_10_an_inbox_loses_the_messages_that_it_has_no_room_for)
{
    for (int64_t number = 1; number <= 3; number++)
        town_publish_gossip(town, (Gossip){number});
    save();
    write_to(&file, saved_town);
    rename_in_file("Hurried", "Hurrief");
    rename_in_file("Patient", "Hurried");
    ck_assert_msg(read_file() == KIN_OK, "%s", reported);
    restore_read();
    listen_to_all();
    update();
    ck_assert_has(log_text(), "Hurried:gossip(1) Hurried:gossip(2) ");
    ck_assert_ptr_null(strstr(log_text(), "gossip(3)"));
}
END_TEST

START_TEST(evo_03_a_context_that_the_schema_does_not_know_is_refused_or_dropped_on_demand)
{
    kin_read_options options = {.drop_unknown = true};
    write_busy();
    rename_in_file("houses", "houzes");
    houses_create_entity(houses);
    ck_assert_int_eq(read_file(), KIN_ERROR_SHAPE);
    ck_assert_msg(strstr(reported, "it has the context 'houzes'") != NULL, "%s", reported);
    ck_assert_int_eq(town_read(town, &file_snapshot, buffer_source(&file), &options, NULL), KIN_OK);
    restore_read();
    ck_assert_uint_eq(houses_entity_count(houses), 0);
    update_twice();
}
END_TEST

START_TEST(evo_03_unknown_names_of_all_contexts_are_listed)
{
    write_busy();
    rename_in_file("Purse", "Purze");
    rename_in_file("Roof", "Rooz");
    ck_assert_int_eq(read_file(), KIN_ERROR_SHAPE);
    ck_assert_msg(strstr(reported, "it has Rooz, Purze, which the schema lacks") != NULL, "%s", reported);
}
END_TEST

static TCase *files_of(Suite *suite, const char *name)
{
    TCase *cases = tcase_create(name);
    tcase_add_checked_fixture(cases, world_case_begin, world_case_end);
    tcase_set_timeout(cases, 120);
    suite_add_tcase(suite, cases);
    return cases;
}

Suite *save_world_suite(void)
{
    Suite *suite = suite_create("save_world");
    TCase *cases = files_of(suite, "world");
    tcase_add_loop_test(cases, fil_01_a_world_that_was_read_is_written_as_before_and_goes_on_as_before, 0, 6);
    tcase_add_test(cases, fil_01_clocks_ticks_messages_and_disabled_systems_are_in_the_file);
    tcase_add_test(cases, fil_06_slots_of_dead_entities_are_held_for_those_who_collected_them);
    tcase_add_test(cases, the_head_has_the_frame_of_the_world);
    tcase_add_test(cases, another_world_goes_on_from_the_file);
    tcase_add_test(cases, a_context_takes_its_own_part_of_the_file_of_a_world);
    tcase_add_test(cases, the_file_of_a_context_is_not_one_of_a_world);
    tcase_add_test(cases, a_world_is_not_read_inside_its_run_and_not_without_arguments);
    tcase_add_test(cases, a_snapshot_of_a_context_is_made_one_of_a_world_and_back);
    cases = files_of(suite, "evolution");
    tcase_add_test(cases, evo_10_the_state_of_a_system_that_is_no_more_is_dropped);
    tcase_add_test(cases, evo_10_a_new_system_begins_as_in_a_new_world);
    tcase_add_test(cases, evo_10_messages_that_are_no_more_are_dropped);
    tcase_add_test(cases, evo_10_an_inbox_loses_the_messages_that_it_has_no_room_for);
    tcase_add_test(cases, evo_03_a_context_that_the_schema_does_not_know_is_refused_or_dropped_on_demand);
    tcase_add_test(cases, evo_03_unknown_names_of_all_contexts_are_listed);
    return suite;
}
