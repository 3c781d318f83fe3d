// Scaffold: the source files of systems, written once and never overwritten.
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORLD "tests/golden/world.yaml"

static const struct {
    const char *schema, *golden;
} worlds[] = {
    {WORLD, "tests/golden/scaffold_world.txt"},
    {"tests/schemas/orrery.yaml", "tests/golden/scaffold_orrery.txt"},
    {"tests/golden/swarm/swarm.yaml", "tests/golden/swarm/scaffold.txt"},
};

enum { WORLD_COUNT = sizeof worlds / sizeof *worlds };

static const char schema[] =
    "kin: 1\n"
    "package: arena\n"
    "prefix: my_\n"
    "contexts: { game: {} }\n"
    "components:\n"
    "  Grid: { layout: soa, fields: { heights: float } }\n"
    "  Team: { fields: { side: int32 } }\n"
    "  Frozen: {}\n"
    "groups: { grids: { all: [Grid, Team, Frozen] } }\n"
    "messages: { OverThere: { fields: { x: float } }, Over: {} }\n"
    "systems:\n"
    "  HTTPServer: { in: simulation, doc: \"Serves.\\nOne by one.\" }\n"
    "  Walk: { in: simulation, group: grids, roles: [update, draw], inbox: [OverThere, Over] }\n"
    "  See: { in: simulation, react: [{ group: grids }], filter: true, roles: [draw] }\n";

static void expect_part(const char *content, const char *part)
{
    ck_assert_ptr_nonnull(content);
    ck_assert_msg(strstr(content, part) != NULL, "no '%s' in '%s'", part, content);
}

START_TEST(a_file_has_the_functions_of_its_system)
{
    ck_assert_int_eq(RUN("scaffold", "-o", scratch_path("made"), worlds[_i].schema).status, 0);
    const char *command = arena_format(scratch_arena(), "cd '%s' && head -n -0 *.c", scratch_path("made"));
    ck_assert_str_eq(shell_expect(scratch_arena(), command), shell_read(scratch_arena(), worlds[_i].golden));
}
END_TEST

START_TEST(scaffolded_files_compile_without_a_warning)
{
    ck_assert_int_eq(RUN("scaffold", "-o", scratch_path("made"), worlds[_i].schema).status, 0);
    ck_assert_int_eq(RUN("generate", "-o", scratch_path("generated"), worlds[_i].schema).status, 0);
    static const char *const compilers[] = {"gcc -std=c11", "clang -std=c17"};
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
        shell_expect(scratch_arena(),
                     arena_format(scratch_arena(),
                                  "here=$PWD; cd '%s' && %s -Wall -Wextra -Wpedantic -Wconversion -Wshadow "
                                  "-Wstrict-prototypes -Wmissing-prototypes -Werror -I$here/runtime/include "
                                  "-I../generated -c *.c",
                                  scratch_path("made"), compilers[i]));
}
END_TEST

START_TEST(names_have_the_prefix_and_columns_are_those_of_the_iterator)
{
    scratch_write("arena.yaml", schema);
    ck_assert_int_eq(RUN("scaffold", "-o", scratch_path("made"), scratch_path("arena.yaml")).status, 0);
    const char *server = scratch_read("made/http_server.c"), *walk = scratch_read("made/walk.c");
    expect_part(server, "// HTTPServer: a plain system of arena.\n// Serves.\n// One by one.\n#include");
    expect_part(server, "#include \"arena/arena.h\"\n");
    expect_part(server, "\nvoid my_http_server_execute(my_arena_world *world, const kin_tick *tick)\n");
    expect_part(walk, "\nvoid my_walk_on_over_there(my_arena_world *world, const my_OverThere *message)\n");
    expect_part(walk, "\nvoid my_walk_on_over(my_arena_world *world)\n");
    expect_part(walk, "\nvoid my_walk_update(my_arena_world *world, my_walk_iter *it, const kin_tick *tick)\n");
    expect_part(walk, "            my_game_entity entity = my_walk_at(it, i);\n");
    expect_part(walk, "            (void)it->grid.heights[i];\n            (void)it->team[i];\n        }\n");
    expect_part(walk, "\nvoid my_walk_draw(my_arena_world *world, const my_game_entity *entities, uint32_t count)\n");
    const char *see = scratch_read("made/see.c");
    expect_part(see, "\nvoid my_see_execute(my_arena_world *world, const my_game_entity *entities, uint32_t count)\n");
    expect_part(see, "\nbool my_see_filter(my_arena_world *world, my_game_entity entity)\n");
    expect_part(see, "\nvoid my_see_draw(my_arena_world *world)\n");
}
END_TEST

