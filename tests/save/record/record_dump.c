// kin dump and kin diff of recordings.
#include "base/base.h"
#include "file/file.h"
#include "generator/base/base.h"
#include "generator/program.h"
#include "generator/scratch.h"
#include "record_case.h"
#include "shell.h"

#include <stdio.h>

static const char *first, *second;

static void setup(void)
{
    record_begin();
    scratch_create();
    first = scratch_path("first.kin");
    second = scratch_path("second.kin");
}

static void teardown(void)
{
    scratch_destroy();
    record_end();
}

static void write_recording(const char *path)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(recording.bytes, 1, recording.size, file), recording.size);
    ck_assert_int_eq(fclose(file), 0);
}

typedef struct plot {
    kin_record_options options;
    uint32_t citizens, frames;
    uint32_t operations;        // at random before each frame but `input_at`, at most
    int32_t added;              // all ages grow by so much more in the last frame
    uint32_t input_at;          // a frame
    bool has_input;             // before it the first citizen becomes 50
    const char *before, *after; // saves before that frame, and after the last one; NULL: not written
} plot;

static void write_save(const char *path)
{
    kin_snapshot *moment = NULL;
    if (path == NULL)
        return;
    ck_assert_int_eq(town_world_save(recorded, &moment), KIN_OK);
    ck_assert_int_eq(town_write_path(moment, path, NULL), KIN_OK);
    kin_snapshot_destroy(moment);
}

static void record_plot(const char *path, plot plot)
{
    record_town(plot.citizens);
    ck_assert_int_eq(record_start(&plot.options), KIN_OK);
    for (uint32_t frame = 0; frame < plot.frames; frame++) {
        record_static = frame + 1 < plot.frames ? 0 : plot.added;
        if (frame == plot.input_at && plot.has_input)
            people_edit_age(people, people_entities(people, &(uint32_t){0})[0])->years = 50;
        if (frame == plot.input_at)
            write_save(plot.before);
        record_frames(1, frame == plot.input_at ? 0 : plot.operations);
    }
    write_save(plot.after);
    record_stop();
    write_recording(path);
}

static void begin_again(void)
{
    record_end();
    record_begin();
}

static const char *diff(int status)
{
    outcome outcome = run((arguments){{"diff", first, second}});
    ck_assert_str_eq(outcome.messages, "");
    ck_assert_int_eq(outcome.status, status);
    return outcome.output;
}

START_TEST(kin_dump_has_a_line_for_each_frame)
{
    record_plot(first, (plot){.citizens = 3, .frames = 8, .input_at = 2, .has_input = true});
    outcome lines = run((arguments){{"dump", first}}), info = run((arguments){{"dump", "--info", first}});
    ck_assert_int_eq(lines.status, 0);
    ck_assert_has(lines.output, "{\"frame\":0,\"delta\":");
    ck_assert_has(lines.output, "\"before\":[\"people.Age\"],");
    const char *last = strstr(lines.output, "{\"frame\":7,");
    ck_assert_ptr_nonnull(last);
    ck_assert_ptr_eq(strchr(last, '\n') + 1, last + strlen(last));
    ck_assert_has(info.output, ", 8 frames recorded, ");
}
END_TEST

// ---- without states

static void diff_plots(plot one, plot other, const char *expected)
{
    record_plot(first, one);
    begin_again();
    record_plot(second, other);
    ck_assert_str_eq(diff(4), expected);
}

START_TEST(rpl_04_without_states_kin_diff_names_frame_and_component)
{
    diff_plots((plot){.citizens = 3, .frames = 4, .input_at = 4}, (plot){.citizens = 3, .frames = 4, .added = 1},
               "frame 3: people.Age differs after the update\n1 difference in 1 component of 3 entities\n");
}
END_TEST

// Updates have changed ages before frame 2.
START_TEST(rpl_04_an_input_is_named_by_its_component_where_no_more_is_known)
{
    plot plot = {.citizens = 3, .frames = 4, .input_at = 2, .has_input = true}, other = plot;
    other.has_input = false;
    diff_plots(plot, other,
               "frame 2: people.Age differs before the update\n1 difference in 1 component of 3 entities\n");
}
END_TEST

