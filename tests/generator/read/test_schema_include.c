// Schema includes: the files of a package and their order. Refused includes are in tests/bad.
#include "generator/read/read.h"
#include "generator/reading.h"
#include "generator/scratch.h"
#include "suites.h"

#include <check.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void begin(void)
{
    scratch_create();
    reading_begin();
}

static void end(void)
{
    reading_end();
    scratch_destroy();
}

// Writes the root of a package with one context, `game`, followed by `rest`.
static void write_root(const char *rest)
{
    scratch_write("root.yaml", arena_format(scratch_arena(),
                                            "kin: 1\npackage: arena\ncontexts: { game: { default: true } }\n%s", rest));
}

static void write_included(const char *name, const char *rest)
{
    scratch_write(name, arena_format(scratch_arena(), "kin: 1\n%s", rest));
}

static const package *read_root(void)
{
    const source *root = source_load(reading_arena(), reading_diagnostics(), scratch_path("root.yaml"));
    ck_assert_ptr_nonnull(root);
    return package_read(reading_arena(), reading_diagnostics(), root);
}

// Returns the names of the contexts, in order.
static const char *context_names(const package *package)
{
    const char *names = "";
    for (size_t i = 0; i < package->context_count; i++)
        names = arena_format(reading_arena(), "%s %s", names, package->contexts[i]->name);
    return names;
}

START_TEST(the_definitions_of_all_files_are_one_set)
{
    write_root("include: [types.yaml, deep/things.yaml]\n"
               "types: { Box: { fields: { from: Vec2 } } }\n"
               "groups: { menu_things: { context: menu, all: [Thing] } }\n");
    write_included("types.yaml", "types: { Vec2: { fields: { x: float } } }\n");
    write_included("deep/things.yaml", "include: [menu.yaml]\n"
                                       "components: { Thing: { contexts: [menu, game], fields: { box: Box } } }\n"
                                       "groups: { game_things: { all: [Thing], none: [Hidden] } }\n");
    write_included("deep/menu.yaml", "contexts: { menu: {} }\ncomponents: { Hidden: {} }\n");
    const package *package = read_root();
    reading_expect_nothing();
    ck_assert_str_eq(context_names(package), " game menu");
    ck_assert_str_eq(package->components[0]->name, "Hidden");
    ck_assert_ptr_eq(package->components[0]->contexts[0], package->contexts[0]);
    ck_assert_uint_eq(package->components[1]->context_count, 2);
    ck_assert_str_eq(package->definitions[0]->name, "Vec2");
    ck_assert_str_eq(package->groups[0]->name, "game_things");
    ck_assert_ptr_eq(package->groups[1]->context, package->contexts[1]);
}
END_TEST

START_TEST(files_are_loaded_where_they_are_named_each_before_the_next)
{
    write_root("include: [a.yaml, d.yaml]\n");
    write_included("a.yaml", "contexts: { one: {} }\ninclude: [b.yaml, c.yaml]\n");
    write_included("b.yaml", "contexts: { two: {} }\n");
    write_included("c.yaml", "contexts: { three: {} }\n");
    write_included("d.yaml", "contexts: { four: {} }\n");
    const package *package = read_root();
    reading_expect_nothing();
    ck_assert_str_eq(context_names(package), " game one two three four");
}
END_TEST

START_TEST(a_file_that_is_included_again_is_skipped)
{
    write_root("include: [deep/a.yaml, b.yaml, b.yaml, ./b.yaml, deep/../b.yaml, symbolic.yaml, hard.yaml]\n");
    write_included("b.yaml", "components: { B: {} }\n");
    write_included("deep/a.yaml", "include: [../b.yaml]\ncomponents: { A: {} }\n");
    ck_assert_int_eq(symlink("b.yaml", scratch_path("symbolic.yaml")), 0);
    ck_assert_int_eq(link(scratch_path("b.yaml"), scratch_path("hard.yaml")), 0);
    const package *package = read_root();
    reading_expect_nothing();
    ck_assert_uint_eq(package->component_count, 2);
}
END_TEST