START_TEST(existing_files_are_left_unchanged)
{
    scratch_write("arena.yaml", schema);
    scratch_write("made/walk.c", "mine\n");
    ck_assert_int_eq(symlink(scratch_path("nowhere"), scratch_path("made/see.c")), 0);
    const char *directory = scratch_path("made");
    const char *first =
        arena_format(scratch_arena(), "A %s/http_server.c\n= %s/walk.c\n= %s/see.c\n", directory, directory, directory);
    const char *second =
        arena_format(scratch_arena(), "= %s/http_server.c\n= %s/walk.c\n= %s/see.c\n", directory, directory, directory);
    check_outcome(RUN("scaffold", "-o", directory, scratch_path("arena.yaml")), 0, first, "");
    check_outcome(RUN("scaffold", "-o", directory, scratch_path("arena.yaml")), 0, second, "");
    ck_assert_str_eq(scratch_read("made/walk.c"), "mine\n");
    ck_assert_ptr_null(scratch_read("nowhere"));
    ck_assert_int_eq(unlink(scratch_path("made/http_server.c")), 0);
    check_outcome(RUN("scaffold", "-o", directory, scratch_path("arena.yaml")), 0, first, "");
}
END_TEST

START_TEST(files_are_written_to_systems_unless_another_directory_is_given)
{
    scratch_write("arena.yaml", schema);
    const char *command = arena_format(scratch_arena(),
                                       "kin=$(realpath '%s'); cd '%s' && $kin scaffold arena.yaml && mkdir here &&"
                                       " cd here && $kin scaffold -o . ../arena.yaml && ls",
                                       program(), scratch_path(""));
    ck_assert_str_eq(shell_expect(scratch_arena(), command),
                     "A systems/http_server.c\nA systems/walk.c\nA systems/see.c\n"
                     "A http_server.c\nA walk.c\nA see.c\nhttp_server.c\nsee.c\nwalk.c\n");
}
END_TEST

START_TEST(nothing_is_written_for_an_invalid_schema_or_one_without_systems)
{
    scratch_write("tiny.yaml", tiny);
    scratch_write("wrong.yaml", "kin: 1\npackage: wrong\ncontexts: { game: {} }\nsystems: { Run: { in: nowhere } }\n");
    check_outcome(RUN("scaffold", "-o", scratch_path("made"), scratch_path("tiny.yaml")), 0, "", "");
    outcome outcome = RUN("scaffold", "-o", scratch_path("made"), scratch_path("wrong.yaml"));
    ck_assert_int_eq(outcome.status, 1);
    ck_assert_str_eq(outcome.output, "");
    expect_part(outcome.messages, "unknown node 'nowhere'");
    ck_assert_int_ne(access(scratch_path("made"), F_OK), 0);
}
END_TEST

START_TEST(if_one_file_cannot_be_written_none_is_kept)
{
    scratch_write("arena.yaml", schema);
    ck_assert_int_eq(mkdir(scratch_path("made"), 0777), 0);
    // The second of the three files does not fit.
    const char *command = arena_format(scratch_arena(),
                                       "kin=$(realpath '%s'); cd '%s' && trap '' XFSZ && ulimit -f 1 &&"
                                       " $kin scaffold -o made arena.yaml > /dev/null",
                                       program(), scratch_path(""));
    shell_result result = shell_run(scratch_arena(), command);
    ck_assert_int_eq(result.status, 3);
    expect_part(result.output, "kin: error: cannot write 'made/walk.c': File too large [K0901]\n");
    ck_assert_uint_eq(scratch_count("made"), 0);
}
END_TEST

START_TEST(a_folder_that_cannot_be_created_is_reported)
{
    scratch_write("arena.yaml", schema);
    scratch_write("file", "mine\n");
    const char *directory = scratch_path("file/made");
    check_outcome(RUN("scaffold", "-o", directory, scratch_path("arena.yaml")), 3, "",
                  arena_format(scratch_arena(), "kin: error: cannot create directory '%s': Not a directory [K0901]\n",
                               directory));
}
END_TEST

