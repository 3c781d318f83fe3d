// Symbols: the table of generated names, and the collisions in it.
#include "generator/read/read.h"
#include "generator/reading.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static const symbol *find_symbol(const symbol_list *list, symbol_kind kind, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->symbols[i].kind == kind && strcmp(list->symbols[i].name, name) == 0)
            return &list->symbols[i];
    return NULL;
}

START_TEST(every_name_has_an_origin)
{
    const package *package = reading_package("kin: 1\n"
                                             "package: arena\n"
                                             "prefix: my_\n"
                                             "contexts: { game: {} }\n"
                                             "types: { Side: { values: [Red] } }\n"
                                             "components: { HttpServer: { fields: { side: Side } }, Frozen: {},\n"
                                             "  ChildOf: { fields: { parent: { type: entity<game>, tree: true,\n"
                                             "                                 reverse: children } } } }\n"
                                             "groups: { movers: { all: [HttpServer], none: [Frozen] } }\n");
    reading_expect_nothing();
    static const struct {
        symbol_kind kind;
        const char *name, *origin;
    } cases[] = {
        {SYMBOL_FILE, "arena.h", "package 'arena'"},
        {SYMBOL_FILE, "arena.c", "package 'arena'"},
        {SYMBOL_FILE, "arena_save.h", "package 'arena'"},
        {SYMBOL_NAME, "my_arena_write_path", "package 'arena'"},
        {SYMBOL_NAME, "my_game_read", "context 'game'"},
        {SYMBOL_NAME, "my_arena_contexts_create", "package 'arena'"},
        {SYMBOL_NAME, "KIN_GENERATED_my_arena_SAVE_H", "package 'arena'"},
        {SYMBOL_NAME, "MY_GAME_NO_ENTITY", "context 'game'"},
        {SYMBOL_NAME, "my_game_entity_is_alive", "context 'game'"},
        {SYMBOL_MEMBER, "my_arena_contexts.game", "context 'game'"},
        {SYMBOL_NAME, "my_Side", "type 'Side'"},
        {SYMBOL_NAME, "MY_SIDE_RED", "value 'Red' of type 'Side'"},
        {SYMBOL_NAME, "my_HttpServer", "component 'HttpServer'"},
        {SYMBOL_NAME, "my_http_server_default", "component 'HttpServer'"},
        {SYMBOL_NAME, "MY_GAME_HTTP_SERVER", "component 'HttpServer' of context 'game'"},
        {SYMBOL_NAME, "my_game_get_http_server_unchecked", "component 'HttpServer' of context 'game'"},
        {SYMBOL_NAME, "MY_GAME_FROZEN", "component 'Frozen' of context 'game'"},
        {SYMBOL_NAME, "my_game_set_frozen", "component 'Frozen' of context 'game'"},
        {SYMBOL_NAME, "my_game_movers_next_block", "group 'movers'"},
        {SYMBOL_NAME, "my_game_children_first", "'reverse: children' of component 'ChildOf'"},
        {SYMBOL_NAME, "my_game_copy_children", "'reverse: children' of component 'ChildOf'"},
        {SYMBOL_NAME, "my_game_children_root", "'reverse: children' of component 'ChildOf'"},
        {SYMBOL_MEMBER, "my_game_movers_iter.http_server", "component 'HttpServer' in 'all' of group 'movers'"},
    };
    symbol_list list = symbols_of(reading_arena(), package);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const symbol *symbol = find_symbol(&list, cases[i].kind, cases[i].name);
        ck_assert_msg(symbol != NULL, "%s is missing", cases[i].name);
        ck_assert_str_eq(symbol->origin, cases[i].origin);
        ck_assert_ptr_nonnull(symbol->span.source);
    }
}
END_TEST

