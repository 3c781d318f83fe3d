// Generated: the output of kin is compiled by the usual compilers, with the flags under which it promises no warning.
#include "generator/base/base.h"
#include "generator/read/read.h"
#include "generator/scratch.h"
#include "generator/source/source.h"
#include "shell.h"
#include "suites.h"

#include <kin/platform.h>

#include <string.h>
#include <unistd.h>

static const char strict_c[] = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes "
                               "-Wcast-function-type -Werror";
static const char strict_cpp[] = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wcast-function-type -Werror";

static const char *const packages[] = {"everything", "arena",   "wide",   "hiding",  "ballad", "attic",
                                       "harbour",    "keyed",   "herald", "roster",  "larder", "loom",
                                       "town",       "kinship", "orrery", "satchel", "garage", "inn"};

enum { PACKAGE_COUNT = sizeof packages / sizeof *packages };

static arena memory;

static void end(void)
{
    scratch_destroy();
    arena_release(&memory);
}

static void expect_c(const char *compiler, const char *standard)
{
    for (size_t i = 0; i < PACKAGE_COUNT; i++)
        shell_expect(&memory,
                     arena_format(&memory, "%s -fsyntax-only -std=%s %s -Iruntime/include -Itests %s/generated/%s/*.c",
                                  compiler, standard, strict_c, shell_build(), packages[i]));
}

// Each header on its own, and twice.
static void expect_headers(const char *compiler, const char *flags, const char *extension)
{
    for (size_t i = 0; i < PACKAGE_COUNT; i++)
        shell_expect(&memory, arena_format(&memory,
                                           "(cd %s/generated && ls %s/*.h) | xargs -P \"$(nproc)\" -I@ sh -c '"
                                           "printf \"#include \\\"%%s\\\"\\n\" @ @ |"
                                           " %s -fsyntax-only %s -x %s -Iruntime/include -Isave/include -Itests"
                                           " -I%s/generated -'",
                                           shell_build(), packages[i], compiler, flags, extension, shell_build()));
}

START_TEST(it_compiles_without_a_warning_as_c11)
{
    expect_c("gcc", "c11");
    expect_c("clang", "c11");
}
END_TEST

START_TEST(it_compiles_without_a_warning_as_c17_and_with_extensions)
{
    expect_c("gcc", "c17");
    expect_c("clang", "c17");
    expect_c("gcc", "gnu17");
}
END_TEST

START_TEST(each_header_stands_alone_in_c)
{
    const char *flags = arena_format(&memory, "-std=c11 %s", strict_c);
    expect_headers("gcc", flags, "c");
    expect_headers("clang", flags, "c");
}
END_TEST

START_TEST(headers_can_be_included_in_any_order)
{
    for (size_t i = 0; i < PACKAGE_COUNT; i++)
        shell_expect(&memory, arena_format(&memory,
                                           "for order in -r -S -rS; do (cd %s/generated && ls $order %s/*.h) |"
                                           " sed 's/.*/#include \"&\"/' |"
                                           " gcc -fsyntax-only -std=c11 %s -x c -Iruntime/include -Isave/include"
                                           " -Itests -I%s/generated - || exit 1; done",
                                           shell_build(), packages[i], strict_c, shell_build()));
}
END_TEST

START_TEST(the_sources_of_packages_compile_as_one_file_in_any_order)
{
    static const char *const sets[] = {"everything garage", "herald orrery", "harbour attic roster", "arena town"};
    for (size_t i = 0; i < PACKAGE_COUNT + sizeof sets / sizeof *sets; i++)
        shell_expect(
            &memory,
            arena_format(&memory,
                         "cd %s/generated; printf '%%s\\n' sort 'sort -r' | xargs -P 2 -I@ sh -c '(for name in %s;"
                         " do ls $PWD/$name/*.c; done) | @ | sed \"s/.*/#include \\\"&\\\"/\" |"
                         " (cd \"$0\" && %s -x c -fsyntax-only -std=c11 %s -Iruntime/include -Isave/include -Itests "
                         "-I%s/generated -)' \"$OLDPWD\"",
                         shell_build(), i < PACKAGE_COUNT ? packages[i] : sets[i - PACKAGE_COUNT],
                         i % 2 == 0 ? "gcc" : "clang", strict_c, shell_build()));
}
END_TEST

