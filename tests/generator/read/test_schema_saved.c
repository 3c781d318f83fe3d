// Saves: the names that saves have of what a schema declares, what is in no save, and what a schema gives up.
#include "generator/read/read.h"
#include "generator/reading.h"
#include "generator/schema/schema.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static void expect_name(const saved_name *saved, const char *identity, const char *was)
{
    ck_assert_str_eq(saved->identity, identity);
    if (was == NULL)
        ck_assert_ptr_null(saved->was);
    else
        ck_assert_str_eq(saved->was, was);
}

START_TEST(a_thing_is_saved_under_its_was_or_its_name)
{
    const package *package =
        reading_package("kin: 1\npackage: p\ncontexts: { game: { default: true, was: level }, menu: {} }\n"
                        "types: { Vec2: { fields: { x: { type: float, was: east }, y: float } } }\n"
                        "components:\n"
                        "  A: { was: B, fields: { a: { type: Vec2, was: at }, b: float } }\n"
                        "  C: {}\n"
                        "messages: { Hit: { was: Hurt, fields: { by: { type: int8, was: of } } }, Miss: {} }\n"
                        "systems: { Move: { was: Walk, inbox: [Hit, Miss] }, Run: {} }\n");
    reading_expect_nothing();
    ck_assert(package->has_saves);
    expect_name(&package->contexts[0]->saved, "level", "level");
    expect_name(&package->contexts[1]->saved, "menu", NULL);
    expect_name(&package->definitions[0]->fields.fields[0].saved, "east", "east");
    expect_name(&package->definitions[0]->fields.fields[1].saved, "y", NULL);
    expect_name(&package->components[0]->saved, "B", "B");
    expect_name(&package->components[0]->fields.fields[0].saved, "at", "at");
    expect_name(&package->components[0]->fields.fields[1].saved, "b", NULL);
    expect_name(&package->components[1]->saved, "C", NULL);
    expect_name(&package->messages[0]->saved, "Hurt", "Hurt");
    expect_name(&package->messages[0]->fields.fields[0].saved, "of", "of");
    expect_name(&package->messages[1]->saved, "Miss", NULL);
    for (size_t i = 0; i < package->system_count; i++) {
        bool is_renamed = strcmp(package->systems[i]->name, "Move") == 0;
        expect_name(&package->systems[i]->saved, is_renamed ? "Walk" : "Run", is_renamed ? "Walk" : NULL);
    }
}
END_TEST

START_TEST(values_of_enums_have_a_was_in_both_forms)
{
    const package *package =
        reading_package_in_game("types:\n"
                                "  A: { values: [Green, Crimson: { was: Red }, { Blue: {} }, dark_blue] }\n"
                                "  B: { values: { Low: 4, High: { value: -1, was: Up }, Top: { value: 0x10 } } }\n");
    reading_expect_nothing();
    const enumerator *a = package->definitions[0]->enumerators, *b = package->definitions[1]->enumerators;
    ck_assert_uint_eq(package->definitions[0]->enumerator_count, 4);
    expect_name(&a[0].saved, "Green", NULL);
    ck_assert_str_eq(a[1].name, "Crimson");
    ck_assert_int_eq(a[1].number, 1);
    expect_name(&a[1].saved, "Red", "Red");
    expect_name(&a[2].saved, "Blue", NULL);
    ck_assert_int_eq(a[3].number, 3);
    expect_name(&b[0].saved, "Low", NULL);
    ck_assert_int_eq(b[1].number, -1);
    expect_name(&b[1].saved, "Up", "Up");
    ck_assert_int_eq(b[2].number, 16);
    expect_name(&b[2].saved, "Top", NULL);
}
END_TEST

START_TEST(save_false_leaves_contexts_components_and_fields_out)
{
    const package *package = reading_package(
        "kin: 1\npackage: p\ncontexts: { game: { default: true, save: true }, menu: { save: false } }\n"
        "components:\n"
        "  A: { save: false, fields: { a: float } }\n"
        "  B: { save: true, fields: { a: { type: float, save: false }, b: { type: float, save: true } } }\n"
        "  C: { migrate: true, fields: { a: float } }\n");
    reading_expect_nothing();
    ck_assert(!package->contexts[0]->is_unsaved && package->contexts[1]->is_unsaved);
    ck_assert(package->components[0]->is_unsaved && !package->components[1]->is_unsaved);
    ck_assert(package->components[1]->fields.fields[0].is_unsaved);
    ck_assert(!package->components[1]->fields.fields[1].is_unsaved);
    ck_assert(!package->components[1]->migrates && package->components[2]->migrates);
}
END_TEST