// ---- --check

static outcome check_file(const char *content)
{
    scratch_write("arena.yaml", schema);
    scratch_write("all.c", content);
    return RUN("scaffold", "--check", scratch_path("arena.yaml"), scratch_path("all.c"));
}

START_TEST(check_lists_the_functions_that_no_file_defines)
{
    check_outcome(check_file("#define my_see_draw(x) {\n"
                             "// void my_see_execute(void) {\n"
                             "/* void my_see_filter(void) { */\n"
                             "static const char text[] = \"void my_walk_on_over(void) { \\\" {\", open = '{';\n"
                             "void my_walk_on_over_there(my_arena_world *world, const my_OverThere *message);\n"
                             "static void\nother(int x)\n{\n    if (my_walk_draw(x)) {\n    }\n}\n"
                             "extern \"C\" {\nvoid my_http_server_execute(my_arena_world *world,\n"
                             "        const kin_tick *tick) // served\n{\n}\n}\n"),
                  1,
                  "void my_walk_on_over_there(my_arena_world *world, const my_OverThere *message)\n"
                  "void my_walk_on_over(my_arena_world *world)\n"
                  "void my_walk_update(my_arena_world *world, my_walk_iter *it, const kin_tick *tick)\n"
                  "void my_walk_draw(my_arena_world *world, const my_game_entity *entities, uint32_t count)\n"
                  "void my_see_execute(my_arena_world *world, const my_game_entity *entities, uint32_t count)\n"
                  "bool my_see_filter(my_arena_world *world, my_game_entity entity)\n"
                  "void my_see_draw(my_arena_world *world)\n",
                  "");
}
END_TEST

START_TEST(check_accepts_files_that_define_all_functions_and_writes_nothing)
{
    scratch_write("arena.yaml", schema);
    ck_assert_int_eq(RUN("scaffold", "-o", scratch_path("made"), scratch_path("arena.yaml")).status, 0);
    check_outcome(RUN("scaffold", "--check", scratch_path("arena.yaml"), scratch_path("made/http_server.c"),
                      scratch_path("made/walk.c"), scratch_path("made/see.c")),
                  0, "", "");
    outcome outcome = RUN("scaffold", "--check", scratch_path("arena.yaml"), scratch_path("made/http_server.c"),
                          scratch_path("made/see.c"));
    ck_assert_int_eq(outcome.status, 1);
    expect_part(outcome.output, "void my_walk_update(");
    ck_assert_ptr_null(strstr(outcome.output, "my_see"));
    ck_assert_uint_eq(scratch_count("made"), 3);
}
END_TEST

// A system may have the file that a function would have.
START_TEST(functions_that_give_keys_are_written_and_checked_too)
{
    static const char indexed[] = "kin: 1\n"
                                  "package: arena\n"
                                  "contexts: { game: {} }\n"
                                  "components: { Place: { fields: { x: int32 } }, Int: { fields: { y: int32 } } }\n"
                                  "indices:\n"
                                  "  near: { context: game, kind: multi, of: [Place, Int], key: { type: \"string[7]\","
                                  " function: cell_of } }\n"
                                  "systems: { CellOfKeys: { in: simulation } }\n";
    static const char declared[] =
        "uint32_t cell_of(const Place *place, const Int *value_2, char keys[KIN_INDEX_KEYS][8])";
    scratch_write("arena.yaml", indexed);
    outcome outcome = RUN("scaffold", "-o", scratch_path("made"), scratch_path("arena.yaml"));
    ck_assert_int_eq(outcome.status, 0);
    expect_part(outcome.output, "made/cell_of_keys.c\n");
    expect_part(outcome.output, "made/cell_of_keys__.c\n");
    expect_part(shell_read(scratch_arena(), scratch_path("made/cell_of_keys__.c")), declared);
    check_outcome(RUN("scaffold", "--check", scratch_path("arena.yaml"), scratch_path("made/cell_of_keys.c")), 1,
                  arena_format(scratch_arena(), "%s\n", declared), "");
    check_outcome(RUN("scaffold", "--check", scratch_path("arena.yaml"), scratch_path("made/cell_of_keys.c"),
                      scratch_path("made/cell_of_keys__.c")),
                  0, "", "");
}
END_TEST