// Include guards of generated headers begin with KIN_GENERATED_ and the package, those of the runtime do not.
START_TEST(a_package_may_have_the_name_of_a_header_of_the_runtime)
{
    const char *folder = scratch_path("");
    shell_expect(&memory,
                 arena_format(&memory,
                              "(cd runtime/include/kin && ls *.h generated/*.h) |"
                              " sed 's|.*/||;s/[.]h$//;/^kin$/d' | sort -u | xargs -P \"$(nproc)\" -I@ sh -c '"
                              "printf \"kin: 1\\npackage: @\\ncontexts: { game: {} }\\n"
                              "components: { Pos: { contexts: [game], fields: { x: float } } }\\n\" > \"%s/@.yaml\" &&"
                              " $KIN generate -q -o \"%s\" \"%s/@.yaml\" &&"
                              " echo \"#include <@/@.h>\" |"
                              " gcc -fsyntax-only -x c -std=c11 %s -Iruntime/include -I\"%s\" -'",
                              folder, folder, folder, strict_c, folder));
}
END_TEST

START_TEST(formatting_leaves_generated_files_as_they_are)
{
    shell_expect(&memory,
                 arena_format(&memory,
                              "printf '%%s\\n' file:.clang-format LLVM Google WebKit | xargs -P \"$(nproc)\" -I@"
                              " clang-format --dry-run -Werror --style=@ %s/generated/*/*.[ch]",
                              shell_build()));
}
END_TEST

START_TEST(each_header_can_be_included_from_cpp17)
{
    const char *flags = arena_format(&memory, "-std=c++17 %s", strict_cpp);
    expect_headers("g++", flags, "c++");
    expect_headers("clang++", arena_format(&memory, "%s -Wreserved-identifier -Wreserved-macro-identifier", flags),
                   "c++");
}
END_TEST

START_TEST(macros_of_matchers_are_cplusplus_17_too)
{
    shell_expect(&memory, arena_format(&memory,
                                       "g++ -std=c++17 %s -fsyntax-only -Iruntime/include -I%s/generated "
                                       "tests/runtime/package/cplusplus.cpp",
                                       strict_cpp, shell_build()));
}
END_TEST

START_TEST(a_listener_of_another_event_does_not_compile)
{
    shell_result result = shell_run(
        &memory,
        arena_format(&memory,
                     "echo '#include \"herald/herald.h\"\n"
                     "kin_status f(tower_context *tower, tower_entity e, tower_any_alarm_removed_listener *function)"
                     " { return tower_add_any_bell_listener(tower, e, function, NULL); }' |"
                     " gcc -fsyntax-only -x c -Werror -Iruntime/include -I%s/generated -",
                     shell_build()));
    ck_assert_int_ne(result.status, 0);
    ck_assert_ptr_nonnull(strstr(result.output, "incompatible pointer type"));
}
END_TEST

static const struct {
    int version;
    const char *said;
} versions[] = {
    {KIN_INTERFACE_VERSION + 1, "older than these headers; generate it again with the kin of these headers"},
    {KIN_INTERFACE_VERSION - 1, "newer than these headers; install the headers of the kin that generated it"},
};

START_TEST(headers_of_another_interface_version_do_not_compile_and_say_what_to_update)
{
    shell_result result =
        shell_run(&memory, arena_format(&memory,
                                        "echo '#include <kin/platform.h>\n#undef KIN_INTERFACE_VERSION\n"
                                        "#define KIN_INTERFACE_VERSION %d\n#include \"arena/arena.h\"' |"
                                        " gcc -fsyntax-only -x c -Iruntime/include -Itests -I%s/generated -",
                                        versions[_i].version, shell_build()));
    ck_assert_int_ne(result.status, 0);
    ck_assert_msg(strstr(result.output, versions[_i].said) != NULL, "%s", result.output);
    ck_assert_ptr_null(strstr(result.output, versions[1 - _i].said));
}
END_TEST