START_TEST(rpl_04_an_input_after_a_key_is_shown)
{
    plot plot = {{.key_interval = 2}, .citizens = 3, .frames = 4, .input_at = 2, .has_input = true}, other = plot;
    other.has_input = false;
    diff_plots(plot, other,
               "frame 2, before the update:\n"
               "people 2@1          Age.years         50 -> 7\n"
               "1 difference in 1 component of 3 entities\n");
}
END_TEST

// No update but that of frame 2 has changed ages since the key, and none has changed slots.
START_TEST(rpl_04_values_that_an_update_changed_are_unknown)
{
    plot plot = {{.key_interval = 2}, .citizens = 3, .frames = 4, .input_at = 3, .has_input = true}, other = plot;
    other.has_input = false;
    diff_plots(plot, other,
               "frame 3: people.Age differs before the update\n1 difference in 1 component of 3 entities\n");
}
END_TEST

// ---- with states

// Checks that the recordings differ after the title as the saves do.
static void check_as_saves(const char *title, const char *one, const char *other)
{
    const char *output = diff(4), *saves = RUN("diff", one, other).output;
    ck_assert_int_eq(strncmp(output, title, strlen(title)), 0);
    ck_assert_str_eq(output + strlen(title), saves);
    ck_assert_has(saves, "Age.years");
}

START_TEST(rpl_04_kin_diff_shows_what_differs_after_an_update)
{
    const char *one = scratch_path("one.kin"), *other = scratch_path("other.kin");
    plot plot = {{.states = true, .key_interval = 7}, .citizens = 3, .frames = 60, .operations = 40, .input_at = 60};
    plot.after = one;
    record_plot(first, plot);
    begin_again();
    plot.after = other;
    plot.added = 1;
    record_plot(second, plot);
    check_as_saves("frame 59, after the update:\n", one, other);
}
END_TEST

START_TEST(rpl_04_kin_diff_shows_what_differs_before_an_update)
{
    const char *one = scratch_path("one.kin"), *other = scratch_path("other.kin");
    plot plot = {{.states = true}, .citizens = 3, .frames = 60, .operations = 40, .input_at = 50};
    plot.before = one;
    record_plot(first, plot);
    begin_again();
    plot.before = other;
    plot.has_input = true;
    record_plot(second, plot);
    check_as_saves("frame 50, before the update:\n", one, other);
}
END_TEST

START_TEST(kin_diff_shows_what_differs_before_the_first_frame)
{
    record_plot(first, (plot){.citizens = 3, .frames = 1, .input_at = 1});
    begin_again();
    record_plot(second, (plot){.citizens = 4, .frames = 1, .input_at = 1});
    const char *output = diff(4), *title = "before the first frame:\npeople 4@3 ";
    ck_assert_int_eq(strncmp(output, title, strlen(title)), 0);
}
END_TEST

// ---- other names

// Changes the name of a field of a message in the recording, which is not compressed.
static void rename_field(void)
{
    static const char name[] = "\6\0number";
    unsigned char *block = recording.bytes + KIN__MAGIC_SIZE;
    uint32_t size = kin__little_read_32(block + 4);
    block += KIN__BLOCK_HEAD + size; // the second block has the names
    unsigned char *payload = block + KIN__BLOCK_HEAD, *at = payload;
    size = kin__little_read_32(block + 4);
    while (memcmp(at, name, sizeof name - 1) != 0)
        at++;
    memcpy(at + 2, "NUMBER", 6);
    kin__little_write_64(block + 8, kin__block_sum("SHAP", size, 1, payload));
}

static void record_other_names(plot plot)
{
    record_plot(first, plot);
    begin_again();
    plot.added = 1;
    record_plot(second, plot);
    rename_field();
    write_recording(second);
}

