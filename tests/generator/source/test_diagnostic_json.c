// Diagnostics as JSON: an independent parser reads them, and they agree with the text form.
#include "generator/base/base.h"
#include "generator/read/read.h"
#include "generator/reading.h"
#include "generator/source/source.h"
#include "suites.h"

#include <check.h>
#include <glob.h>
#include <jansson.h>
#include <string.h>

static const source *wide_source(void)
{
    return reading_source("kin: 1\nname: \xC3\x9C flaot\n");
}

static json_t *parse(const char *line)
{
    json_error_t error;
    json_t *object = json_loadb(line, strcspn(line, "\n"), JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(object != NULL, "%s in: %s", error.text, line);
    return object;
}

// Compares the diagnostics as JSON with sorted keys.
static void expect_json(const char *expected)
{
    reading_diagnostics()->options.is_json = true;
    ck_assert_str_eq(reading_printed(), expected);
    json_decref(parse(expected));
}

START_TEST(columns_count_characters_and_the_end_is_after_the_last)
{
    diagnostic_error(reading_diagnostics(), CODE_UNKNOWN_TYPE, (span){wide_source(), 16, 21}, "unknown 'flaot'");
    diagnostic_meant(reading_diagnostics(), "float");
    expect_json(
        "{\"code\": \"K0401\", \"severity\": \"error\", \"message\": \"unknown 'flaot'\", \"file\": \"test.yaml\", "
        "\"line\": 2, \"column\": 9, \"end\": {\"line\": 2, \"column\": 14}, \"notes\": [], \"fix\": \"float\"}\n");
}
END_TEST

START_TEST(notes_have_places_and_a_hint_without_a_fix_is_a_note)
{
    const source *source = wide_source();
    diagnostic_warning(reading_diagnostics(), CODE_PADDING, (span){source, 0, 3}, "odd");
    diagnostic_hint(reading_diagnostics(), "even it");
    diagnostic_note(reading_diagnostics(), (span){source, 0, 8}, "here");
    expect_json(
        "{\"code\": \"K1005\", \"severity\": \"warning\", \"message\": \"odd\", \"file\": \"test.yaml\", \"line\": 1, "
        "\"column\": 1, \"end\": {\"line\": 1, \"column\": 4}, \"notes\": [{\"message\": \"even it\", \"file\": "
        "\"test.yaml\", \"line\": 1, \"column\": 1, \"end\": {\"line\": 1, \"column\": 4}}, {\"message\": \"here\", "
        "\"file\": \"test.yaml\", \"line\": 1, \"column\": 1, \"end\": {\"line\": 2, \"column\": 2}}], \"fix\": "
        "null}\n");
}
END_TEST

START_TEST(a_diagnostic_without_a_place_has_null)
{
    diagnostic_system_error(reading_diagnostics(), CODE_UNWRITABLE, "cannot write 'a\nb': \x1B \xFF");
    diagnostic_about(reading_diagnostics(), "a\nb");
    expect_json(
        "{\"code\": \"K0901\", \"severity\": \"error\", \"message\": \"cannot write 'a\\nb': \\u001b \xEF\xBF\xBD\", "
        "\"file\": \"a\\nb\", \"line\": null, \"column\": null, \"end\": null, \"notes\": [], \"fix\": null}\n");
}
END_TEST

START_TEST(the_count_of_omitted_diagnostics_is_an_object_too)
{
    diagnostics *diagnostics = reading_diagnostics();
    diagnostics->options.limit = 1;
    for (int i = 0; i < 3; i++)
        diagnostic_error(diagnostics, CODE_UNKNOWN_TYPE, (span){0}, "wrong");
    diagnostics->options.is_json = true;
    json_t *rest = parse(strchr(reading_printed(), '\n') + 1);
    ck_assert_str_eq(json_string_value(json_object_get(rest, "code")), "K0002");
    ck_assert_str_eq(json_string_value(json_object_get(rest, "severity")), "note");
    ck_assert_str_eq(json_string_value(json_object_get(rest, "message")),
                     "2 more errors are not shown; --max-errors 0 shows all");
    json_decref(rest);
}
END_TEST

// ---- the schemas in tests/bad

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static json_int_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

// Returns the line of the text form for a diagnostic.
static const char *line_of(const json_t *object)
{
    return arena_format(reading_arena(), "%s:%lld:%lld: %s: %s [%s]\n", text_of(object, "file"),
                        (long long)number_of(object, "line"), (long long)number_of(object, "column"),
                        text_of(object, "severity"), text_of(object, "message"), text_of(object, "code"));
}

static void expect_same(const char *as_text, const char *as_json)
{
    for (const char *line = as_json; *line != '\0'; line = strchr(line, '\n') + 1) {
        json_t *object = parse(line);
        ck_assert_uint_eq(json_object_size(object), 9);
        if (text_of(object, "file") != NULL && strpbrk(text_of(object, "message"), "\n\t") == NULL) {
            const char *expected = line_of(object), *found = strstr(as_text, expected);
            ck_assert_msg(found != NULL, "not in the text: %s", expected);
            as_text = found;
        }
        json_decref(object);
    }
}

static void read_bad(const char *path)
{
    reading_begin();
    package_read(reading_arena(), reading_diagnostics(), source_load(reading_arena(), reading_diagnostics(), path));
    const char *as_text = reading_printed();
    reading_diagnostics()->options.is_json = true;
    expect_same(as_text, reading_printed());
}

START_TEST(every_bad_schema_has_the_same_diagnostics_in_json_and_text)
{
    glob_t schemas;
    ck_assert_int_eq(glob("tests/bad/*/*.yaml", 0, NULL, &schemas), 0);
    ck_assert_uint_gt(schemas.gl_pathc, 50);
    for (size_t i = 0; i < schemas.gl_pathc; i++)
        if (strncmp(schemas.gl_pathv[i], "tests/bad/content/", 18) != 0)
            read_bad(schemas.gl_pathv[i]);
    globfree(&schemas);
}
END_TEST

// ---- fixes

static const struct {
    const char *wrong, *right;
} fixed[] = {
    {"  A: { fields: { x: flaot } }", "  A: { fields: { x: float } }"},
    {"  A: { fields: { x: \"flaot[4]\" } }", "  A: { fields: { x: \"float[4]\" } }"},
    {"  A: { feilds: { x: float } }", "  A: { fields: { x: float } }"},
    {"  A: { fields: { x: entity<gmae> } }", "  A: { fields: { x: entity<game> } }"},
    {"  A: { fields: { x: 'entity<gmae>[2]' } }", "  A: { fields: { x: 'entity<game>[2]' } }"},
    {"  A: { contexts: [gmae] }", "  A: { contexts: [game] }"},
    {"  current_cell: {}", "  CurrentCell: {}"},
    {"  A: { fields: { x: { type: float, default: -Infinity } } }",
     "  A: { fields: { x: { type: float, default: -.inf } } }"},
    {"  F: {}\n  Of: { fields: { up: { type: entity<game>, reverse: below, tree: true } } }\nblueprints:\n"
     "  B: { components: { Of: {} }, children: { head: { components: { F: {} } } } }\n"
     "  C: { extends: B, children: { haed: { components: { F: {} } } } }",
     "  F: {}\n  Of: { fields: { up: { type: entity<game>, reverse: below, tree: true } } }\nblueprints:\n"
     "  B: { components: { Of: {} }, children: { head: { components: { F: {} } } } }\n"
     "  C: { extends: B, children: { head: { components: { F: {} } } } }"},
    {"  A: { flag_prefix: Can }", "  A: { flag_prefix: can }"},
    {"  Cell: { fields: { x: int32 } }\nindices: { i: { kind: multi, key: [Cel.x] } }",
     "  Cell: { fields: { x: int32 } }\nindices: { i: { kind: multi, key: [Cell.x] } }"},
    {"  Cell: { fields: { dx: int32 } }\nindices: { i: { kind: multi, key: [\"Cell.xd\"] } }",
     "  Cell: { fields: { dx: int32 } }\nindices: { i: { kind: multi, key: [\"Cell.dx\"] } }"},
};

START_TEST(a_fix_replaces_the_text_of_its_span)
{
    static const char head[] = "kin: 1\npackage: test\ncontexts: { game: {} }\ncomponents:\n";
    const source *source = reading_source(arena_format(reading_arena(), "%s%s", head, fixed[_i].wrong));
    ck_assert_ptr_null(package_read(reading_arena(), reading_diagnostics(), source));
    const diagnostic *wrong = reading_diagnostics()->first;
    ck_assert_ptr_nonnull(wrong->fix);
    const char *fixed_text = arena_format(reading_arena(), "%.*s%s%s", (int)wrong->span.start, source->bytes,
                                          wrong->fix, source->bytes + wrong->span.end);
    ck_assert_str_eq(fixed_text + sizeof head - 1, fixed[_i].right);
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 1);
}
END_TEST

Suite *diagnostic_json_suite(void)
{
    Suite *suite = suite_create("diagnostic_json");
    TCase *tests = tcase_create("diagnostic_json");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, columns_count_characters_and_the_end_is_after_the_last);
    tcase_add_test(tests, notes_have_places_and_a_hint_without_a_fix_is_a_note);
    tcase_add_test(tests, a_diagnostic_without_a_place_has_null);
    tcase_add_test(tests, the_count_of_omitted_diagnostics_is_an_object_too);
    tcase_add_test(tests, every_bad_schema_has_the_same_diagnostics_in_json_and_text);
    tcase_add_loop_test(tests, a_fix_replaces_the_text_of_its_span, 0, sizeof fixed / sizeof fixed[0]);
    suite_add_tcase(suite, tests);
    return suite;
}
