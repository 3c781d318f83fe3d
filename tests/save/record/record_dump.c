// kin dump and kin diff of recordings.
#include "base/text.h"
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

static void write_recording(const char *path)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(recording.bytes, 1, recording.size, file), recording.size);
    ck_assert_int_eq(fclose(file), 0);
}

// Records a town of three citizens in a world that was begun. From frame 4 on all ages grow by `added` more.
static void record_to(const char *path, int32_t added, bool has_input)
{
    kin_record_options options = {.key_interval = 2};
    record_town(3);
    ck_assert_int_eq(record_start(&options), KIN_OK);
    for (uint32_t frame = 0; frame < 8; frame++) {
        record_static = frame < 4 ? 0 : added;
        if (frame == 2 && has_input)
            people_edit_age(people, people_entities(people, &(uint32_t){0})[0])->years = 50;
        record_frames(1, 0);
    }
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
    record_to(first, 0, true);
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

START_TEST(kin_diff_names_the_first_frame_that_differs_after_an_update)
{
    record_to(first, 0, false);
    begin_again();
    record_to(second, 1, false);
    const char *output = diff(4);
    ck_assert_has(output, "people.Age differs after the update\n");
    ck_assert_int_eq(strncmp(output, "frame ", 6), 0);
    ck_assert_int_ge(output[6], '4');
}
END_TEST

START_TEST(kin_diff_names_the_first_frame_that_differs_before_an_update)
{
    record_to(first, 0, true);
    begin_again();
    record_to(second, 0, false);
    ck_assert_int_eq(strncmp(diff(4), "frame 2: people.Age differs before the update\n", 46), 0);
}
END_TEST

START_TEST(kin_diff_finds_equal_recordings_and_one_that_was_cut_off)
{
    record_to(first, 0, true);
    write_recording(second);
    ck_assert_int_eq(strncmp(diff(0), "0 differences", 13), 0);
    recording.size -= recording.size / 4;
    write_recording(second);
    ck_assert_has(diff(4), "only the first recording has it\n");
}
END_TEST

TCase *record_dump(void)
{
    TCase *cases = tcase_create("dump");
    tcase_add_checked_fixture(cases, setup, record_end);
    tcase_add_test(cases, kin_dump_has_a_line_for_each_frame);
    tcase_add_test(cases, kin_diff_names_the_first_frame_that_differs_after_an_update);
    tcase_add_test(cases, kin_diff_names_the_first_frame_that_differs_before_an_update);
    tcase_add_test(cases, kin_diff_finds_equal_recordings_and_one_that_was_cut_off);
    return cases;
}