START_TEST(rpl_04_recordings_with_different_names_are_compared_by_their_names)
{
    record_other_names((plot){{.states = true}, .citizens = 3, .frames = 4});
    ck_assert_str_eq(diff(4), "frame 3, after the update:\n"
                              "people 3@2          Age.years         9 -> 10\n"
                              "1 difference in 1 component of 3 entities\n");
}
END_TEST

START_TEST(frames_with_different_names_and_without_states_are_not_compared)
{
    record_other_names((plot){.citizens = 3, .frames = 4});
    ck_assert_str_eq(diff(4), "frame 0: not compared: the recordings have different names or types, and no states\n"
                              "1 difference in 0 components of 3 entities\n");
}
END_TEST

// ---- times and ends

START_TEST(kin_diff_compares_the_deltas_of_frames)
{
    record_plot(first, (plot){.citizens = 3, .frames = 4});
    begin_again();
    town_random_number++;
    record_plot(second, (plot){.citizens = 3, .frames = 4});
    ck_assert_has(diff(4), "frame 0: its delta differs: 1 -> 0\n");
}
END_TEST

START_TEST(kin_diff_finds_equal_recordings_and_one_that_was_cut_off)
{
    record_plot(first, (plot){{.key_interval = 3}, .citizens = 3, .frames = 8, .input_at = 2, .has_input = true});
    write_recording(second);
    ck_assert_int_eq(strncmp(diff(0), "0 differences", 13), 0);
    recording.size -= recording.size / 4;
    write_recording(second);
    ck_assert_has(diff(4), "only the first recording has it\n");
}
END_TEST

// Changes the kind of the first part of values in a frame, and makes the sum of the frame right.
static void spoil_part(void)
{
    uint32_t number = 0;
    for (unsigned char *block = recording.bytes + KIN__MAGIC_SIZE;; number++) {
        uint32_t size = kin__little_read_32(block + 4);
        unsigned char *payload = block + KIN__BLOCK_HEAD, *part = payload;
        while (memcmp(block, "FRAM", 4) == 0 && part + 4 < payload + size && memcmp(part, "COLM", 4) != 0)
            part++;
        if (memcmp(part, "COLM", 4) == 0) {
            part[3] = 'X';
            kin__little_write_64(block + 8, kin__block_sum("FRAM", size, number, payload));
            return;
        }
        block = payload + size;
    }
}

START_TEST(a_part_of_an_unknown_kind_is_found_by_dump_and_diff)
{
    record_plot(first, (plot){{.states = true}, .citizens = 3, .frames = 2});
    spoil_part();
    write_recording(second);
    outcome dumped = RUN("dump", second), compared = RUN("diff", first, second);
    ck_assert_int_eq(dumped.status, 1);
    ck_assert_has(dumped.messages, "it must not stand here [K1309]");
    ck_assert_int_eq(compared.status, 1);
    ck_assert_str_eq(compared.messages, dumped.messages);
}
END_TEST

TCase *record_dump(void)
{
    TCase *cases = tcase_create("dump");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, kin_dump_has_a_line_for_each_frame);
    tcase_add_test(cases, rpl_04_without_states_kin_diff_names_frame_and_component);
    tcase_add_test(cases, rpl_04_an_input_is_named_by_its_component_where_no_more_is_known);
    tcase_add_test(cases, rpl_04_an_input_after_a_key_is_shown);
    tcase_add_test(cases, rpl_04_values_that_an_update_changed_are_unknown);
    tcase_add_test(cases, rpl_04_kin_diff_shows_what_differs_after_an_update);
    tcase_add_test(cases, rpl_04_kin_diff_shows_what_differs_before_an_update);
    tcase_add_test(cases, kin_diff_shows_what_differs_before_the_first_frame);
    tcase_add_test(cases, rpl_04_recordings_with_different_names_are_compared_by_their_names);
    tcase_add_test(cases, frames_with_different_names_and_without_states_are_not_compared);
    tcase_add_test(cases, kin_diff_compares_the_deltas_of_frames);
    tcase_add_test(cases, a_part_of_an_unknown_kind_is_found_by_dump_and_diff);
    tcase_add_test(cases, kin_diff_finds_equal_recordings_and_one_that_was_cut_off);
    return cases;
}