static const char *const old_standards[][2] = {
    {"gcc -x c -std=gnu99", "Kin's headers and generated code need C11"},
    {"clang -x c -std=gnu89", "Kin's headers and generated code need C11"},
    {"g++ -x c++ -std=c++98", "Kin's headers need C++11"},
};

START_TEST(an_older_standard_is_refused_in_a_sentence)
{
    shell_result result = shell_run(
        &memory,
        arena_format(&memory, "echo '#include \"arena/arena.h\"' | %s -fsyntax-only -Iruntime/include -I%s/generated -",
                     old_standards[_i][0], shell_build()));
    ck_assert_int_ne(result.status, 0);
    ck_assert_msg(strstr(result.output, old_standards[_i][1]) != NULL, "%s", result.output);
}
END_TEST

START_TEST(ent_05_a_handle_of_another_context_does_not_compile)
{
    shell_result result = shell_run(
        &memory,
        arena_format(&memory,
                     "echo '#include \"everything/everything.h\"\n"
                     "bool f(my_game_context *game, my_input_entity e) { return my_game_is_frozen(game, e); }' |"
                     " gcc -fsyntax-only -x c -Iruntime/include -Itests -I%s/generated -",
                     shell_build()));
    ck_assert_int_ne(result.status, 0);
    ck_assert_ptr_nonnull(strstr(result.output, "incompatible type"));
}
END_TEST

static const struct {
    const char *rule;
    bool is_allowed;
} rules_of_contexts[] = {
    {"MY_GAME_ALL(MY_GAME_FROZEN)", true},
    {"MY_GAME_NONE(MY_GAME_FROZEN), MY_GAME_ANY(MY_GAME_FROZEN, MY_GAME_MARKED), MY_GAME_ONLY(MY_GAME_FROZEN)", true},
    {"MY_GAME_ALL(MY_INPUT_MARKED)", false},
    {"MY_GAME_NONE(MY_GAME_FROZEN, MY_INPUT_MARKED)", false},
    {"MY_GAME_ANY(0)", false},
    {"MY_GAME_ONLY(KIN_RULE_ALL)", false},
};

START_TEST(mat_06_an_id_of_another_context_does_not_compile)
{
    static const char *const compilers[] = {"gcc -std=c11 -x c", "clang -std=c17 -x c", "g++ -std=c++11 -x c++",
                                            "clang++ -std=c++17 -x c++"};
    for (int i = 0; i < 4; i++) {
        const char *command = arena_format(
            &memory,
            "echo '#include \"everything/everything.h\"\n"
            "kin_group *f(my_game_context *game) { return my_game_group(game, KIN_MATCHER(%s)); }' |"
            " %s %s -fsyntax-only -Iruntime/include -Itests -I%s/generated -",
            rules_of_contexts[_i].rule, compilers[i], "-Wall -Wextra -Wpedantic -Wconversion -Werror", shell_build());
        shell_result result = shell_run(&memory, command);
        ck_assert_msg((result.status == 0) == rules_of_contexts[_i].is_allowed, "%s: %s", command, result.output);
    }
}
END_TEST

// Statements that write to the result of `edit` or to a column, for component Ware of package attic, and whether they
// compile.
static const struct {
    const char *statement;
    bool is_allowed;
} edits[] = {
    {"edited->price = 2", true},
    {"edited->marks[1] = 2", true},
    {"edited->code[0] = 2", true},
    {"it->ware[1].price = 2", true},
    {"it->trunk[1]->weight = 2", true},
    {"edited->token = (Token){2}", false},
    {"edited->token.number = 2", false},
    {"edited->label = NULL", false},
    {"edited->box.last.number = 2", false},
    {"edited->loose[1] = (Token){2}", false},
    {"*edited = other", false},
    {"it->ware[1].token.number = 2", false},
    {"it->trunk[1]->token.number = 2", false},
};