// `game_read` cannot be both: it reads the world.
START_TEST(a_context_with_the_name_of_the_package_is_read_with_its_world)
{
    const package *package = reading_package("kin: 1\npackage: game\ncontexts: { game: {}, menu: {} }\n"
                                             "systems: { Walk: { roles: [start] } }\n");
    symbol_list list = symbols_of(reading_arena(), package);
    reading_expect_nothing();
    ck_assert_str_eq(find_symbol(&list, SYMBOL_NAME, "game_read")->origin, "world of package 'game'");
    ck_assert_str_eq(find_symbol(&list, SYMBOL_NAME, "menu_read")->origin, "context 'menu'");
}
END_TEST

START_TEST(a_flag_has_no_type_and_no_value)
{
    const package *package =
        reading_package("kin: 1\npackage: p\ncontexts: { game: {} }\ncomponents: { Frozen: {} }\n");
    symbol_list list = symbols_of(reading_arena(), package);
    ck_assert_ptr_null(find_symbol(&list, SYMBOL_NAME, "Frozen"));
    ck_assert_ptr_null(find_symbol(&list, SYMBOL_NAME, "frozen_default"));
    ck_assert_ptr_null(find_symbol(&list, SYMBOL_NAME, "game_replace_frozen"));
    ck_assert_ptr_nonnull(find_symbol(&list, SYMBOL_NAME, "game_add_frozen")); // a call says that it is a flag
    ck_assert_ptr_nonnull(find_symbol(&list, SYMBOL_NAME, "game_is_frozen"));
}
END_TEST

START_TEST(a_collision_of_names_reports_both_origins)
{
    static const struct {
        const char *schema, *error, *hint;
    } cases[] = {
        {"components: { AGroup: { fields: { x: float } } }\ngroups: { add_a: { none: [AGroup] } }",
         "group 'add_a' collides with component 'AGroup' of context 'game'", "both would define 'game_add_a_group'"},
        {"components: { AbC: {}, ABC: {} , Abc: {} }",
         "component 'Abc' of context 'game' collides with component 'ABC' of "
         "context 'game'",
         "both would define 'GAME_ABC'"},
        {"components: { NoEntity: {} }", "component 'NoEntity' of context 'game' collides with context 'game'",
         "both would define 'GAME_NO_ENTITY'"},
        {"types: { Game: { values: [A] } }\ncomponents: { A: {} }",
         "component 'A' of context 'game' collides with value 'A' of type 'Game'", "both would define 'GAME_A'"},
        {"types: { A: { values: [X] } }\ncomponents: { A: { fields: { x: A } } }",
         "component 'A' collides with type 'A'", "both would define 'A'"},
        {"components: { NearGroup: {} }\ngroups: { is_near: { none: [NearGroup] } }",
         "group 'is_near' collides with component 'NearGroup' of context 'game'",
         "both would define 'game_is_near_group'"},
        {"components: { A: {} }\ngroups: { destroy_all: { all: [A] } }",
         "group 'destroy_all' collides with context 'game'", "both would define 'game_destroy_all_entities'"},
        {"types: { A: { opaque: int, header: a.h, drop: game_add_b } }\ncomponents: { B: { fields: { a: A } } }",
         "component 'B' of context 'game' collides with 'drop' of type 'A'", "both would define 'game_add_b'"},
        {"types: { A: { opaque: int, header: a.h, save: game_save, load: a_load } }",
         "'save' of type 'A' collides with context 'game'", "both would define 'game_save'"},
        {"types: { A: { opaque: int, header: a.h, save: a_save, load: game_restore } }",
         "'load' of type 'A' collides with context 'game'", "both would define 'game_restore'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reading_begin();
        ck_assert_ptr_null(reading_package(
            arena_format(reading_arena(), "kin: 1\npackage: p\ncontexts: { game: {} }\n%s", cases[i].schema)));
        ck_assert_msg(strstr(reading_printed(), cases[i].error) != NULL, "%s", reading_printed());
        ck_assert_msg(strstr(reading_printed(), cases[i].hint) != NULL, "%s", reading_printed());
        ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 1);
        ck_assert_ptr_nonnull(strstr(reading_printed(), "note: "));
    }
}
END_TEST

