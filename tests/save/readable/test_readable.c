// What is written can be read (FIL-07): random worlds with values that no file can have are refused when they are
// written, by entity and field, or read as they were.
#include "../../suites.h"
#include "generator/scratch.h"
#include "oddity_case.h"
#include "save/buffer.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum { WORLDS = 400, FRAMES = 12 };

static oddity_world *other;
static buffer file, again;
static const char *path;

static void setup(void)
{
    memset(&file, 0, sizeof file);
    memset(&again, 0, sizeof again);
    scratch_create();
    path = scratch_path("save");
    other = oddity_case_make();
    oddity_case_begin(0, 0);
}

static void teardown(void)
{
    oddity_case_end();
    oddity_world_destroy(other);
    buffer_release(&file);
    buffer_release(&again);
    scratch_destroy();
}

// ---- saves

static void check_read(const kin_snapshot *saved)
{
    kin_snapshot *read = NULL;
    kin_status status = oddity_read(other, &read, buffer_source(&file), NULL, NULL);
    ck_assert_msg(status == KIN_OK, "%s", message);
    ck_assert_uint_eq(kin_snapshot_compare(saved, read, NULL, NULL), 0);
    ck_assert_int_eq(kin_snapshot_write(read, buffer_sink(&again), NULL), KIN_OK);
    ck_assert_uint_eq(again.size, file.size);
    ck_assert_mem_eq(again.bytes, file.bytes, file.size);
    ck_assert_int_eq(oddity_world_restore(other, read, KIN_RESTORE_EXACTLY), KIN_OK);
    kin_snapshot_destroy(read);
}

// Writes and reads the world. It is refused if and only if something was planted; then the former file stays.
static void write_and_read(void)
{
    kin_snapshot *saved = NULL, *former = NULL;
    scratch_write("save", "former");
    file.size = again.size = 0;
    ck_assert_int_eq(oddity_world_save(odd_world, &saved), KIN_OK);
    kin_status status = oddity_write(saved, buffer_sink(&file), NULL);
    ck_assert_int_eq(oddity_write_path(saved, path, NULL), status);
    if (planted_count == 0) {
        ck_assert_msg(status == KIN_OK, "%s", message);
        check_read(saved);
        ck_assert_int_eq(oddity_read_path(other, &former, path, NULL, NULL), KIN_OK);
    } else {
        ck_assert_int_eq(status, KIN_ERROR_INVALID);
        check_names_planted();
        ck_assert_str_eq(scratch_read("save"), "former");
    }
    kin_snapshot_destroy(former);
    kin_snapshot_destroy(saved);
}

START_TEST(fil_07_a_random_world_is_read_as_it_was_or_refused_by_field)
{
    uint32_t refused = 0;
    for (int i = 0; i < WORLDS; i++) {
        oddity_case_begin((uint64_t)i * 7919 + 1, i % 2 == 0 ? 0 : 40 + odd_below(200));
        for (uint32_t k = 1 + odd_below(30); k > 0; k--)
            odd_below(4) == 0 ? odd_publish() : odd_change();
        write_and_read();
        refused += planted_count > 0;
    }
    ck_assert_int_gt(refused, WORLDS / 4);
}
END_TEST

// Adds one value to an empty world, which is refused with this text.
static void check_refused(const char *text)
{
    kin_snapshot *saved = NULL;
    ck_assert_int_eq(oddity_world_save(odd_world, &saved), KIN_OK);
    ck_assert_int_eq(oddity_write(saved, buffer_sink(&file), NULL), KIN_ERROR_INVALID);
    ck_assert_msg(strstr(message, text) != NULL, "%s", message);
    kin_snapshot_destroy(saved);
}

START_TEST(fil_07_the_message_names_entity_component_field_and_element)
{
    field_create_entity(field);
    field_entity entity = field_create_entity(field);
    Tag tags[2] = {{.t = "one"}, {.t = "two"}};
    memset(tags[1].t, 'x', sizeof tags[1].t);
    field_add_tags(field, entity, (Tags){.all = {tags, 2}});
    check_refused("element 1 of Tags.all.t of entity 2 in slot 1 of 'field' has no NUL");
}
END_TEST

