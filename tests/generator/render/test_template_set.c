// Template set: the option --templates of the program.
#include "generator/base/base.h"
#include "generator/program.h"
#include "generator/read/read.h"
#include "generator/render/internal.h"
#include "generator/scratch.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static void begin(void)
{
    scratch_create();
    scratch_write("tiny.yaml", tiny);
}

static outcome generate(void)
{
    return RUN("generate", "-q", "--templates", scratch_path("templates"), "-o", scratch_path("out"),
               scratch_path("tiny.yaml"));
}

START_TEST(a_template_of_the_folder_replaces_the_built_in_one)
{
    scratch_write("templates/save.h.mustache", "{{> mark}}\n{{> stamp}}\n// {{package}} {{> more}}");
    scratch_write("templates/more.mustache", "and {{guard}}\n");
    scratch_write("templates/README", "{{");
    check_outcome(generate(), 0, "", "");
    const char *saves = scratch_read("out/tiny/tiny_save.h");
    ck_assert_ptr_nonnull(strstr(saves, "\n// tiny and KIN_GENERATED_TINY_SAVE_H\n"));
    ck_assert_ptr_nonnull(strstr(scratch_read("out/tiny/tiny.h"), "game_add_cell"));
}
END_TEST

START_TEST(a_depfile_names_the_templates_that_were_read)
{
    scratch_write("templates/package.h.mustache", "{{> mark}}\n{{> stamp}}\n");
    const char *directory = scratch_path("templates"), *schema = scratch_path("tiny.yaml");
    ck_assert_int_eq(
        RUN("generate", "--templates", directory, "--depfile", scratch_path("d"), "-o", scratch_path("out"), schema)
            .status,
        0);
    const char *path = scratch_path("templates/package.h.mustache");
    ck_assert_ptr_nonnull(
        strstr(scratch_read("d"), arena_format(scratch_arena(), ": %s %s\n\n%s:\n", schema, path, path)));
}
END_TEST

// ---- outputs of the user's own

static outcome generate_own(const char *given)
{
    return RUN("generate", "-q", "--template", given, "-o", scratch_path("out"), "--depfile", scratch_path("d"),
               scratch_path("tiny.yaml"));
}

START_TEST(an_output_of_the_users_own_shows_the_whole_package)
{
    const char *path = scratch_path("own.txt");
    scratch_write("own.txt", "{{#contexts}}{{name}}:{{#components}} {{type}}{{/components}}{{/contexts}}\n");
    check_outcome(RUN("generate", "-q", "-o", scratch_path("out"), scratch_path("tiny.yaml")), 0, "", "");
    const char *header = scratch_read("out/tiny/tiny.h");
    check_outcome(generate_own(arena_format(scratch_arena(), "names.txt=%s", path)), 0, "", "");
    ck_assert_str_eq(scratch_read("out/tiny/names.txt"), "game: Cell Frozen\n");
    ck_assert_str_eq(scratch_read("out/tiny/tiny.h"), header);
    ck_assert_ptr_nonnull(strstr(scratch_read("d"), "/out/tiny/names.txt: "));
    ck_assert_ptr_nonnull(strstr(scratch_read("d"), arena_format(scratch_arena(), "\n%s:\n", path)));
    check_outcome(RUN("generate", "-o", scratch_path("out"), scratch_path("tiny.yaml")), 0,
                  arena_format(scratch_arena(),
                               "removed %s/tiny/names.txt\nwrote %s/tiny/.kin-manifest\n"
                               "kin: 1 written, 1 removed, 3 unchanged\n",
                               scratch_path("out"), scratch_path("out")),
                  "");
}
END_TEST

// Only C and C++ is wrapped.
START_TEST(the_lines_of_an_output_of_another_language_stay_as_they_are)
{
    char line[160];
    memset(line, 'a', sizeof line);
    line[4] = '(', line[60] = ',', line[61] = ' ', line[150] = ')', line[159] = '\0';
    scratch_write("own.txt", line);
    const char *path = scratch_path("own.txt");
    check_outcome(generate_own(arena_format(scratch_arena(), "a.py=%s", path)), 0, "", "");
    ck_assert_str_eq(scratch_read("out/tiny/a.py"), line);
    check_outcome(generate_own(arena_format(scratch_arena(), "a.hpp=%s", path)), 0, "", "");
    ck_assert_str_ne(scratch_read("out/tiny/a.hpp"), line);
}
END_TEST