START_TEST(a_collision_of_files_reports_both_origins)
{
    ck_assert_ptr_null(reading_package("kin: 1\npackage: p\ncontexts: { game: {}, types: {} }\n"));
    ck_assert_str_eq(reading_printed(), "test.yaml:3:23: error: context 'types' collides with package 'p' [K0307]\n"
                                        "    3 | contexts: { game: {}, types: {} }\n"
                                        "      |                       ^^^^^ both would write the file 'p_types.h'\n"
                                        "test.yaml:2:10: note: package 'p' is declared here\n");
}
END_TEST

START_TEST(types_with_the_same_drop_function_do_not_collide)
{
    ck_assert_ptr_nonnull(reading_package("kin: 1\npackage: p\ncontexts: { game: {} }\ntypes:\n"
                                          "  A: { opaque: int, header: a.h, drop: drop }\n"
                                          "  B: { opaque: int, header: a.h, drop: drop }\n"
                                          "components: { C: { fields: { a: A, b: B } } }\n"));
    reading_expect_nothing();
}
END_TEST

START_TEST(a_generated_name_that_is_reserved_is_refused)
{
    ck_assert_ptr_null(reading_package("kin: 1\npackage: p\ncontexts: { fp: {}, size: {} }\n"
                                       "components:\n"
                                       "  Nan: { contexts: [fp] }\n"
                                       "  Max: { contexts: [size] }\n"));
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 1);
    ck_assert_uint_eq(diagnostics_warning_count(reading_diagnostics()), 1);
    ck_assert_ptr_nonnull(strstr(reading_printed(), "would define 'SIZE_MAX', which is"));
    ck_assert_ptr_nonnull(strstr(reading_printed(), "defines 'FP_NAN', which a standard header also declares"));
}
END_TEST

START_TEST(a_pair_is_reported_once_however_many_names_it_shares)
{
    ck_assert_ptr_null(reading_package("kin: 1\npackage: p\ncontexts: { one: {}, two: {} }\ncomponents:\n"
                                       "  HttpServer: { contexts: [one, two], fields: { x: float } }\n"
                                       "  HTTPServer: { contexts: [one, two], fields: { x: float } }\n"));
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 1);
}
END_TEST

START_TEST(similar_names_that_differ_are_allowed)
{
    ck_assert_ptr_nonnull(reading_package("kin: 1\npackage: game\ncontexts: { game: {}, input: {} }\n"
                                          "types: { Frozen: { values: [Game, Count] } }\n"
                                          "components:\n"
                                          "  Frozen: { contexts: [game] }\n"
                                          "  Count: { contexts: [game, input], fields: { count: int32 } }\n"
                                          "  KinFlag: { contexts: [game] }\n"
                                          "  Switch: { contexts: [game] }\n"
                                          "groups:\n"
                                          "  frozen: { context: game, all: [Frozen, Switch] }\n"
                                          "  add_count: { context: game, all: [Frozen] }\n"
                                          "  is_frozen: { context: game, all: [Frozen] }\n"
                                          "  context: { context: game, all: [Frozen] }\n"
                                          "  group: { context: game, all: [Frozen] }\n"
                                          "  counts: { context: input, any: [Count] }\n"));
    reading_expect_nothing();
}
END_TEST

Suite *symbols_suite(void)
{
    Suite *suite = suite_create("symbols");
    TCase *tests = tcase_create("symbols");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, every_name_has_an_origin);
    tcase_add_test(tests, a_context_with_the_name_of_the_package_is_read_with_its_world);
    tcase_add_test(tests, a_flag_has_no_type_and_no_value);
    tcase_add_test(tests, a_collision_of_names_reports_both_origins);
    tcase_add_test(tests, a_collision_of_files_reports_both_origins);
    tcase_add_test(tests, types_with_the_same_drop_function_do_not_collide);
    tcase_add_test(tests, a_generated_name_that_is_reserved_is_refused);
    tcase_add_test(tests, a_pair_is_reported_once_however_many_names_it_shares);
    tcase_add_test(tests, similar_names_that_differ_are_allowed);
    suite_add_tcase(suite, tests);
    return suite;
}
