// Depfile: the rule that is written, and how an existing depfile is recognized; tests/test_makefile.c runs make on it.
#include "generator/reading.h"
#include "generator/render/render.h"
#include "suites.h"

#include <check.h>
#include <string.h>

enum { PATH_COUNT = 3 };

typedef struct outcome {
    bool is_written;
    const char *content, *faults;
} outcome;

// Renders the depfile of the paths; the first NULL ends each list.
static outcome render(const char *const outputs[PATH_COUNT], const char *const sources[PATH_COUNT])
{
    const source *list[PATH_COUNT];
    depfile depfile = {.outputs = outputs, .sources = list};
    while (depfile.output_count < PATH_COUNT && outputs[depfile.output_count] != NULL)
        depfile.output_count++;
    for (size_t *count = &depfile.source_count; *count < PATH_COUNT && sources[*count] != NULL; (*count)++)
        list[*count] = source_from_bytes(reading_arena(), sources[*count], "", 0);
    text content = text_create(reading_arena());
    bool is_written = depfile_append(&content, &depfile, reading_diagnostics());
    return (outcome){is_written, content.bytes, reading_printed()};
}

START_TEST(every_output_depends_on_every_schema)
{
    outcome outcome = render((const char *[PATH_COUNT]){"out/a/a.h", "out/a/a.c"},
                             (const char *[PATH_COUNT]){"a.yaml", "b/b.yaml", "c.yaml"});
    ck_assert(outcome.is_written);
    ck_assert_str_eq(outcome.content, "out/a/a.h out/a/a.c: a.yaml b/b.yaml c.yaml\n\nb/b.yaml:\n\nc.yaml:\n");
    ck_assert_str_eq(outcome.faults, "");
}
END_TEST

START_TEST(standard_input_is_not_a_dependency)
{
    source input = *source_from_bytes(reading_arena(), "<stdin>", "", 0);
    input.is_input = true;
    const source *sources[] = {&input, source_from_bytes(reading_arena(), "b.yaml", "", 0)};
    const char *outputs[] = {"a/a.h"};
    text content = text_create(reading_arena());
    depfile depfile = {.outputs = outputs, .output_count = 1, .sources = sources, .source_count = 2};
    ck_assert(depfile_append(&content, &depfile, reading_diagnostics()));
    ck_assert_str_eq(content.bytes, "a/a.h: b.yaml\n\nb.yaml:\n");
}
END_TEST

static const struct {
    const char *path, *as_output, *as_source;
} escaped[] = {
    {"a b", "a\\ b", "a\\ b"},
    {"#a", "\\#a", "\\#a"},
    {"a$b$", "a$$b$$", "a$$b$$"},
    {"c:/a:", "c\\:/a\\:", "c\\:/a\\:"},
    {"100%", "100\\%", "100%"},
    {"[a]*?", "[a]*?", "[a]*?"},
    {"a'b\"c|d&e(f)~@+,^!{}", "a'b\"c|d&e(f)~@+,^!{}", "a'b\"c|d&e(f)~@+,^!{}"},
    {"gr\303\266\303\237e", "gr\303\266\303\237e", "gr\303\266\303\237e"},
};

START_TEST(characters_special_to_make_are_escaped)
{
    const char *path = escaped[_i].path;
    outcome outcome = render((const char *[PATH_COUNT]){path}, (const char *[PATH_COUNT]){path});
    ck_assert(outcome.is_written);
    ck_assert_str_eq(outcome.content,
                     arena_format(reading_arena(), "%s: %s\n", escaped[_i].as_output, escaped[_i].as_source));
}
END_TEST

static const struct {
    const char *path, *shown, *what;
} unwritable[] = {
    {"a\nb", "a\\x0ab", "a control character"},
    {"a\tb", "a\\x09b", "a control character"},
    {"a=b", "a=b", "'='"},
    {"a;b", "a;b", "';'"},
    {"a\\b", "a\\b", "'\\'"},
};

START_TEST(names_that_make_cannot_read_are_refused)
{
    const char *path = unwritable[_i].path, *good = "a.yaml";
    const char *expected = arena_format(
        reading_arena(), "kin: error: '%s' cannot be written to a depfile: make cannot represent %s [K0907]\n",
        unwritable[_i].shown, unwritable[_i].what);
    outcome as_output = render((const char *[PATH_COUNT]){path, path}, (const char *[PATH_COUNT]){good});
    ck_assert(!as_output.is_written);
    ck_assert_str_eq(as_output.faults, expected);
    reading_begin();
    outcome as_source = render((const char *[PATH_COUNT]){good}, (const char *[PATH_COUNT]){good, path});
    ck_assert(!as_source.is_written);
    ck_assert_str_eq(as_source.faults, expected);
}
END_TEST

static const struct {
    const char *content;
    bool is_own;
} files[] = {
    {"", true},
    {"a/a.h a/a_types.h: a.yaml\n", true},
    {"a/a.h:", false},
    {"out/arena/arena.h out/arena/arena.c: x", true},
    {"odd\\ out\\:/arena/arena.h x", true},
    {"odd\\ arena/arena.h x", false},
    {"/arena/arena.h x", true},
    {"xarena/arena.h x", false},
    {"arena.h x", false},
    {"/.h x", false},
    {"//.h x", false},
    {".h x", false},
    {"h", false},
    {" ", false},
    {"\n", false},
    {"a/a.c x", false},
    {"kin: 1\npackage: a\n", false},
    {"all: program\n", false},
};

START_TEST(a_depfile_is_recognized_by_its_first_output)
{
    ck_assert_int_eq(depfile_is_own(files[_i].content, strlen(files[_i].content)), files[_i].is_own);
}
END_TEST

Suite *depfile_suite(void)
{
    Suite *suite = suite_create("depfile");
    TCase *tests = tcase_create("depfile");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, every_output_depends_on_every_schema);
    tcase_add_test(tests, standard_input_is_not_a_dependency);
    tcase_add_loop_test(tests, characters_special_to_make_are_escaped, 0, sizeof escaped / sizeof *escaped);
    tcase_add_loop_test(tests, names_that_make_cannot_read_are_refused, 0, sizeof unwritable / sizeof *unwritable);
    tcase_add_loop_test(tests, a_depfile_is_recognized_by_its_first_output, 0, sizeof files / sizeof *files);
    suite_add_tcase(suite, tests);
    return suite;
}