START_TEST(cmp_11_what_the_context_owns_cannot_be_written_through_edit)
{
    static const char *const compilers[] = {"gcc -std=c11 -x c", "clang -std=c11 -x c", "g++ -std=c++17 -x c++",
                                            "clang++ -std=c++17 -x c++"};
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        shell_result result =
            shell_run(&memory, arena_format(&memory,
                                            "echo '#include \"attic/attic.h\"\n"
                                            "void f(WareEdit *edited, const WareEdit other, attic_freight_iter *it)"
                                            " { %s; (void)edited; (void)other; (void)it; }' |"
                                            " %s -fsyntax-only -Iruntime/include -Itests -I%s/generated -",
                                            edits[_i].statement, compilers[i], shell_build()));
        ck_assert_msg((result.status == 0) == edits[_i].is_allowed, "%s: %s", compilers[i], result.output);
    }
}
END_TEST

// Statements about relations of package kinship, and whether they compile.
static const struct {
    const char *statement;
    bool is_allowed;
} statements_of_relations[] = {
    {"ui[0] = clan_children_count(clan, a)", true},
    {"b = clan_children_first(clan, a)", true},
    {"b = clan_children_last(clan, a)", true},
    {"b = clan_riders_next(clan, a)", true},
    {"b = clan_riders_previous(clan, a)", true},
    {"ui[0] = clan_copy_liked_by(clan, a, &b, 1)", true},
    {"(void)clan_staff_place_before(changed, a, b)", true},
    {"(void)clan_destroy_leases(changed, a)", true},
    {"b = clan_staff_root(clan, a)", true},
    {"ui[0] = clan_staff_depth(clan, a)", true},
    {"ui[0] = clan_staff_contains(clan, a, b)", true},
    {"(void)clan_replace_child_of(changed, a, (ChildOf){b})", true},
    {"it->order[0].number = 1", true},
    {"it->child_of[0].parent = b", false},
    {"(void)clan_edit_child_of(changed, a)", false},
    {"(void)clan_touch_child_of(changed, a)", false},
    {"rides->flock.distance[0] = 1", false},
    {"(void)clan_riders_root(clan, a)", false}, // no tree
    {"(void)clan_destroy_leases(clan, a)", false},
    {"b = clan_children_first(clan, other)", false},
};

START_TEST(a_relation_has_its_functions_and_no_edit)
{
    static const char *const compilers[] = {"gcc -std=c11 -x c -Werror", "clang -std=c11 -x c -Werror",
                                            "g++ -std=gnu++17 -x c++", "clang++ -std=gnu++17 -x c++"};
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        const char *command = arena_format(
            &memory,
            "echo '#include \"kinship/kinship.h\"\n"
            "void f(const clan_context *clan, clan_context *changed, clan_entity a, clan_entity b, atlas_entity other,"
            " clan_nodes_iter *it, clan_rides_iter *rides, uint32_t *ui)"
            " { %s; (void)clan; (void)changed; (void)a; (void)b; (void)other; (void)it; (void)rides; (void)ui; }' |"
            " %s -fsyntax-only -Iruntime/include -I%s/generated -",
            statements_of_relations[_i].statement, compilers[i], shell_build());
        shell_result result = shell_run(&memory, command);
        ck_assert_msg((result.status == 0) == statements_of_relations[_i].is_allowed, "%s: %s", command, result.output);
    }
}
END_TEST