START_TEST(fil_07_a_message_is_named_with_its_system)
{
    oddity_publish_said(odd_world, (Said){.who = {77}});
    check_refused("Said.who of a message that waits for 'early/Hear' is no handle");
}
END_TEST

START_TEST(fil_07_a_clock_that_is_not_finite_is_named)
{
    oddity_world_update(odd_world, DBL_MAX);
    oddity_world_update(odd_world, DBL_MAX);
    check_refused("the time of 'the world' is not a finite number");
    oddity_world_set_time(odd_world, 7);
    planted_count = 0;
    write_and_read();
}
END_TEST

START_TEST(fil_07_a_save_function_keeps_its_contract)
{
    field_entity entity = field_create_entity(field);
    field_add_flask(field, entity, (Flask){{-1}});
    check_refused("Flask.vial of entity 1 in slot 0 of 'field' needs more than 65536 bytes");
    field_replace_flask(field, entity, (Flask){{1000}});
    check_refused("the save function of an opaque field of Flask");
}
END_TEST

START_TEST(fil_07_keys_of_values_that_were_edited_are_single)
{
    field_entity one = field_create_entity(field), two = field_create_entity(field);
    field_add_cell(field, one, (Cell){1});
    field_add_cell(field, two, (Cell){2});
    field_edit_cell(field, two)->x = 1;
    check_refused("entity 1 in slot 0 and entity 2 in slot 1 of 'field' both have cells");
    field_edit_cell(field, two)->x = 3;
    write_and_read();
}
END_TEST

// ---- the page

static void make_label(field_entity entity)
{
    Label label;
    memset(label.text, 'x', sizeof label.text);
    field_add_label(field, entity, label);
}

static void make_lamp(field_entity entity)
{
    Lamp lamp;
    memset(&lamp, 2, sizeof lamp);
    field_add_lamp(field, entity, lamp);
}

static void make_aim(field_entity entity)
{
    field_add_aim(field, entity, (Aim){.at = {5}});
}

static void make_time(field_entity entity)
{
    (void)entity;
    oddity_world_update(odd_world, DBL_MAX);
    oddity_world_update(odd_world, DBL_MAX);
}

static void make_large_flask(field_entity entity)
{
    field_add_flask(field, entity, (Flask){{-1}});
}

static void make_changing_flask(field_entity entity)
{
    field_add_flask(field, entity, (Flask){{1000}});
}

static void make_cells(field_entity entity)
{
    field_add_cell(field, entity, (Cell){1});
    field_entity second = field_create_entity(field);
    field_add_cell(field, second, (Cell){2});
    field_edit_cell(field, second)->x = 1;
}

// Returns how many rows the table of the page has that begins with this line.
static uint32_t count_rows(const char *page, const char *head)
{
    uint32_t rows = 0;
    const char *at = strstr(page, head);
    ck_assert_ptr_nonnull(at);
    for (at = strchr(at, '\n') + 1; at[0] == '|'; at = strchr(at, '\n') + 1)
        rows++;
    return rows - 1; // without the line of dashes
}

START_TEST(fil_07_the_page_of_saving_lists_what_is_refused)
{
    static const struct {
        void (*make)(field_entity entity);
        const char *says;
    } rows[] = {{make_label, "has no NUL at its end"},
                {make_lamp, "is neither true nor false"},
                {make_aim, "is no handle that Kin has made"},
                {make_time, "is not a finite number"},
                {make_large_flask, "needs more than 65536 bytes"},
                {make_changing_flask, "wrote another number of bytes"},
                {make_cells, "which only one entity may have"}};
    static char page[64 * 1024];
    FILE *stream = fopen("docs/saving.md", "r");
    ck_assert_ptr_nonnull(stream);
    page[fread(page, 1, sizeof page - 1, stream)] = '\0';
    fclose(stream);
    ck_assert_uint_eq(count_rows(page, "| refused | the message says |"), sizeof rows / sizeof *rows);
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char cell[64];
        oddity_case_begin(0, 0);
        rows[i].make(field_create_entity(field));
        check_refused(rows[i].says);
        snprintf(cell, sizeof cell, "| `%s` |", rows[i].says);
        ck_assert_msg(strstr(page, cell) != NULL, "%s", cell);
    }
}
END_TEST