START_TEST(a_change_of_a_template_of_the_users_own_is_noticed)
{
    const char *given = arena_format(scratch_arena(), "own=%s", scratch_path("own.txt"));
    scratch_write("own.txt", "{{package}}");
    check_outcome(generate_own(given), 0, "", "");
    scratch_write("own.txt", "{{package}}{{package}}");
    check_outcome(generate_own(given), 0, "", "");
    ck_assert_str_eq(scratch_read("out/tiny/own"), "tinytiny");
}
END_TEST

START_TEST(an_output_of_the_users_own_has_a_name_of_its_own)
{
    scratch_write("own.txt", "");
    outcome outcome = generate_own(arena_format(scratch_arena(), "tiny.h=%s", scratch_path("own.txt")));
    check_outcome(outcome, 1, "",
                  "kin: error: '--template tiny.h' has the name of another file of package 'tiny'; choose another name "
                  "[K0808]\n");
    ck_assert_uint_eq(scratch_count("out"), 0);
}
END_TEST

static const struct {
    const char *name, *content, *message;
} wrong[] = {
    {"package.h", "{{> mark}}\n{{> stamp}}\n  {{nothing}} here",
     "$/package.h.mustache:3:5: error: unknown name 'nothing' [K0803]\n"
     "    3 |   {{nothing}} here\n"
     "      |     ^^^^^^^\n"},
    {"package.h", "\n\xC3\x9C{{#x",
     "$/package.h.mustache:2:2: error: unclosed tag [K0801]\n"
     "    2 | \xC3\x9C{{#x\n"
     "      |  ^^\n"},
    {"opaque", "\n {{{package}}}{{/x}}",
     "$/opaque.mustache:2:15: error: section 'x' is not open here [K0801]\n"
     "    2 |  {{{package}}}{{/x}}\n"
     "      |               ^^^^^^\n"},
    {"package.h", "{{=<% %>=}}\n<%x%>",
     "$/package.h.mustache:2:3: error: unknown name 'x' [K0803]\n"
     "    2 | <%x%>\n"
     "      |   ^\n"},
    {"package.h", "{{> mark}}\n{{> stamp}}\n{{type.x}}",
     "$/package.h.mustache:3:8: error: unknown name 'x' [K0803]\n"
     "    3 | {{type.x}}\n"
     "      |        ^\n"},
    {"package.h", "{{> mark}}\n{{> stamp}}\n{{type}}",
     "$/package.h.mustache:3:1: error: unknown name 'type' [K0803]\n"
     "    3 | {{type}}\n"
     "      | ^^^^^^^^\n"},
    {"pakage.h", "",
     "$/pakage.h.mustache:1:1: error: unknown template 'pakage.h', and no other template in this directory includes it "
     "[K0802]\n"
     "    1 | \n"
     "      | ^ did you mean 'package.h'?\n"},
    {"mark", "{{nothing}}", // which every file includes
     "$/mark.mustache:1:3: error: unknown name 'nothing' [K0803]\n"
     "    1 | {{nothing}}\n"
     "      |   ^^^^^^^\n"},
};

START_TEST(an_error_in_a_template_is_reported_at_its_place_and_nothing_is_written)
{
    scratch_write(arena_format(scratch_arena(), "templates/%s.mustache", wrong[_i].name), wrong[_i].content);
    check_outcome(generate(), 1, "",
                  arena_format(scratch_arena(), "%s%s", scratch_path("templates"), wrong[_i].message + 1));
    ck_assert_uint_eq(scratch_count("out"), 0);
}
END_TEST

START_TEST(a_folder_of_templates_that_cannot_be_read_is_a_failure)
{
    check_outcome(generate(), 3, "",
                  arena_format(scratch_arena(), "kin: error: cannot read '%s': No such file or directory [K0101]\n",
                               scratch_path("templates")));
    scratch_write("templates/x", "");
    scratch_write("templates/mark.mustache/x", "");
    ck_assert_int_eq(generate().status, 3);
}
END_TEST

// ---- every key of a view is used by a built-in template

static bool uses_key(const mustache_token *token, const char *key)
{
    for (size_t i = 0; i < token->part_count; i++)
        if (strcmp(token->parts[i].name, key) == 0)
            return true;
    return false;
}