// Statements about groups of package stage, and whether they compile.
static const struct {
    const char *statement;
    bool is_allowed;
} statements_of_groups[] = {
    {"(void)scene_sprites_group(scene)", true},
    {"(void)scene_sprites_entities(scene, ui)", true},
    {"(void)scene_sprites_piece_count(scene, 0)", false}, // an order has no pieces
    {"(void)scene_sprites_iterate_piece(scene, 0, 0)", false},
    {"(void)scene_wholes_iterate_piece(scene, 0, scene_wholes_piece_count(scene, 0))", true},
    {"(void)scene_armed_group(scene)", false}, // nothing knows its members
    {"(void)kin_group_subscribe(scene_wholes_group(scene), KIN_ADDED, NULL, NULL)", false},
    {"(void)scene_wholes_entities(scene, ui)", false},
    {"present->spot->x = 1", true},
    {"restack->spot->x = 1", false},       // not in `writes`
    {"present->sprite->depth = 1", false}, // a key
    {"(void)scene_sprites_view_of(present)", false},
    {"(void)present_view(present).spot->x", true},
    {"present_view(present).spot->x = 1", false},
};

START_TEST(fnd_30_what_nothing_knows_does_not_compile)
{
    static const char *const compilers[] = {"gcc -std=c11 -x c -Werror", "clang -std=c11 -x c -Werror",
                                            "g++ -std=gnu++17 -x c++", "clang++ -std=gnu++17 -x c++"};
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        const char *command = arena_format(
            &memory,
            "echo '#include \"stage/stage.h\"\n#include \"stage/stage_world.h\"\n"
            "void f(scene_context *scene, present_iter *present, restack_iter *restack, uint32_t *ui)"
            " { %s; (void)scene; (void)present; (void)restack; (void)ui; }' | %s -fsyntax-only -Iruntime/include"
            " -I%s/generated -",
            statements_of_groups[_i].statement, compilers[i], shell_build());
        shell_result result = shell_run(&memory, command);
        ck_assert_msg((result.status == 0) == statements_of_groups[_i].is_allowed, "%s: %s", command, result.output);
    }
}
END_TEST

// Statements about the iterators of systems over trees, and whether they compile.
static const struct {
    const char *statement;
    bool is_allowed;
} statements_of_trees[] = {
    {"entity = propagate->entity", true},
    {"propagate->world->x = propagate->local->x + (float)propagate->depth", true},
    {"propagate->world->x += propagate->parent_world == NULL ? 0 : propagate->parent_world->x", true},
    {"while (propagate_next(propagate)) propagate_skip(propagate)", true},
    {"propagate->local->x = 1", false}, // is not in `writes`
    {"propagate->parent_world->x = 1", false},
    {"propagate->count = 1", false},
    {"(void)propagate_next_block(propagate)", false},
    {"dock->engine->thrust = (float)(dock->fuel->tons = 1)", true}, // boxed
    {"(void)dock->name->value", true},
    {"dock->name->value = NULL", false}, // the context owns it
    {"dock->parent_fuel->tons = 1", false},
    {"*shine->light.brightness = (*shine->light.color)[2] = 1", true},
    {"*shine->heat.kelvin = shine->parent_heat.kelvin == NULL ? 0 : *shine->parent_heat.kelvin", true},
    {"*shine->parent_light.brightness = 1", false},
    {"(*shine->parent_light.color)[0] = 1", false},
    {"if (shine->fuel != NULL) shine->fuel->tons = 1", true},
    {"if (shine->local != NULL) shine->local->x = 1", false},
    {"show->world[0].x = 1", false},
    {"(void)show->world[0].x", true}, // no tree: columns
    {"(void)show->parent_world", false},
};

START_TEST(the_iterator_of_a_tree_has_one_entity_and_const_values_of_its_parent)
{
    static const char *const compilers[] = {"gcc -std=c11 -x c -Werror", "clang -std=c11 -x c -Werror",
                                            "g++ -std=gnu++17 -x c++", "clang++ -std=gnu++17 -x c++"};
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        const char *command =
            arena_format(&memory,
                         "echo '#include \"orrery/orrery.h\"\n"
                         "void f(space_entity entity, propagate_iter *propagate, dock_iter *dock, shine_iter *shine,"
                         " show_iter *show)"
                         " { %s; (void)entity; (void)propagate; (void)dock; (void)shine; (void)show; }' |"
                         " %s -fsyntax-only -Iruntime/include -I%s/generated -",
                         statements_of_trees[_i].statement, compilers[i], shell_build());
        shell_result result = shell_run(&memory, command);
        ck_assert_msg((result.status == 0) == statements_of_trees[_i].is_allowed, "%s: %s", command, result.output);
    }
}
END_TEST