// ---- recordings

// Plays what was recorded, and returns how many frames there are.
static uint32_t play(void)
{
    oddity_world *played = oddity_case_make();
    kin_player *player = oddity_player_create(played, buffer_source(&file));
    uint32_t frames = 0;
    ck_assert_msg(player != NULL, "%s", message);
    message[0] = '\0';
    for (; kin_player_step(player); frames++)
        ck_assert_ptr_null(kin_player_divergence(player));
    ck_assert_str_eq(message, "");
    kin_player_destroy(player);
    oddity_world_destroy(played);
    return frames;
}

static void record_and_play(const kin_record_options *options)
{
    file.size = 0;
    bool is_ended = false;
    uint32_t frames = 0;
    ck_assert_int_eq(oddity_world_record(odd_world, buffer_sink(&file), options), KIN_OK);
    for (; frames < FRAMES && !is_ended; frames++) {
        for (uint32_t k = odd_below(4); k > 0; k--)
            odd_below(4) == 0 ? odd_publish() : odd_change();
        message[0] = '\0';
        oddity_world_update(odd_world, 0.1);
        is_ended = message[0] != '\0';
    }
    if (is_ended)
        check_names_planted();
    else
        ck_assert_int_eq(oddity_world_stop_recording(odd_world), KIN_OK);
    ck_assert(is_ended == (planted_count > 0));
    ck_assert_uint_eq(play(), frames - is_ended);
}

START_TEST(fil_07_a_recording_is_played_up_to_the_frame_that_was_refused)
{
    for (int i = 0; i < WORLDS / 4; i++) {
        const kin_record_options options = {.states = i % 4 < 2, .key_interval = (uint32_t)i % 3 * 2};
        oddity_case_begin((uint64_t)i * 104729 + 1, 0);
        odd_change();
        oddity_case_plant(i % 2 == 0 ? 0 : 60);
        record_and_play(&options);
    }
}
END_TEST

START_TEST(fil_07_a_recording_does_not_begin_in_a_world_that_cannot_be_read)
{
    field_add_aim(field, field_create_entity(field), (Aim){.at = {5}});
    ck_assert_int_eq(oddity_world_record(odd_world, buffer_sink(&file), NULL), KIN_ERROR_INVALID);
    ck_assert_msg(strstr(message, "Aim.at of entity 1 in slot 0") != NULL, "%s", message);
}
END_TEST

Suite *save_readable_suite(void)
{
    Suite *suite = suite_create("save_readable");
    TCase *tests = tcase_create("readable");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, fil_07_a_random_world_is_read_as_it_was_or_refused_by_field);
    tcase_add_test(tests, fil_07_the_message_names_entity_component_field_and_element);
    tcase_add_test(tests, fil_07_a_message_is_named_with_its_system);
    tcase_add_test(tests, fil_07_a_clock_that_is_not_finite_is_named);
    tcase_add_test(tests, fil_07_a_save_function_keeps_its_contract);
    tcase_add_test(tests, fil_07_keys_of_values_that_were_edited_are_single);
    tcase_add_test(tests, fil_07_the_page_of_saving_lists_what_is_refused);
    tcase_add_test(tests, fil_07_a_recording_is_played_up_to_the_frame_that_was_refused);
    tcase_add_test(tests, fil_07_a_recording_does_not_begin_in_a_world_that_cannot_be_read);
    suite_add_tcase(suite, tests);
    return suite;
}
