// Reading files of an earlier version of the schema: what past.yaml wrote, with present.yaml.
#include "../suites.h"
#include "base/base.h"
#include "file/file.h"
#include "past_make.h"
#include "scarce.h"

#include <present/present.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static buffer file;
static present_context *present;
static kin_snapshot *read;
static kin_read_report report;

static void setup(void)
{
    kin_context_options options = past_case_options();
    memset(&file, 0, sizeof file);
    present = present_context_create(&options);
    read = NULL;
    past_make_begin();
}

static void teardown(void)
{
    past_make_end();
    kin_snapshot_destroy(read);
    present_context_destroy(present);
    buffer_release(&file);
}

static kin_status read_with(const kin_read_options *options)
{
    past_make_write(&file);
    past_case_error[0] = '\0';
    return kin_context_read(&present->base, &read, buffer_source(&file), options, &report);
}

static present_entity restored(kin_entity entity)
{
    kin_status status = read_with(NULL);
    ck_assert_msg(status == KIN_OK, "%s", past_case_error);
    ck_assert_int_eq(present_restore(present, read, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert(kin_entity_is_alive(&present->base, entity));
    return (present_entity){entity};
}

static void expect_refused(kin_status status, const char *text)
{
    ck_assert_int_eq(read_with(NULL), status);
    ck_assert_msg(strstr(past_case_error, text) != NULL, "%s", past_case_error);
    ck_assert_ptr_null(read);
}

START_TEST(evo_01_fields_are_found_by_the_names_of_before)
{
    kin_entity entity = past_make_entity();
    past_make_speed(entity, 1.5f, -2, 200);
    present_entity now = restored(entity);
    const Velocity *velocity = present_get_velocity(present, now);
    ck_assert_ptr_nonnull(velocity);
    ck_assert(velocity->by.east == 1.5 && velocity->by.y == -2 && velocity->turns == 200);
}
END_TEST

START_TEST(evo_02_what_the_file_lacks_is_not_there_or_has_its_default)
{
    kin_entity entity = past_make_entity();
    past_make_health(entity, 12, 0);
    past_make_frozen(entity);
    past_make_speed(entity, 0, 0, 1);
    present_entity now = restored(entity);
    ck_assert(!present_has_new(present, now));
    ck_assert_int_eq(present_get_health(present, now)->points, 12);
    ck_assert_int_eq(present_get_health(present, now)->shield, 50);
    ck_assert_int_eq(present_get_still(present, now)->since, 7);
    ck_assert(present_get_velocity(present, now)->by.z == 4);
    ck_assert_uint_eq(report.defaulted, 3);
}
END_TEST

START_TEST(evo_03_what_is_given_up_is_dropped)
{
    kin_entity entity = past_make_entity();
    past_make_health(entity, 1, 99);
    past_make_mana(entity);
    restored(entity);
    ck_assert_uint_eq(report.dropped, 2);
    ck_assert_uint_eq(report.entities, 1);
}
END_TEST

// SHAP of a file of another past: the name of a component and that of a field are replaced by names of equal length.
static void rename_in_file(const char *from, const char *to)
{
    size_t at = KIN__MAGIC_SIZE + KIN__BLOCK_HEAD + kin__little_read_32(file.bytes + KIN__MAGIC_SIZE + 4);
    unsigned char *block = file.bytes + at, *names = block + KIN__BLOCK_HEAD;
    uint32_t size = kin__little_read_32(block + 4);
    size_t length = strlen(from), i = 0;
    while (i + length < size && memcmp(names + i, from, length) != 0)
        i++;
    ck_assert_uint_lt(i + length, size);
    memcpy(names + i, to, length);
    kin__little_write_64(block + 8, kin__block_sum("SHAP", size, 1, names));
}

START_TEST(evo_03_what_the_schema_does_not_know_is_refused_or_dropped_on_demand)
{
    kin_read_options options = {.drop_unknown = true};
    kin_entity entity = past_make_entity();
    past_make_mana(entity);
    past_make_wide(entity, 1, 2, 3);
    past_make_write(&file);
    rename_in_file("Mana", "Mant");
    rename_in_file("small", "smalm");
    ck_assert_int_eq(kin_context_read(&present->base, &read, buffer_source(&file), NULL, &report), KIN_ERROR_SHAPE);
    ck_assert_ptr_nonnull(strstr(past_case_error, "Mant, Wide.smalm"));
    ck_assert_ptr_nonnull(strstr(past_case_error, "[K1305]"));
    ck_assert_int_eq(kin_context_read(&present->base, &read, buffer_source(&file), &options, &report), KIN_OK);
    ck_assert_uint_eq(report.dropped, 2);
}
END_TEST

// HEAD of a file of a later version of the schema.
static void set_version_of_file(uint32_t version)
{
    unsigned char *block = file.bytes + KIN__MAGIC_SIZE, *head = block + KIN__BLOCK_HEAD;
    kin__little_write_32(head + 4, version);
    kin__little_write_64(block + 8, kin__block_sum("HEAD", kin__little_read_32(block + 4), 0, head));
}

START_TEST(evo_03_a_file_of_a_newer_version_asks_for_a_newer_program)
{
    kin_entity entity = past_make_entity();
    past_make_mana(entity);
    past_make_write(&file);
    set_version_of_file(1000);
    ck_assert_int_eq(kin_context_read(&present->base, &read, buffer_source(&file), NULL, &report), KIN_OK);
    rename_in_file("Mana", "Mant");
    ck_assert_int_eq(kin_context_read(&present->base, &read, buffer_source(&file), NULL, &report), KIN_ERROR_SHAPE);
    ck_assert_ptr_nonnull(
        strstr(past_case_error, "it has Mant, which the schema lacks; the file is of version 1000, and "));
    ck_assert_ptr_nonnull(strstr(past_case_error, "use a newer program"));
}
END_TEST

START_TEST(evo_04_numbers_become_wider)
{
    kin_entity entity = past_make_entity();
    past_make_place(entity, 0.1f, 3, -300);
    past_make_memo(entity, "a", UINT32_MAX);
    past_make_look(entity, "m", 0.25f);
    present_entity now = restored(entity);
    ck_assert(present_get_place(present, now)->at.east == (double)0.1f);
    ck_assert_int_eq(present_get_place(present, now)->cell, -300);
    ck_assert(present_get_memo(present, now)->number == UINT32_MAX);
    ck_assert(present_get_look(present, now)->size == 0.25);
    ck_assert_uint_eq(report.converted, 3);
}
END_TEST

START_TEST(evo_04_enums_are_read_by_name_and_bools_as_numbers)
{
    kin_entity entity = past_make_entity();
    past_make_team(entity, PAST_RED, true);
    present_entity now = restored(entity);
    ck_assert_int_eq((int)present_get_team(present, now)->side, SIDE_CRIMSON);
    ck_assert_int_eq(present_get_team(present, now)->ready, 1);
}
END_TEST

START_TEST(evo_04_arrays_become_longer)
{
    static const int32_t cells[4] = {1, 2, 3, -4};
    kin_entity entity = past_make_entity();
    past_make_grid(entity, cells, 0);
    present_entity now = restored(entity);
    const Grid *grid = present_get_grid(present, now);
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(grid->cells[i], i < 4 ? cells[i] : 0);
    ck_assert(grid->spots[0].east == 1 && grid->spots[0].y == 2);
    ck_assert_str_eq(grid->label, "grid");
}
END_TEST

START_TEST(evo_04_elements_of_lists_are_converted)
{
    static const float xs[] = {1, 2.5f, -3};
    kin_entity entity = past_make_entity();
    past_make_path(entity, xs, 3);
    present_entity now = restored(entity);
    const Path *path = present_get_path(present, now);
    ck_assert_uint_eq(path->stops.count, 3);
    ck_assert_uint_eq(path->sides.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert(path->stops.at[i].east == (double)xs[i] && path->stops.at[i].y == 1);
        ck_assert_int_eq((int)path->sides.at[i], SIDE_CRIMSON);
    }
}
END_TEST

START_TEST(evo_04_evo_05_arrays_become_lists_and_lists_arrays)
{
    static const int32_t row[3] = {7, 0, -9};
    static const uint8_t many[3] = {1, 2, 3};
    kin_entity entity = past_make_entity();
    past_make_shift(entity, row, many, 2);
    present_entity now = restored(entity);
    const Shift *shift = present_get_shift(present, now);
    ck_assert_uint_eq(shift->row.count, 3);
    ck_assert(shift->row.at[0] == 7 && shift->row.at[1] == 0 && shift->row.at[2] == -9);
    ck_assert_uint_eq(shift->one.count, 1);
    ck_assert(shift->one.at[0] == 1.5f);
    ck_assert(shift->many[0] == 1 && shift->many[1] == 2);
    kin_snapshot_destroy(read);
    read = NULL;
    past_make_shift(entity, row, many, 3);
    expect_refused(KIN_ERROR_SHAPE, "Shift.many of entity 1 in slot 0");
}
END_TEST

// Each request for memory fails once, and the snapshot stays as it was.
START_TEST(without_memory_nothing_has_changed)
{
    static const float xs[] = {1, 2};
    kin_context_options options = past_case_options();
    options.allocator = scarce_allocator();
    for (int i = 0; i < 30; i++) {
        kin_entity entity = past_make_entity();
        past_make_path(entity, xs, 2);
        past_make_name(entity, "a name", "code");
        past_make_look(entity, i % 2 == 0 ? "tree" : "house", 1);
        past_make_memo(entity, "memo", 1);
    }
    past_make_write(&file);
    present_context *poor = present_context_create(&options);
    kin_status status = KIN_ERROR_NO_MEMORY;
    for (int64_t after = 0; status != KIN_OK; after++) {
        scarce_requests = after;
        status = kin_context_read(&poor->base, &read, buffer_source(&file), NULL, NULL);
        scarce_requests = -1;
        ck_assert(status == KIN_OK || (status == KIN_ERROR_NO_MEMORY && read == NULL));
    }
    ck_assert_int_eq(present_restore(poor, read, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_uint_eq(present_entity_count(poor), 30);
    kin_snapshot_destroy(read);
    read = NULL;
    present_context_destroy(poor);
    ck_assert_uint_eq(scarce_used, 0);
}
END_TEST

START_TEST(evo_05_values_that_do_not_fit_are_refused_by_entity_and_field)
{
    static const int32_t cells[4] = {0};
    kin_entity entity = past_make_entity();
    past_make_health(entity, 127, 0);
    restored(entity);
    kin_snapshot_destroy(read);
    read = NULL;
    past_make_health(entity, 128, 0);
    expect_refused(KIN_ERROR_SHAPE,
                   "Health.hp of entity 1 in slot 0 has the value 128, which does not fit its current");
    past_make_clear(entity);
    past_make_wide(entity, 0, 0, -1);
    expect_refused(KIN_ERROR_SHAPE, "Wide.small of entity 1 in slot 0");
    past_make_wide(entity, 0, (uint64_t)1 << 63, 0);
    expect_refused(KIN_ERROR_SHAPE, "has the value 9223372036854775808, which");
    past_make_wide(entity, ((int64_t)1 << 60) + 1, 0, 0);
    expect_refused(KIN_ERROR_SHAPE, "Wide.big");
    past_make_clear(entity);
    past_make_name(entity, "a name of sixteen", "");
    expect_refused(KIN_ERROR_SHAPE, "Name.value");
    past_make_clear(entity);
    past_make_grid(entity, cells, 3);
    expect_refused(KIN_ERROR_SHAPE, "Grid.spots.x");
}
END_TEST

START_TEST(evo_05_strings_become_strings_of_another_kind)
{
    kin_entity entity = past_make_entity(), second = past_make_entity();
    past_make_name(entity, "fifteen letters", "seven");
    past_make_name(second, NULL, "");
    present_entity now = restored(entity);
    ck_assert_str_eq(present_get_name(present, now)->value, "fifteen letters");
    ck_assert_str_eq(present_get_name(present, now)->code, "seven");
    ck_assert_str_eq(present_get_name(present, (present_entity){second})->value, "");
}
END_TEST

START_TEST(evo_07_a_name_that_is_given_up_becomes_the_default)
{
    kin_entity entity = past_make_entity();
    past_make_team(entity, PAST_BLUE, false);
    present_entity now = restored(entity);
    ck_assert_int_eq((int)present_get_team(present, now)->side, SIDE_BLACK);
}
END_TEST

START_TEST(evo_11_a_file_of_another_package_is_refused)
{
    past_make_write(&file);
    file.bytes[KIN__MAGIC_SIZE + KIN__BLOCK_HEAD + 18] = 'P';
    kin__little_write_64(file.bytes + KIN__MAGIC_SIZE + 8,
                         kin__block_sum("HEAD", kin__little_read_32(file.bytes + KIN__MAGIC_SIZE + 4), 0,
                                        file.bytes + KIN__MAGIC_SIZE + KIN__BLOCK_HEAD));
    ck_assert_int_eq(kin_context_read(&present->base, &read, buffer_source(&file), NULL, NULL), KIN_ERROR_SHAPE);
    ck_assert_ptr_nonnull(strstr(past_case_error, "[K1304]"));
}
END_TEST

START_TEST(slots_of_a_blueprint_that_is_no_more_are_free_for_all)
{
    kin_entity entities[20], entity;
    for (int i = 0; i < 20; i++)
        entities[i] = past_make_citizen();
    past_make_destroy(entities[3]);
    entity = entities[0];
    past_make_write(&file);
    present_entity now = restored(entity);
    ck_assert_int_eq(present_get_health(present, now)->points, 9);
    ck_assert_uint_eq(present_entity_count(present), 19);
}
END_TEST

Suite *save_read_suite(void)
{
    Suite *suite = suite_create("save_read");
    TCase *tests = tcase_create("read");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, evo_01_fields_are_found_by_the_names_of_before);
    tcase_add_test(tests, evo_02_what_the_file_lacks_is_not_there_or_has_its_default);
    tcase_add_test(tests, evo_03_what_is_given_up_is_dropped);
    tcase_add_test(tests, evo_03_what_the_schema_does_not_know_is_refused_or_dropped_on_demand);
    tcase_add_test(tests, evo_03_a_file_of_a_newer_version_asks_for_a_newer_program);
    tcase_add_test(tests, evo_04_numbers_become_wider);
    tcase_add_test(tests, evo_04_enums_are_read_by_name_and_bools_as_numbers);
    tcase_add_test(tests, evo_04_arrays_become_longer);
    tcase_add_test(tests, evo_04_elements_of_lists_are_converted);
    tcase_add_test(tests, evo_04_evo_05_arrays_become_lists_and_lists_arrays);
    tcase_add_test(tests, without_memory_nothing_has_changed);
    tcase_add_test(tests, evo_05_values_that_do_not_fit_are_refused_by_entity_and_field);
    tcase_add_test(tests, evo_05_strings_become_strings_of_another_kind);
    tcase_add_test(tests, evo_07_a_name_that_is_given_up_becomes_the_default);
    tcase_add_test(tests, evo_11_a_file_of_another_package_is_refused);
    tcase_add_test(tests, slots_of_a_blueprint_that_is_no_more_are_free_for_all);
    suite_add_tcase(suite, tests);
    return suite;
}