// One of them has the name of the file of a system.
START_TEST(functions_that_migrate_components_are_written_and_checked_too)
{
    static const char migrated[] = "kin: 1\n"
                                   "package: arena\n"
                                   "prefix: my_\n"
                                   "contexts: { game: {} }\n"
                                   "components:\n"
                                   "  Armor: { migrate: true, fields: { x: int32 } }\n"
                                   "  HttpServer: { was: Server, migrate: true, fields: { y: int32 } }\n"
                                   "systems: { ArmorMigrate: { in: simulation } }\n";
    static const char declared[] = "bool my_armor_migrate(my_Armor *value, const kin_record *record)";
    scratch_write("arena.yaml", migrated);
    outcome outcome = RUN("scaffold", "-o", scratch_path("made"), scratch_path("arena.yaml"));
    ck_assert_int_eq(outcome.status, 0);
    expect_part(outcome.output, "made/armor_migrate.c\n");
    expect_part(shell_read(scratch_arena(), scratch_path("made/armor_migrate__.c")), declared);
    expect_part(shell_read(scratch_arena(), scratch_path("made/http_server_migrate.c")),
                "return kin_record_has(record, \"Server\");");
    check_outcome(RUN("scaffold", "--check", scratch_path("arena.yaml"), scratch_path("made/armor_migrate.c"),
                      scratch_path("made/http_server_migrate.c")),
                  1, arena_format(scratch_arena(), "%s\n", declared), "");
    ck_assert_int_eq(RUN("generate", "-o", scratch_path("generated"), scratch_path("arena.yaml")).status, 0);
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "gcc -std=c11 -Wall -Wextra -Wpedantic -Wmissing-prototypes -Werror -fsyntax-only"
                              " -Iruntime/include -Isave/include -I'%s' '%s'/*_migrate*.c '%s'/arena/arena_save.c",
                              scratch_path("generated"), scratch_path("made"), scratch_path("generated")));
}
END_TEST

START_TEST(check_survives_sources_that_end_anywhere)
{
    static const char source[] = "/* a */ void f(int x) { \"s\\\"\" '\\'' } \\ #x\n// end";
    for (size_t size = 0; size < sizeof source; size++) {
        ck_assert_int_eq(check_file(arena_copy(scratch_arena(), source, size)).status, 1);
    }
}
END_TEST

START_TEST(check_reports_a_file_that_cannot_be_read)
{
    scratch_write("arena.yaml", schema);
    check_outcome(RUN("scaffold", "--check", scratch_path("arena.yaml"), scratch_path("none.c")), 3, "",
                  arena_format(scratch_arena(), "kin: error: cannot read '%s': No such file or directory [K0101]\n",
                               scratch_path("none.c")));
}
END_TEST

Suite *scaffold_suite(void)
{
    Suite *suite = suite_create("scaffold");
    TCase *tests = tcase_create("scaffold");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, scratch_create, scratch_destroy);
    tcase_add_loop_test(tests, a_file_has_the_functions_of_its_system, 0, WORLD_COUNT);
    tcase_add_loop_test(tests, scaffolded_files_compile_without_a_warning, 0, WORLD_COUNT);
    tcase_add_test(tests, names_have_the_prefix_and_columns_are_those_of_the_iterator);
    tcase_add_test(tests, existing_files_are_left_unchanged);
    tcase_add_test(tests, files_are_written_to_systems_unless_another_directory_is_given);
    tcase_add_test(tests, nothing_is_written_for_an_invalid_schema_or_one_without_systems);
    tcase_add_test(tests, if_one_file_cannot_be_written_none_is_kept);
    tcase_add_test(tests, check_lists_the_functions_that_no_file_defines);
    tcase_add_test(tests, check_accepts_files_that_define_all_functions_and_writes_nothing);
    tcase_add_test(tests, functions_that_give_keys_are_written_and_checked_too);
    tcase_add_test(tests, functions_that_migrate_components_are_written_and_checked_too);
    tcase_add_test(tests, check_survives_sources_that_end_anywhere);
    tcase_add_test(tests, check_reports_a_file_that_cannot_be_read);
    tcase_add_test(tests, a_folder_that_cannot_be_created_is_reported);
    suite_add_tcase(suite, tests);
    return suite;
}