START_TEST(a_file_that_is_not_a_schema_is_reported_once)
{
    write_root("include: [a.yaml, a.yaml]\ncomponents: { C: { fields: { x: DeclaredThere } } }\n");
    scratch_write("a.yaml", "");
    ck_assert_ptr_null(read_root());
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 1);
}
END_TEST

START_TEST(only_regular_files_can_be_included)
{
    write_root("include: [pipe, loop.yaml, folder, deep/again/again/b.yaml]\n");
    write_included("deep/b.yaml", "components: { B: {} }\n");
    ck_assert_int_eq(mkfifo(scratch_path("pipe"), 0600), 0);
    ck_assert_int_eq(symlink("loop.yaml", scratch_path("loop.yaml")), 0);
    ck_assert_int_eq(mkdir(scratch_path("folder"), 0700), 0);
    ck_assert_int_eq(symlink(".", scratch_path("deep/again")), 0);
    ck_assert_ptr_null(read_root());
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 3);
    const char *printed = reading_printed();
    ck_assert_ptr_nonnull(strstr(printed, "/pipe': Not a regular file [K0701]\n"));
    ck_assert_ptr_nonnull(strstr(printed, "/loop.yaml': Too many levels of symbolic links [K0701]\n"));
    ck_assert_ptr_nonnull(strstr(printed, "/folder': Is a directory [K0701]\n"));
}
END_TEST

START_TEST(links_to_a_parent_folder_do_not_lengthen_a_cycle)
{
    write_root("include: [deep/again/a.yaml]\n");
    write_included("deep/a.yaml", "include: [again/again/a.yaml]\n");
    ck_assert_int_eq(symlink(".", scratch_path("deep/again")), 0);
    ck_assert_ptr_null(read_root());
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 1);
    ck_assert_ptr_nonnull(strstr(reading_printed(), "deep/again/a.yaml' includes itself"));
}
END_TEST

// Writes the files 1.yaml to `depth`.yaml. Each is included by the previous one, the first by the root.
static void write_chain(int depth)
{
    write_root("include: [1.yaml]\n");
    for (int i = 1; i < depth; i++)
        write_included(arena_format(scratch_arena(), "%d.yaml", i),
                       arena_format(scratch_arena(), "include: [%d.yaml]\n", i + 1));
    write_included(arena_format(scratch_arena(), "%d.yaml", depth), "components: { Deepest: {} }\n");
}

START_TEST(files_include_files_32_deep_and_no_deeper)
{
    write_chain(32);
    ck_assert_str_eq(read_root()->components[0]->name, "Deepest");
    reading_expect_nothing();
    write_chain(33);
    ck_assert_ptr_null(read_root());
    ck_assert_str_eq(reading_printed(),
                     arena_format(reading_arena(),
                                  "%s:2:11: error: includes nested too deep; at most 32 levels are allowed [K0704]\n"
                                  "    2 | include: [33.yaml]\n"
                                  "      |           ^^^^^^^\n",
                                  scratch_path("32.yaml")));
}
END_TEST

START_TEST(a_cycle_is_reported_as_a_cycle_at_any_depth)
{
    write_chain(32);
    write_included("32.yaml", "include: [31.yaml]\n");
    ck_assert_ptr_null(read_root());
    ck_assert_str_eq(reading_printed(),
                     arena_format(reading_arena(),
                                  "%s:2:11: error: '%s' includes itself: %s -> %s -> %s [K0703]\n"
                                  "    2 | include: [31.yaml]\n"
                                  "      |           ^^^^^^^\n",
                                  scratch_path("32.yaml"), scratch_path("31.yaml"), scratch_path("31.yaml"),
                                  scratch_path("32.yaml"), scratch_path("31.yaml")));
}
END_TEST

