// Reading files of an earlier version of the schema: what past.yaml wrote, with present.yaml.
#include "../suites.h"
#include "base/little.h"
#include "frame/format.h"
#include "past_case.h"

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
    past_case_begin(0);
}

static void teardown(void)
{
    past_case_end();
    kin_snapshot_destroy(read);
    present_context_destroy(present);
    buffer_release(&file);
}

// The package cannot have the name of another one in one program: it is changed in the file.
static void write_past(void)
{
    static const unsigned char name[] = {7, 0, 'p', 'r', 'e', 's', 'e', 'n', 't'};
    enum { AT = KIN__MAGIC_SIZE + KIN__BLOCK_HEAD + 16, OLD = 6, MORE = sizeof name - OLD };
    buffer_release(&file);
    ck_assert_int_eq(past_save(past, &past_snapshot), KIN_OK);
    past_case_write(&file);
    ck_assert_ptr_nonnull(file.bytes = realloc(file.bytes, file.size + MORE));
    memmove(file.bytes + AT + sizeof name, file.bytes + AT + OLD, file.size - AT - OLD);
    memcpy(file.bytes + AT, name, sizeof name);
    file.size += MORE;
    file.capacity = file.size;
    unsigned char *block = file.bytes + KIN__MAGIC_SIZE;
    uint32_t size = kin__little_read_32(block + 4) + MORE;
    kin__little_write_32(block + 4, size);
    kin__little_write_64(block + 8, kin__block_sum("HEAD", size, 0, block + KIN__BLOCK_HEAD));
}

static kin_status read_with(const kin_read_options *options)
{
    write_past();
    past_case_error[0] = '\0';
    return kin_context_read(&present->base, &read, buffer_source(&file), options, &report);
}

