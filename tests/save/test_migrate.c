// Migrations: functions that decide about components when what past.yaml wrote is read with sequel.yaml.
#include "../suites.h"
#include "base/base.h"
#include "file/file.h"
#include "past_make.h"
#include "scarce.h"
#include "sequel_case.h"

#include <sequel/sequel.h>
#include <sequel/sequel_save.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static buffer file;
static sequel_context *sequel;
static kin_snapshot *read;
static kin_read_report report;
static int given; // `sequel_case_user` of the options

static void setup(void)
{
    kin_context_options options = past_case_options();
    memset(&file, 0, sizeof file);
    memset(sequel_case_called, 0, sizeof sequel_case_called);
    sequel = sequel_context_create(&options);
    read = NULL;
    sequel_case_refuses = sequel_case_gives_wrong_list = false;
    sequel_case_foster = 0;
    past_make_begin();
}

static void teardown(void)
{
    past_make_end();
    kin_snapshot_destroy(read);
    sequel_context_destroy(sequel);
    buffer_release(&file);
}

static kin_status read_file(void)
{
    kin_read_options options = {.user = &given};
    past_make_write_as(&file, "sequel");
    past_case_error[0] = sequel_case_called[0] = '\0';
    memset(sequel_case_called, 0, sizeof sequel_case_called);
    return sequel_read(sequel, &read, buffer_source(&file), &options, &report);
}