// Reads a root in a folder of its own that includes `path`; `allowed` are the folders outside it to include from.
static const package *read_nested(const char *path, const schema_folders *allowed)
{
    scratch_write(
        "set/root.yaml",
        arena_format(scratch_arena(), "kin: 1\npackage: arena\ncontexts: { game: {} }\ninclude: [%s]\n", path));
    const source *root = source_load(reading_arena(), reading_diagnostics(), scratch_path("set/root.yaml"));
    return package_read_from(reading_arena(), reading_diagnostics(), root, allowed);
}

static const char *outside(const char *path)
{
    const char *carets = "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^";
    return arena_format(reading_arena(),
                        "%s:4:11: error: '%s' is outside of the folder of the root schema [K0702]\n"
                        "    4 | include: [%s]\n"
                        "      |           %.*s move it into that folder, or allow its folder with -I\n",
                        scratch_path("set/root.yaml"), path, path, (int)strlen(path), carets);
}

static const schema_folders nowhere;

START_TEST(a_path_that_leads_out_of_the_folder_is_refused)
{
    static const char *const paths[] = {"../shared.yaml", "deep/../../shared.yaml", "/etc/passwd", "../none/x.yaml"};
    write_included("shared.yaml", "components: { A: {} }\n");
    ck_assert_ptr_null(read_nested(paths[_i], &nowhere));
    ck_assert_str_eq(reading_printed(), outside(paths[_i]));
}
END_TEST

START_TEST(a_path_that_leads_back_into_the_folder_is_accepted)
{
    write_root("");
    write_included("set/a.yaml", "components: { A: {} }\n");
    const char *absolute = scratch_path("set/a.yaml");
    const char *paths = arena_format(scratch_arena(), "../set/a.yaml, %s", absolute);
    ck_assert_ptr_nonnull(read_nested(paths, &nowhere));
    reading_expect_nothing();
}
END_TEST

START_TEST(files_in_allowed_folders_and_their_subfolders_can_be_included)
{
    write_root("");
    ck_assert_int_eq(mkdir(scratch_path("lib"), 0777), 0);
    write_included("lib/a.yaml", "include: [deep/b.yaml]\ncomponents: { A: {} }\n");
    write_included("lib/deep/b.yaml", "include: [../c.yaml]\n");
    write_included("lib/c.yaml", "components: { C: {} }\n");
    const char *folders[] = {scratch_path("none"), scratch_path("lib/")};
    const package *package = read_nested("../lib/a.yaml", &(schema_folders){folders, 2});
    reading_expect_nothing();
    ck_assert_uint_eq(package->component_count, 2);
    ck_assert_ptr_nonnull(read_nested(scratch_path("lib/c.yaml"), &(schema_folders){folders, 2}));
    write_included("library/d.yaml", "components: { D: {} }\n");
    ck_assert_ptr_null(read_nested("../library/d.yaml", &(schema_folders){folders, 2}));
    ck_assert_str_eq(reading_printed(), outside("../library/d.yaml"));
}
END_TEST

Suite *schema_include_suite(void)
{
    Suite *suite = suite_create("schema_include");
    TCase *tests = tcase_create("schema_include");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, the_definitions_of_all_files_are_one_set);
    tcase_add_test(tests, files_are_loaded_where_they_are_named_each_before_the_next);
    tcase_add_test(tests, a_file_that_is_included_again_is_skipped);
    tcase_add_test(tests, a_file_that_is_not_a_schema_is_reported_once);
    tcase_add_test(tests, only_regular_files_can_be_included);
    tcase_add_test(tests, links_to_a_parent_folder_do_not_lengthen_a_cycle);
    tcase_add_test(tests, files_include_files_32_deep_and_no_deeper);
    tcase_add_test(tests, a_cycle_is_reported_as_a_cycle_at_any_depth);
    tcase_add_loop_test(tests, a_path_that_leads_out_of_the_folder_is_refused, 0, 4);
    tcase_add_test(tests, a_path_that_leads_back_into_the_folder_is_accepted);
    tcase_add_test(tests, files_in_allowed_folders_and_their_subfolders_can_be_included);
    suite_add_tcase(suite, tests);
    return suite;
}