START_TEST(flg_03_a_flag_has_neither_replace_nor_touch)
{
    const char *functions =
        "grep -ohE 'my_game_[a-z_]*(frozen|marked)\\(' %s/generated/everything/*.h | sort -u | tr -d '\n'";
    ck_assert_str_eq(shell_expect(&memory, arena_format(&memory, functions, shell_build())),
                     "my_game_is_frozen(my_game_is_marked(my_game_set_frozen(my_game_set_marked(");
}
END_TEST

// Longer than a literal may be: the part after the limit must be complete too.
START_TEST(a_long_default_arrives_whole_and_a_prefix_stays_its_own_word)
{
    shell_expect(
        &memory,
        arena_format(&memory,
                     "printf '#include \"ballad/ballad.h\"\n#include <assert.h>\n"
                     "int main(void) { XYBallad b = XYballad_default(); size_t size = strlen(b.text);"
                     " assert(size > 6000 && b.tune == XYTUNE_FAST && XYSONG_COMPONENT_COUNT == 2);"
                     " assert(memcmp(b.text + size / 60 * 59, \"59 Every\", 8) == 0);"
                     " assert(b.text[size - 1] == 10); return 0; }\n' |"
                     " %s %s -std=c17 %s -Iruntime/include -Itests -I%s/generated -x c - %s/generated/ballad/*.c"
                     " -x none %s/lib/libkin.a -o %s/ballad && %s/ballad",
                     shell_compiler(), shell_flags(), strict_c, shell_build(), shell_build(), shell_build(),
                     shell_build(), shell_build()));
}
END_TEST

static bool is_listed(const dictionary *names, const char *name)
{
    return dictionary_find(names, name) != NULL;
}

// The names in a text with one name a line.
static dictionary names_in(const char *text)
{
    dictionary names = dictionary_create(&memory);
    for (char *name = strtok(arena_copy(&memory, text, strlen(text)), "\n"); name != NULL; name = strtok(NULL, "\n"))
        dictionary_add(&names, name, name);
    return names;
}

