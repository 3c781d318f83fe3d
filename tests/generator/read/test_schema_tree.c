// Systems that visit their groups in the order of a tree: what their keys mean, and what they depend on.
#include "generator/read/read.h"
#include "generator/reading.h"
#include "generator/schema/schema.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static const char components[] =
    "components:\n"
    "  Aim: { fields: { at: { type: entity<game>, reverse: hunters } } }\n"
    "  ChildOf: { fields: { parent: { type: entity<game>, reverse: children, tree: true } } }\n"
    "  WorksFor: { fields: { boss: { type: entity<game>, reverse: staff, tree: true } } }\n"
    "  Local: { fields: { x: float } }\n"
    "  World: { fields: { x: float } }\n"
    "groups: { placed: { all: [Local, World] } }\n"
    "schedule: { simulation: {} }\n";

static const package *read_systems(const char *systems)
{
    const package *package =
        reading_package_in_game(arena_format(reading_arena(), "%ssystems:\n%s", components, systems));
    reading_expect_nothing();
    return package;
}

static const declared_system *find(const package *package, const char *name)
{
    for (size_t i = 0; i < package->system_count; i++)
        if (strcmp(package->systems[i]->name, name) == 0)
            return package->systems[i];
    ck_abort_msg("no system %s", name);
}

static const struct {
    const char *keys, *component; // of the tree; NULL: none
    tree_order order;
    bool only_changed, iterates_tree;
} systems[] = {
    {"group: placed", NULL, TREE_DEPTH, false, false},
    {"group: placed, tree: children", "ChildOf", TREE_DEPTH, false, true},
    {"group: placed, tree: staff, order: depth", "WorksFor", TREE_DEPTH, false, true},
    {"group: placed, tree: staff, order: breadth", "WorksFor", TREE_BREADTH, false, true},
    {"group: placed, tree: children, only: changed, reads: [Local]", "ChildOf", TREE_DEPTH, true, true},
    {"order: breadth, only: changed, reads: [ChildOf], tree: children, group: { any: [Local, Aim] }", "ChildOf",
     TREE_BREADTH, true, true},
    {"group: placed, tree: children, roles: [enter]", "ChildOf", TREE_DEPTH, false, false},
    {"group: placed, tree: children, roles: [enter, update]", "ChildOf", TREE_DEPTH, false, true},
};

START_TEST(the_keys_of_a_system_say_how_it_visits_its_group)
{
    const package *package = read_systems(arena_format(reading_arena(), "  Move: { %s }\n", systems[_i].keys));
    const declared_system *system = find(package, "Move");
    ck_assert((system->tree != NULL) == (systems[_i].component != NULL));
    if (system->tree != NULL)
        ck_assert_str_eq(system->tree->component->name, systems[_i].component);
    ck_assert_int_eq(system->order, systems[_i].order);
    ck_assert(system->only_changed == systems[_i].only_changed);
    ck_assert(schema_iterates_tree(system) == systems[_i].iterates_tree);
}
END_TEST

START_TEST(a_tree_is_that_of_the_context_of_the_group)
{
    const package *package = reading_package(
        "kin: 1\npackage: p\ncontexts: { game: { default: true }, ui: {} }\n"
        "components:\n"
        "  ChildOf: { fields: { parent: { type: entity<game>, reverse: children, tree: true } } }\n"
        "  Under: { contexts: [ui], fields: { in: { type: entity<ui>, reverse: children, tree: true } } }\n"
        "  Rect: { contexts: [ui, game], fields: { x: float } }\n"
        "schedule: { simulation: {} }\n"
        "systems:\n"
        "  Arrange: { group: { context: ui, all: [Rect] }, tree: children }\n"
        "  Place: { group: { all: [Rect] }, tree: children }\n");
    reading_expect_nothing();
    ck_assert_str_eq(find(package, "Arrange")->tree->component->name, "Under");
    ck_assert_str_eq(find(package, "Place")->tree->component->name, "ChildOf");
}
END_TEST

START_TEST(a_system_that_changes_the_tree_does_not_run_beside_one_that_walks_it)
{
    const package *package = read_systems("  Attach: { writes: [ChildOf] }\n"
                                          "  Employ: { writes: [WorksFor] }\n"
                                          "  Walk: { group: placed, tree: children }\n"
                                          "  List: { group: placed }\n");
    ck_assert_uint_eq(find(package, "Attach")->level, find(package, "Employ")->level);
    ck_assert_uint_eq(find(package, "Attach")->level, find(package, "List")->level);
    ck_assert_uint_gt(find(package, "Walk")->level, find(package, "Attach")->level);
}
END_TEST

static bool defines(const symbol_list *list, symbol_kind kind, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->symbols[i].kind == kind && strcmp(list->symbols[i].name, name) == 0)
            return true;
    return false;
}

START_TEST(only_a_system_that_walks_a_tree_has_the_names_of_its_iterator)
{
    const package *package = read_systems("  Walk: { group: placed, tree: children }\n"
                                          "  Enter: { group: placed, tree: children, roles: [enter] }\n"
                                          "  Move: { group: placed }\n");
    symbol_list list = symbols_of(reading_arena(), package);
    static const struct {
        symbol_kind kind;
        const char *name;
        bool is_defined;
    } cases[] = {
        {SYMBOL_NAME, "walk_iter", true},
        {SYMBOL_NAME, "walk_next", true},
        {SYMBOL_NAME, "walk_skip", true},
        {SYMBOL_NAME, "walk_next_block", false},
        {SYMBOL_NAME, "walk_at", false},
        {SYMBOL_NAME, "walk_view", false},
        {SYMBOL_PRIVATE, "walk_tree_", true},
        {SYMBOL_MEMBER, "walk_iter.depth", true},
        {SYMBOL_MEMBER, "walk_iter.local", true},
        {SYMBOL_MEMBER, "walk_iter.parent_local", true},
        {SYMBOL_NAME, "enter_iter", false},
        {SYMBOL_PRIVATE, "enter_tree_", false},
        {SYMBOL_MEMBER, "enter_iter.parent_local", false},
        {SYMBOL_NAME, "move_skip", false},
        {SYMBOL_NAME, "move_view", true},
        {SYMBOL_MEMBER, "move_iter.parent_local", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(defines(&list, cases[i].kind, cases[i].name) == cases[i].is_defined, "%s", cases[i].name);
}
END_TEST

Suite *schema_tree_suite(void)
{
    Suite *suite = suite_create("schema_tree");
    TCase *tests = tcase_create("schema_tree");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_loop_test(tests, the_keys_of_a_system_say_how_it_visits_its_group, 0, sizeof systems / sizeof *systems);
    tcase_add_test(tests, a_tree_is_that_of_the_context_of_the_group);
    tcase_add_test(tests, a_system_that_changes_the_tree_does_not_run_beside_one_that_walks_it);
    tcase_add_test(tests, only_a_system_that_walks_a_tree_has_the_names_of_its_iterator);
    suite_add_tcase(suite, tests);
    return suite;
}