static sequel_entity restored(kin_entity entity)
{
    kin_status status = read_file();
    ck_assert_msg(status == KIN_OK, "%s", past_case_error);
    ck_assert_int_eq(sequel_restore(sequel, read, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert(kin_entity_is_alive(&sequel->base, entity));
    return (sequel_entity){entity};
}

static void expect_refused(kin_status status, const char *text)
{
    ck_assert_int_eq(read_file(), status);
    ck_assert_msg(strstr(past_case_error, text) != NULL, "%s", past_case_error);
    ck_assert_ptr_null(read);
}

START_TEST(evo_06_a_function_decides_what_a_field_of_another_type_becomes)
{
    kin_entity entity = past_make_entity(), second = past_make_entity();
    past_make_team(entity, PAST_RED, true);
    past_make_speed(second, 1.5f, 2, 9);
    sequel_entity now = restored(entity), other = {second};
    ck_assert_str_eq(sequel_get_team(sequel, now)->side, "Red 1");
    ck_assert(sequel_get_team(sequel, now)->ready);
    ck_assert(!sequel_has_team(sequel, other) && !sequel_has_pace(sequel, now));
    ck_assert(sequel_get_pace(sequel, other)->v == 3.5f && sequel_get_pace(sequel, other)->turns == 9);
    ck_assert_uint_eq(report.migrated, 2);
    ck_assert_uint_eq(sequel_case_version, 1);
    ck_assert_ptr_eq(sequel_case_user, &given);
}
END_TEST

START_TEST(evo_05_what_does_not_fit_is_at_its_default_when_the_function_is_called)
{
    kin_entity entity = past_make_entity(), second = past_make_entity();
    past_make_place(entity, 1, 2, 4);
    past_make_place(second, 3, 4, 300);
    past_make_wide(second, (int64_t)1 << 40, UINT64_MAX, 0);
    past_make_look(entity, "house", 2.5f);
    sequel_entity now = restored(entity), other = {second};
    ck_assert_int_eq(sequel_get_place(sequel, now)->cell, 4);
    ck_assert_int_eq(sequel_get_place(sequel, other)->cell, 127);
    ck_assert(sequel_get_place(sequel, other)->at.y == 4);
    ck_assert_str_eq(sequel_get_look(sequel, now)->model, "house");
    ck_assert_int_eq(sequel_get_look(sequel, now)->size, 25);
    Wide wide;
    ck_assert(sequel_read_wide(sequel, other, &wide) && wide.big == INT32_MAX && wide.large == UINT64_MAX);
}
END_TEST

START_TEST(evo_09_functions_are_called_by_chunk_then_component_then_slot)
{
    kin_entity crowned = past_make_entity();
    past_make_crown(crowned, crowned);
    past_make_health(crowned, 1, 2);
    past_make_entity();
    restored(crowned);
    ck_assert_str_eq(sequel_case_called,
                     "CCGGLLMMNNSSPPWWHHTTBBOO"); // none of crown_migrate: its shape is that of the file
    ck_assert_ptr_nonnull(sequel_get_crown(sequel, (sequel_entity){crowned}));
    for (int i = 0; i < 511; i++)
        past_make_entity();
    restored(crowned);
    ck_assert_uint_eq(strlen(sequel_case_called), (512 + 1) * 12);
    for (size_t i = 0; i < 12; i++)
        ck_assert_int_eq(sequel_case_called[512 * 12 + i], "CGLMNSPWHTBO"[i]);
}
END_TEST

START_TEST(evo_09_a_function_gives_entities_a_component_that_the_file_lacks)
{
    kin_entity entity = past_make_entity(), second = past_make_entity(), third = past_make_entity();
    past_make_health(entity, 10, 50);
    past_make_health(second, 10, 0);
    sequel_entity now = restored(entity);
    ck_assert_int_eq(sequel_get_plate(sequel, now)->points, 50);
    ck_assert(!sequel_has_plate(sequel, (sequel_entity){second}) && !sequel_has_plate(sequel, (sequel_entity){third}));
    ck_assert_uint_eq(report.migrated, 1);
    ck_assert_uint_eq(report.dropped, 2); // Health.armor
}
END_TEST

START_TEST(evo_09_strings_and_lists_are_copied_after_each_call)
{
    static const float xs[] = {1, 2.5f, -3};
    static const int32_t cells[4] = {1, 2, 3, -4};
    kin_entity entity = past_make_entity(), second = past_make_entity(), third = past_make_entity();
    past_make_name(entity, "cat", "a");
    past_make_name(second, "dog", "b");
    past_make_name(third, NULL, "c");
    past_make_path(entity, xs, 3);
    past_make_path(second, xs, 1);
    past_make_path(third, xs, 0);
    past_make_grid(third, cells, 9);
    sequel_entity now = restored(entity), other = {second}, last = {third};
    ck_assert_str_eq(sequel_get_name(sequel, now)->value, "the cat");
    ck_assert_str_eq(sequel_get_name(sequel, other)->value, "the dog");
    ck_assert(!sequel_has_name(sequel, last));
    const Path *path = sequel_get_path(sequel, now), *shorter = sequel_get_path(sequel, other);
    ck_assert(path->stops.count == 4 && path->stops.at[1].x == 5 && path->stops.at[3].x == -1);
    ck_assert(shorter->stops.count == 2 && shorter->stops.at[0].x == 2 && shorter->stops.at[1].x == -1);
    ck_assert(sequel_get_path(sequel, last)->stops.count == 1);
    const Grid *grid = sequel_get_grid(sequel, last);
    ck_assert(grid->spots[0].x == 9 && grid->cells[0] == -4 && grid->cells[1] == 2);
    ck_assert_str_eq(grid->label, "grid");
}
END_TEST

START_TEST(evo_09_a_function_decides_whether_a_stashed_value_stays)
{
    kin_entity entity = past_make_entity(), second = past_make_entity(), third = past_make_entity();
    past_make_memo(entity, "kept", 7);
    past_make_stash(entity);
    past_make_memo(second, "too large", 1000);
    past_make_stash(second);
    past_make_memo(third, "not stashed", 8);
    sequel_entity now = restored(entity), other = {second}, last = {third};
    ck_assert(!sequel_has_memo(sequel, now) && !sequel_has_memo(sequel, other));
    ck_assert_str_eq(sequel_get_memo(sequel, last)->text, "memo 8");
    ck_assert_int_eq(sequel_restore_memo(sequel, now), KIN_OK);
    ck_assert_str_eq(sequel_get_memo(sequel, now)->text, "memo 7");
    ck_assert_int_eq(sequel_get_memo(sequel, now)->number, 7);
    ck_assert_int_ne(sequel_restore_memo(sequel, other), KIN_OK);
    ck_assert_uint_eq(report.migrated, 3);
}
END_TEST

START_TEST(evo_09_opaque_values_are_dropped_once)
{
    kin_entity entity = past_make_entity(), second = past_make_entity();
    int before = past_case_badges;
    past_make_worn(entity, 3);
    past_make_worn(second, 4);
    sequel_entity now = restored(entity);
    ck_assert_int_eq(*sequel_get_worn(sequel, now)->badge.number, 3);
    ck_assert_int_eq(past_case_badges, before + 4);
    kin_snapshot_destroy(read);
    read = NULL;
    sequel_case_refuses = true;
    restored(entity);
    ck_assert(!sequel_has_worn(sequel, now));
    ck_assert_int_eq(past_case_badges, before + 2);
    sequel_case_refuses = false;
    kin_snapshot_destroy(read);
    read = NULL;
    sequel_case_gives_wrong_list = true;
    past_make_path(second, NULL, 0);
    expect_refused(KIN_ERROR_INVALID, "'Path'");
    ck_assert_int_eq(past_case_badges, before + 2);
    sequel_case_gives_wrong_list = false;
}
END_TEST

START_TEST(evo_09_a_function_decides_about_a_value_that_load_refuses)
{
    kin_entity entity = past_make_entity(), second = past_make_entity();
    past_make_worn(entity, 3);
    past_make_worn(second, 4);
    past_case_bad_badge = 4;
    sequel_entity now = restored(entity), other = {second};
    ck_assert_int_eq(*sequel_get_worn(sequel, now)->badge.number, 3);
    ck_assert(!sequel_has_worn(sequel, other));
    buffer_release(&file);
    ck_assert_int_eq(kin_snapshot_write(read, buffer_sink(&file), NULL), KIN_OK);
    kin_snapshot_destroy(read);
    read = NULL;
    past_case_bad_badge = 3; // the file has the shape of now, and is read a second time
    memset(sequel_case_called, 0, sizeof sequel_case_called);
    ck_assert_int_eq(sequel_read(sequel, &read, buffer_source(&file), NULL, &report), KIN_OK);
    ck_assert_str_eq(sequel_case_called, "CC!!OO"); // all that have to meet a condition are asked
    ck_assert_int_eq(sequel_restore(sequel, read, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert(!sequel_has_worn(sequel, now));
    past_case_bad_badge = 1000000;
}
END_TEST

START_TEST(evo_09_relations_are_those_that_the_function_gave)
{
    kin_entity parent = past_make_entity(), child = past_make_entity(), orphan = past_make_entity();
    past_make_child(child, parent);
    sequel_entity now = restored(child);
    ck_assert_uint_eq(sequel_get_child_of(sequel, now)->parent.id, parent);
    ck_assert_int_eq(sequel_get_child_of(sequel, now)->since, 7);
    ck_assert_uint_eq(sequel_children_count(sequel, (sequel_entity){parent}), 1);
    kin_snapshot_destroy(read);
    read = NULL;
    sequel_case_foster = child;
    expect_refused(KIN_ERROR_SHAPE, "after the migration of 'ChildOf', an entity is below itself in a tree");
    past_make_destroy(orphan);
    sequel_case_foster = orphan;
    ck_assert_int_eq(read_file(), KIN_OK); // holders of `destroy` do not outlive what the function gave them
    ck_assert_uint_eq(report.entities, 0);
    ck_assert_uint_ge(report.dropped, 2);
}
END_TEST

START_TEST(without_its_functions_a_file_of_another_shape_is_refused)
{
    past_make_entity();
    past_make_write_as(&file, "sequel");
    ck_assert_int_eq(kin_context_read(&sequel->base, &read, buffer_source(&file), NULL, NULL), KIN_ERROR_SHAPE);
    ck_assert_ptr_nonnull(strstr(past_case_error, "'ChildOf'"));
    ck_assert_ptr_nonnull(strstr(past_case_error, "sequel_save.h"));
    ck_assert_ptr_null(read);
}
END_TEST

START_TEST(a_file_of_the_same_shape_calls_no_function)
{
    buffer own;
    memset(&own, 0, sizeof own);
    kin_entity entity = past_make_entity();
    past_make_team(entity, PAST_RED, true);
    restored(entity);
    kin_snapshot *saved = NULL;
    ck_assert_int_eq(sequel_save(sequel, &saved), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write(saved, buffer_sink(&own), NULL), KIN_OK);
    memset(sequel_case_called, 0, sizeof sequel_case_called);
    ck_assert_int_eq(sequel_read(sequel, &read, buffer_source(&own), NULL, &report), KIN_OK);
    ck_assert_int_eq(kin_context_read(&sequel->base, &read, buffer_source(&own), NULL, &report), KIN_OK);
    ck_assert_str_eq(sequel_case_called, "");
    ck_assert_uint_eq(report.migrated, 0);
    ck_assert_uint_eq(kin_snapshot_hash(saved), kin_snapshot_hash(read));
    kin_snapshot_destroy(saved);
    buffer_release(&own);
}
END_TEST

START_TEST(reading_is_repeatable)
{
    kin_entity entity = past_make_entity();
    past_make_name(entity, "cat", "a");
    past_make_health(entity, 1, 2);
    restored(entity);
    kin_snapshot *first = read;
    read = NULL;
    restored(entity);
    ck_assert_uint_eq(kin_snapshot_hash(first), kin_snapshot_hash(read));
    ck_assert_uint_eq(kin_snapshot_compare(first, read, NULL, NULL), 0);
    kin_snapshot_destroy(first);
}
END_TEST

// Each request for memory fails once: the snapshot stays as it was, and no badge is lost.
START_TEST(without_memory_nothing_has_changed)
{
    static const float xs[] = {1, 2};
    kin_context_options options = past_case_options();
    options.allocator = scarce_allocator();
    for (int i = 0; i < 9; i++) {
        kin_entity entity = past_make_entity();
        past_make_path(entity, xs, 2);
        past_make_name(entity, "a name", "code");
        past_make_look(entity, i % 2 == 0 ? "tree" : "house", 1);
        past_make_memo(entity, "memo", 1);
        if (i % 2 == 0)
            past_make_stash(entity);
        past_make_worn(entity, i);
    }
    past_make_write_as(&file, "sequel");
    sequel_context *poor = sequel_context_create(&options);
    kin_status status = KIN_ERROR_NO_MEMORY;
    int badges = past_case_badges;
    for (int64_t after = 0; status != KIN_OK; after++) {
        scarce_requests = after;
        status = sequel_read(poor, &read, buffer_source(&file), NULL, NULL);
        scarce_requests = -1;
        ck_assert(status == KIN_OK || (status == KIN_ERROR_NO_MEMORY && read == NULL));
        ck_assert_int_eq(past_case_badges, status == KIN_OK ? badges + 9 : badges);
    }
    ck_assert_int_eq(sequel_restore(poor, read, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_uint_eq(sequel_entity_count(poor), 9);
    kin_snapshot_destroy(read);
    read = NULL;
    sequel_context_destroy(poor);
    ck_assert_uint_eq(scarce_used, 0);
    ck_assert_int_eq(past_case_badges, badges);
}
END_TEST

static void expect_nothing(const kin_record *record)
{
    int64_t integer = 5;
    double number = 5;
    const char *text = "5";
    kin_entity entity = 5;
    static const char *const paths[] = {"",
                                        ".",
                                        "Team",
                                        "Team.",
                                        "Team.sid",
                                        "Team.sides",
                                        "Teal.side",
                                        "Team.side[",
                                        "Team.side[]",
                                        "Team.side[1]",
                                        "Team.side[0",
                                        "Team.side[0]x",
                                        "Team.side.x",
                                        "Team.side[99999999999999999999]"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        ck_assert_msg(!kin_record_integer(record, paths[i], &integer) &&
                          !kin_record_number(record, paths[i], &number) && !kin_record_text(record, paths[i], &text) &&
                          !kin_record_entity(record, paths[i], &entity),
                      "%s", paths[i]);
    ck_assert(!kin_record_has(record, "Tea") && !kin_record_has(record, "Teams") && !kin_record_has(record, ""));
    ck_assert(integer == 5 && number == 5 && strcmp(text, "5") == 0 && entity == 5);
}

static bool look_at(void *value, const kin_record *record)
{
    int64_t integer;
    double number;
    const char *text = NULL;
    (void)value;
    expect_nothing(record);
    ck_assert(kin_record_has(record, "Team") && kin_record_has(record, "Frozen"));
    ck_assert(kin_record_integer(record, "Team.side[0]", &integer) && integer == 1);
    ck_assert(!kin_record_integer(record, "Wide.large", &integer)); // beyond INT64_MAX
    ck_assert(kin_record_number(record, "Wide.large", &number) && number == 0x1p64);
    ck_assert(!kin_record_integer(record, "Place.at.x", &integer) &&
              !kin_record_entity(record, "Wide.big", &(kin_entity){0}));
    ck_assert(kin_record_text(record, "Name.code", &text) && strcmp(text, "ab") == 0);
    ck_assert(!kin_record_integer(record, "Name.code", &integer) && !kin_record_text(record, "Worn.badge", &text));
    ck_assert(!kin_record_integer(record, "Team.side", NULL) && !kin_record_number(record, "Team.side", NULL));
    ck_assert(!kin_record_text(record, "Team.side", NULL) && !kin_record_text(record, "Name.code", NULL));
    ck_assert(!kin_record_integer(record, NULL, &integer) && !kin_record_has(record, NULL));
    return false;
}

START_TEST(a_record_gives_what_there_is_and_nothing_else)
{
    kin_entity entity = past_make_entity();
    kin__migration all[SEQUEL_COMPONENT_COUNT];
    for (uint32_t i = 0; i < SEQUEL_COMPONENT_COUNT; i++)
        all[i] = (kin__migration){&sequel_info, (kin_component_id)i, look_at};
    past_make_team(entity, PAST_RED, true);
    past_make_frozen(entity);
    past_make_wide(entity, 1, UINT64_MAX, 2);
    past_make_place(entity, 1, 2, 3);
    past_make_name(entity, "a", "ab");
    past_make_worn(entity, 5);
    past_make_write_as(&file, "sequel");
    kin__migrations migrations = {all, SEQUEL_COMPONENT_COUNT};
    kin_status status = kin__context_read(&sequel->base, &read, buffer_source(&file), NULL, &report, &migrations);
    ck_assert_msg(status == KIN_OK, "%s", past_case_error);
    ck_assert_uint_eq(report.migrated, 5);
    expect_nothing(NULL);
    ck_assert(kin_record_version(NULL) == 0 && kin_record_user(NULL) == NULL);
}
END_TEST

Suite *save_migrate_suite(void)
{
    Suite *suite = suite_create("save_migrate");
    TCase *tests = tcase_create("migrate");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, evo_06_a_function_decides_what_a_field_of_another_type_becomes);
    tcase_add_test(tests, evo_05_what_does_not_fit_is_at_its_default_when_the_function_is_called);
    tcase_add_test(tests, evo_09_functions_are_called_by_chunk_then_component_then_slot);
    tcase_add_test(tests, evo_09_a_function_gives_entities_a_component_that_the_file_lacks);
    tcase_add_test(tests, evo_09_strings_and_lists_are_copied_after_each_call);
    tcase_add_test(tests, evo_09_a_function_decides_whether_a_stashed_value_stays);
    tcase_add_test(tests, evo_09_opaque_values_are_dropped_once);
    tcase_add_test(tests, evo_09_a_function_decides_about_a_value_that_load_refuses);
    tcase_add_test(tests, evo_09_relations_are_those_that_the_function_gave);
    tcase_add_test(tests, without_its_functions_a_file_of_another_shape_is_refused);
    tcase_add_test(tests, a_file_of_the_same_shape_calls_no_function);
    tcase_add_test(tests, reading_is_repeatable);
    tcase_add_test(tests, without_memory_nothing_has_changed);
    tcase_add_test(tests, a_record_gives_what_there_is_and_nothing_else);
    suite_add_tcase(suite, tests);
    return suite;
}