// The table of symbols, compared with the definitions that compilers see in the files.
static void compare_table(const char *name)
{
    diagnostics diagnostics = diagnostics_create(&memory);
    const char *path = arena_format(&memory, "tests/schemas/%s.yaml", name);
    if (access(path, R_OK) != 0)
        path = arena_format(&memory, "schemas/%s.yaml", name);
    const package *package = package_read(&memory, &diagnostics, source_load(&memory, &diagnostics, path));
    ck_assert_ptr_nonnull(package);
    symbol_list list = symbols_of(&memory, package);
    dictionary table = dictionary_create(&memory);
    const char *command = arena_format(&memory, "tests/tools/generated_names.sh %s/generated %s", shell_build(), name);
    const char *text = shell_expect(&memory, command);
    dictionary defined = names_in(text);
    for (size_t i = 0; i < list.count; i++) {
        const symbol *symbol = &list.symbols[i];
        if (symbol->kind == SYMBOL_NAME || symbol->kind == SYMBOL_PRIVATE)
            dictionary_add(&table, symbol->name, symbol);
        ck_assert_msg(symbol->kind != SYMBOL_NAME || is_listed(&defined, symbol->name),
                      "%s is in the table of %s but not generated", symbol->name, name);
    }
    for (char *line = strtok((char *)text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        ck_assert_msg(is_listed(&table, line), "%s is generated for %s but not in the table", line, name);
}

START_TEST(the_table_of_symbols_has_the_files_that_are_written)
{
    diagnostics diagnostics = diagnostics_create(&memory);
    const source *source = source_load(&memory, &diagnostics, "tests/schemas/everything.yaml");
    symbol_list list = symbols_of(&memory, package_read(&memory, &diagnostics, source));
    dictionary table = dictionary_create(&memory);
    size_t count = 0;
    for (size_t i = 0; i < list.count; i++)
        if (list.symbols[i].kind == SYMBOL_FILE && dictionary_add(&table, list.symbols[i].name, &list) == NULL)
            count++;
    const char *written =
        shell_expect(&memory, arena_format(&memory, "cd %s/generated/everything && ls *.[ch]", shell_build()));
    for (char *name = strtok((char *)written, "\n"); name != NULL; name = strtok(NULL, "\n"), count--)
        ck_assert_msg(is_listed(&table, name), "%s is written but not in the table", name);
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(the_table_of_symbols_is_what_the_files_define)
{
    for (size_t i = 0; i < PACKAGE_COUNT; i++)
        compare_table(packages[i]);
}
END_TEST

Suite *generated_suite(void)
{
    Suite *suite = suite_create("generated");
    TCase *compiled = tcase_create("compiled");
    tcase_set_timeout(compiled, 120);
    tcase_add_checked_fixture(compiled, scratch_create, end);
    tcase_add_test(compiled, it_compiles_without_a_warning_as_c11);
    tcase_add_test(compiled, it_compiles_without_a_warning_as_c17_and_with_extensions);
    tcase_add_test(compiled, each_header_stands_alone_in_c);
    tcase_add_test(compiled, each_header_can_be_included_from_cpp17);
    tcase_add_test(compiled, macros_of_matchers_are_cplusplus_17_too);
    tcase_add_test(compiled, headers_can_be_included_in_any_order);
    tcase_add_test(compiled, the_sources_of_packages_compile_as_one_file_in_any_order);
    tcase_add_test(compiled, a_package_may_have_the_name_of_a_header_of_the_runtime);
    tcase_add_test(compiled, formatting_leaves_generated_files_as_they_are);
    tcase_add_test(compiled, a_listener_of_another_event_does_not_compile);
    tcase_add_loop_test(compiled, cmp_11_what_the_context_owns_cannot_be_written_through_edit, 0,
                        sizeof edits / sizeof *edits);
    tcase_add_loop_test(compiled, fnd_30_what_nothing_knows_does_not_compile, 0,
                        (int)(sizeof statements_of_groups / sizeof *statements_of_groups));
    tcase_add_loop_test(compiled, a_relation_has_its_functions_and_no_edit, 0,
                        sizeof statements_of_relations / sizeof *statements_of_relations);
    tcase_add_loop_test(compiled, the_iterator_of_a_tree_has_one_entity_and_const_values_of_its_parent, 0,
                        sizeof statements_of_trees / sizeof *statements_of_trees);
    tcase_add_loop_test(compiled, headers_of_another_interface_version_do_not_compile_and_say_what_to_update, 0,
                        sizeof versions / sizeof *versions);
    tcase_add_loop_test(compiled, an_older_standard_is_refused_in_a_sentence, 0,
                        sizeof old_standards / sizeof *old_standards);
    tcase_add_test(compiled, ent_05_a_handle_of_another_context_does_not_compile);
    tcase_add_loop_test(compiled, mat_06_an_id_of_another_context_does_not_compile, 0,
                        sizeof rules_of_contexts / sizeof *rules_of_contexts);
    tcase_add_test(compiled, flg_03_a_flag_has_neither_replace_nor_touch);
    tcase_add_test(compiled, a_long_default_arrives_whole_and_a_prefix_stays_its_own_word);
    tcase_add_test(compiled, the_table_of_symbols_has_the_files_that_are_written);
    tcase_add_test(compiled, the_table_of_symbols_is_what_the_files_define);
    suite_add_tcase(suite, compiled);
    return suite;
}