START_TEST(opaque_values_are_writable_with_save_and_load)
{
    const package *package =
        reading_package_in_game("types:\n"
                                "  With: { opaque: int, header: a.h, save: with_save, load: with_load }\n"
                                "  Without: { opaque: int, header: a.h }\n"
                                "  Holder: { fields: { in: Without } }\n"
                                "  Quiet: { fields: { in: { type: Without, save: false } } }\n"
                                "components:\n"
                                "  A: { fields: { a: With, b: Quiet } }\n"
                                "  B: { fields: { a: float, b: 'Without[2]' } }\n"
                                "  C: { fields: { a: float, b: Holder } }\n"
                                "  D: { fields: { a: { type: Holder, save: false } } }\n"
                                "  E: {}\n");
    static const bool is_writable[] = {true, false, false, true, true};
    reading_expect_nothing();
    for (size_t i = 0; i < package->component_count; i++) {
        const field *field = NULL;
        ck_assert(schema_is_writable(package->components[i], &field) == is_writable[i]);
        if (!is_writable[i])
            ck_assert_str_eq(field->name, "b");
    }
}
END_TEST

START_TEST(a_package_has_a_version_and_gives_up_names_of_saves)
{
    const package *package = reading_package_in_game("components: { A: {} }\n");
    ck_assert_uint_eq(package->version, 0);
    ck_assert(!package->has_saves && package->removal_count == 0);
    reading_begin();
    package =
        reading_package_in_game("version: 4294967295\nremoved: [Mana, B.old, A.at.up, A.side.Red, A.side.Old, C.x]\n"
                                "types: { Vec2: { fields: { x: float } }, Side: { values: [Red: { was: Crimson }] } }\n"
                                "components: { A: { was: B, fields: { at: { type: Vec2, was: v }, side: Side } } }\n");
    static const char *const identities[] = {"Mana", "B.old", "B.v.up", "B.side.Red", "B.side.Old", "C.x"};
    reading_expect_nothing();
    ck_assert_uint_eq(package->version, UINT32_MAX);
    ck_assert_uint_eq(package->removal_count, 6);
    for (size_t i = 0; i < package->removal_count; i++)
        ck_assert_str_eq(package->removals[i].identity, identities[i]);
    ck_assert_str_eq(package->removals[2].path, "A.at.up");
}
END_TEST

START_TEST(an_identity_is_found_by_names_of_saves_before_those_of_the_schema)
{
    const package *package =
        reading_package_in_game("types: { Side: { values: [Up: { was: Down }, Down: { was: Up }] } }\n"
                                "components:\n"
                                "  A: { was: B, fields: { x: { type: Side, was: y }, y: { type: float, was: x } } }\n"
                                "  B: { was: A, fields: { z: float } }\n");
    static const struct {
        const char *path, *identity;
        bool is_there;
    } cases[] = {{"A", "A", true},
                 {"A.z", "A.z", true},
                 {"A.x", "A.x", false},
                 {"B.y", "B.y", true},
                 {"B.x.Up", "B.x.Up", false},
                 {"B.y.Up", "B.y.Up", true},
                 {"B.q", "B.q", false},
                 {"C", "C", false},
                 {"C.x.y", "C.x.y", false},
                 {"B.y.Up.no", "B.y.Up.no", false}};
    reading_expect_nothing();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is_there;
        ck_assert_str_eq(saves_identity(reading_arena(), package, cases[i].path, &is_there), cases[i].identity);
        ck_assert_msg(is_there == cases[i].is_there, "%s", cases[i].path);
    }
}
END_TEST

START_TEST(things_may_exchange_their_names)
{
    reading_package_in_game("types: { Side: { values: [Up: { was: Down }, Down: { was: Up }] } }\n"
                            "components:\n"
                            "  A: { was: B, fields: { x: { type: int8, was: y }, y: { type: int8, was: x } } }\n"
                            "  B: { was: A }\n"
                            "messages: { C: { was: D }, D: { was: C } }\n");
    reading_expect_nothing();
}
END_TEST

Suite *schema_saved_suite(void)
{
    Suite *suite = suite_create("schema_saved");
    TCase *tests = tcase_create("schema_saved");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, a_thing_is_saved_under_its_was_or_its_name);
    tcase_add_test(tests, values_of_enums_have_a_was_in_both_forms);
    tcase_add_test(tests, save_false_leaves_contexts_components_and_fields_out);
    tcase_add_test(tests, opaque_values_are_writable_with_save_and_load);
    tcase_add_test(tests, a_package_has_a_version_and_gives_up_names_of_saves);
    tcase_add_test(tests, an_identity_is_found_by_names_of_saves_before_those_of_the_schema);
    tcase_add_test(tests, things_may_exchange_their_names);
    suite_add_tcase(suite, tests);
    return suite;
}