static bool is_key_used_in(const mustache_library *library, const char *key)
{
    for (size_t i = 0; i < library->count; i++) {
        mustache_program program = {0};
        mustache_error error;
        ck_assert(mustache_parse(scratch_arena(), &library->templates[i], (mustache_slice){"", 0}, &program, &error));
        for (size_t k = 0; k < program.count; k++)
            if (uses_key(&program.tokens[k], key))
                return true;
    }
    return false;
}

static bool is_key_used(const char *key)
{
    return is_key_used_in(&templates_builtin, key) || is_key_used_in(&templates_cpp, key);
}

static size_t expect_keys_used(dictionary *seen, const value *data)
{
    size_t count = 0;
    bool is_collection = data->kind == VALUE_LIST || data->kind == VALUE_MAP;
    if (data->key != NULL && dictionary_add(seen, data->key, data) == NULL) {
        ck_assert_msg(is_key_used(data->key), "no template of kin asks for '%s'", data->key);
        count++;
    }
    for (const value *item = is_collection ? data->first : NULL; item != NULL; item = item->next)
        count += expect_keys_used(seen, item);
    return count;
}

START_TEST(every_key_of_a_view_is_used_by_a_built_in_template)
{
    arena *arena = scratch_arena();
    diagnostics diagnostics = diagnostics_create(arena);
    dictionary seen = dictionary_create(arena);
    size_t count = 0;
    static const char *const schemas[] = {"everything", "keyed", "nursery", "relay"};
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        const char *path = arena_format(arena, "tests/schemas/%s.yaml", schemas[i]);
        package *package = package_read(arena, &diagnostics, source_load(arena, &diagnostics, path));
        view view = view_create(arena, package);
        view_add_cpp_face(arena, &view, package);
        view_stamp(arena, &view, 0);
        for (size_t k = 0; k < view.count; k++)
            count += expect_keys_used(&seen, view.files[k].data);
    }
    ck_assert_uint_gt(count, 100);
}
END_TEST

// A template of the folder can include a built-in one where a key of that is missing.
START_TEST(an_error_in_a_built_in_template_is_reported_too)
{
    scratch_write("templates/package.h.mustache", "{{> mark}}\n{{> stamp}}\n{{> flag}}\n");
    outcome outcome = generate();
    ck_assert_int_eq(outcome.status, 1);
    ck_assert_ptr_eq(strstr(outcome.messages, "kin: template flag:"), outcome.messages);
    ck_assert_ptr_nonnull(strstr(outcome.messages, " [K0803]\n"));
}
END_TEST

START_TEST(errors_in_both_the_schema_and_the_templates_are_reported)
{
    scratch_write("tiny.yaml", "kin: 2\n");
    scratch_write("templates/package.h.mustache", "{{");
    outcome outcome = generate();
    ck_assert_int_eq(outcome.status, 1);
    ck_assert_ptr_nonnull(strstr(outcome.messages, "tiny.yaml:1:6: error: "));
    ck_assert_ptr_nonnull(strstr(outcome.messages, "package.h.mustache:1:1: error: "));
}
END_TEST

Suite *template_set_suite(void)
{
    Suite *suite = suite_create("template_set");
    TCase *cases = tcase_create("template_set");
    tcase_add_checked_fixture(cases, begin, scratch_destroy);
    tcase_add_test(cases, a_template_of_the_folder_replaces_the_built_in_one);
    tcase_add_test(cases, a_depfile_names_the_templates_that_were_read);
    tcase_add_test(cases, an_output_of_the_users_own_shows_the_whole_package);
    tcase_add_test(cases, the_lines_of_an_output_of_another_language_stay_as_they_are);
    tcase_add_test(cases, a_change_of_a_template_of_the_users_own_is_noticed);
    tcase_add_test(cases, an_output_of_the_users_own_has_a_name_of_its_own);
    tcase_add_loop_test(cases, an_error_in_a_template_is_reported_at_its_place_and_nothing_is_written, 0,
                        sizeof wrong / sizeof *wrong);
    tcase_add_test(cases, a_folder_of_templates_that_cannot_be_read_is_a_failure);
    tcase_add_test(cases, every_key_of_a_view_is_used_by_a_built_in_template);
    tcase_add_test(cases, an_error_in_a_built_in_template_is_reported_too);
    tcase_add_test(cases, errors_in_both_the_schema_and_the_templates_are_reported);
    suite_add_tcase(suite, cases);
    return suite;
}
