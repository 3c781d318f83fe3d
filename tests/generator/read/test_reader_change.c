// Damaged schemas: every prefix of each valid schema, each with one byte changed, and each with one byte removed.
//
// All trials take twenty minutes. By default the tests run a few seconds' worth, spread over the whole schema, in `make
// check` a quarter of that; with $KIN_CHANGES set to `all`, as by `make fuzz`, they run all.
#include "generator/base/base.h"
#include "generator/scratch.h"
#include "generator/trial.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
enum { SLOWER = 6 }; // with the sanitizers
#else
enum { SLOWER = 1 };
#endif

enum {
    BYTES = 256,                   // values that a byte can be changed to
    BUDGET = 1500 * 1000 / SLOWER, // bytes read for one schema, over all trials
};

static glob_t fixtures;

static bool tries_all(void)
{
    const char *wanted = getenv("KIN_CHANGES");
    return wanted != NULL && strcmp(wanted, "all") == 0;
}

// Returns the distance between the trials to run, out of `count` that read `size` bytes each. It is odd, so that both
// the changed position and its new value vary.
static size_t step_of(size_t count, size_t size)
{
    if (tries_all())
        return 1;
    size_t budget = shell_runs_all() ? BUDGET : BUDGET / 4;
    size_t trials = budget / (size + 1) + 1;
    return count / trials | 1;
}

static text load(const char *path)
{
    text content = text_create(scratch_arena());
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be read", path);
    char bytes[4096];
    for (size_t size = fread(bytes, 1, sizeof bytes, file); size > 0; size = fread(bytes, 1, sizeof bytes, file))
        text_append(&content, bytes, size);
    fclose(file);
    return content;
}

START_TEST(every_prefix_of_a_valid_schema_passes_the_trial)
{
    const char *path = fixtures.gl_pathv[_i];
    text content = load(path);
    size_t step = step_of(content.size, content.size / 2);
    for (size_t size = 0; size <= content.size; size += step) {
        const char *wrong = trial_of_schema(path, content.bytes, size);
        ck_assert_msg(wrong == NULL, "the first %zu bytes of %s: %s", size, path, wrong);
    }
}
END_TEST

START_TEST(every_changed_byte_of_a_valid_schema_passes_the_trial)
{
    const char *path = fixtures.gl_pathv[_i];
    text content = load(path);
    size_t count = content.size * BYTES, step = step_of(count, content.size);
    for (size_t change = 0; change < count; change += step) {
        char *place = &content.bytes[change / BYTES];
        char kept = *place;
        *place = (char)(change % BYTES);
        const char *wrong = trial_of_schema(path, content.bytes, content.size);
        *place = kept;
        ck_assert_msg(wrong == NULL, "byte %zu of %s changed to 0x%02zX: %s", change / BYTES, path, change % BYTES,
                      wrong);
    }
}
END_TEST

START_TEST(every_removed_byte_of_a_valid_schema_passes_the_trial)
{
    const char *path = fixtures.gl_pathv[_i];
    text content = load(path);
    size_t step = step_of(content.size, content.size);
    char *shorter = arena_copy(scratch_arena(), content.bytes + 1, content.size - 1);
    for (size_t place = 0; place + 1 < content.size; place += step) {
        memcpy(shorter, content.bytes, place);
        memcpy(shorter + place, content.bytes + place + 1, content.size - place - 1);
        const char *wrong = trial_of_schema(path, shorter, content.size - 1);
        ck_assert_msg(wrong == NULL, "%s without byte %zu: %s", path, place, wrong);
    }
}
END_TEST

Suite *reader_change_suite(void)
{
    Suite *suite = suite_create("reader_change");
    TCase *tests = tcase_create("reader_change");
    glob("schemas/*.yaml", 0, NULL, &fixtures);
    glob("tests/schemas/*.yaml", GLOB_APPEND, NULL, &fixtures);
    glob("tests/schemas/saves/*.yaml", GLOB_APPEND, NULL, &fixtures);
    int count = (int)fixtures.gl_pathc;
    tcase_set_timeout(tests, tries_all() ? 0 : 120);
    tcase_add_checked_fixture(tests, scratch_create, scratch_destroy);
    tcase_add_loop_test(tests, every_prefix_of_a_valid_schema_passes_the_trial, 0, count);
    tcase_add_loop_test(tests, every_changed_byte_of_a_valid_schema_passes_the_trial, 0, count);
    tcase_add_loop_test(tests, every_removed_byte_of_a_valid_schema_passes_the_trial, 0, count);
    suite_add_tcase(suite, tests);
    return suite;
}