static present_entity restored(past_entity entity)
{
    kin_status status = read_with(NULL);
    ck_assert_msg(status == KIN_OK, "%s", past_case_error);
    ck_assert_int_eq(present_restore(present, read, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert(kin_entity_is_alive(&present->base, entity.id));
    return (present_entity){entity.id};
}

static void expect_refused(kin_status status, const char *text)
{
    ck_assert_int_eq(read_with(NULL), status);
    ck_assert_msg(strstr(past_case_error, text) != NULL, "%s", past_case_error);
    ck_assert_ptr_null(read);
}

START_TEST(evo_01_fields_are_found_by_the_names_of_before)
{
    past_entity entity = past_create_entity(past);
    past_add_speed(past, entity, (Speed){.v = {1.5f, -2}, .turns = 200});
    present_entity now = restored(entity);
    const Velocity *velocity = present_get_velocity(present, now);
    ck_assert_ptr_nonnull(velocity);
    ck_assert(velocity->by.east == 1.5 && velocity->by.y == -2 && velocity->turns == 200);
}
END_TEST

START_TEST(evo_02_what_the_file_lacks_is_not_there_or_has_its_default)
{
    past_entity entity = past_create_entity(past);
    past_add_health(past, entity, (Health){.hp = 12});
    past_set_frozen(past, entity, true);
    past_add_speed(past, entity, (Speed){.turns = 1});
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
    past_entity entity = past_create_entity(past);
    past_add_health(past, entity, (Health){.hp = 1, .armor = 99});
    past_add_mana(past, entity, (Mana){5});
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
    past_entity entity = past_create_entity(past);
    past_add_mana(past, entity, (Mana){5});
    past_add_wide(past, entity, (Wide){1, 2, 3});
    write_past();
    rename_in_file("Mana", "Mant");
    rename_in_file("small", "smalm");
    ck_assert_int_eq(kin_context_read(&present->base, &read, buffer_source(&file), NULL, &report), KIN_ERROR_SHAPE);
    ck_assert_ptr_nonnull(strstr(past_case_error, "Mant, Wide.smalm"));
    ck_assert_ptr_nonnull(strstr(past_case_error, "[K1305]"));
    ck_assert_int_eq(kin_context_read(&present->base, &read, buffer_source(&file), &options, &report), KIN_OK);
    ck_assert_uint_eq(report.dropped, 2);
}
END_TEST

START_TEST(evo_04_numbers_become_wider)
{
    past_entity entity = past_create_entity(past);
    past_add_place(past, entity, (Place){.at = {0.1f, 3}, .cell = -300});
    past_add_memo(past, entity, (Memo){.text = "a", .number = UINT32_MAX});
    past_add_look(past, entity, (Look){.model = "m", .size = 0.25f});
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
    past_entity entity = past_create_entity(past);
    past_add_team(past, entity, (Team){.side = SIDE_RED, .ready = true});
    present_entity now = restored(entity);
    ck_assert_int_eq((int)present_get_team(present, now)->side, 2); // Crimson, which was Red
    ck_assert_int_eq(present_get_team(present, now)->ready, 1);
}
END_TEST

START_TEST(evo_04_arrays_become_longer)
{
    past_entity entity = past_create_entity(past);
    past_add_grid(past, entity, (Grid){.cells = {1, 2, 3, -4}, .spots = {{1, 2}}, .label = "x"});
    present_entity now = restored(entity);
    const Grid *grid = NULL;
    (void)grid;
    const int64_t *cells = (const int64_t *)kin_get_component(&present->base, now.id, PRESENT_GRID);
    ck_assert_ptr_nonnull(cells);
}
END_TEST

START_TEST(evo_05_values_that_do_not_fit_are_refused_by_entity_and_field)
{
    past_entity entity = past_create_entity(past);
    past_add_health(past, entity, (Health){.hp = 127});
    restored(entity);
    kin_snapshot_destroy(read);
    read = NULL;
    past_replace_health(past, entity, (Health){.hp = 128});
    expect_refused(KIN_ERROR_SHAPE, "Health.hp of entity 1 in slot 0");
    past_remove_health(past, entity);
    past_add_wide(past, entity, (Wide){.small = -1});
    expect_refused(KIN_ERROR_SHAPE, "Wide.small of entity 1 in slot 0");
    past_replace_wide(past, entity, (Wide){.large = (uint64_t)1 << 63});
    expect_refused(KIN_ERROR_SHAPE, "Wide.large");
    past_replace_wide(past, entity, (Wide){.big = ((int64_t)1 << 60) + 1});
    expect_refused(KIN_ERROR_SHAPE, "Wide.big");
    past_remove_wide(past, entity);
    past_add_name(past, entity, (Name){.value = "a name of sixteen"});
    expect_refused(KIN_ERROR_SHAPE, "Name.value");
    past_remove_name(past, entity);
    past_add_grid(past, entity, (Grid){.spots = {{0, 0}, {1, 2}}});
    expect_refused(KIN_ERROR_SHAPE, "Grid.spots.x");
}
END_TEST

START_TEST(evo_05_strings_become_strings_of_another_kind)
{
    past_entity entity = past_create_entity(past), second = past_create_entity(past);
    past_add_name(past, entity, (Name){.value = "fifteen letters", .code = "seven"});
    past_add_name(past, second, (Name){.value = NULL, .code = ""});
    present_entity now = restored(entity);
    ck_assert_str_eq(present_get_name(present, now)->value, "fifteen letters");
    ck_assert_str_eq(present_get_name(present, now)->code, "seven");
    ck_assert_str_eq(present_get_name(present, (present_entity){second.id})->value, "");
}
END_TEST

START_TEST(evo_07_a_name_that_is_given_up_becomes_the_default)
{
    past_entity entity = past_create_entity(past);
    past_add_team(past, entity, (Team){.side = SIDE_BLUE});
    present_entity now = restored(entity);
    ck_assert_int_eq((int)present_get_team(present, now)->side, 0); // Black
}
END_TEST

START_TEST(evo_11_a_file_of_another_package_is_refused)
{
    past_case_write(&file);
    ck_assert_int_eq(kin_context_read(&present->base, &read, buffer_source(&file), NULL, NULL), KIN_ERROR_SHAPE);
    ck_assert_ptr_nonnull(strstr(past_case_error, "[K1304]"));
}
END_TEST

START_TEST(slots_of_a_blueprint_that_is_no_more_are_free_for_all)
{
    past_entity entities[20], entity;
    for (int i = 0; i < 20; i++)
        entities[i] = past_spawn_citizen(past);
    past_destroy_entity(past, entities[3]);
    entity = entities[0];
    write_past();
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
    tcase_add_test(tests, evo_04_numbers_become_wider);
    tcase_add_test(tests, evo_04_enums_are_read_by_name_and_bools_as_numbers);
    tcase_add_test(tests, evo_04_arrays_become_longer);
    tcase_add_test(tests, evo_05_values_that_do_not_fit_are_refused_by_entity_and_field);
    tcase_add_test(tests, evo_05_strings_become_strings_of_another_kind);
    tcase_add_test(tests, evo_07_a_name_that_is_given_up_becomes_the_default);
    tcase_add_test(tests, evo_11_a_file_of_another_package_is_refused);
    tcase_add_test(tests, slots_of_a_blueprint_that_is_no_more_are_free_for_all);
    suite_add_tcase(suite, tests);
    return suite;
}
