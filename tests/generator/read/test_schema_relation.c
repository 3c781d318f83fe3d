// Relations: what the keys of a field mean, alone and together, and the list of a package's relations.
#include "generator/reading.h"
#include "suites.h"

#include <check.h>
#include <string.h>

// The keys of a field of type entity<game>, and what they mean.
static const struct {
    const char *keys;
    on_destroy_kind on_destroy;
    const char *reverse; // NULL: none
    bool is_tree;
} fields[] = {
    {"doc: A handle.", ON_DESTROY_KEEP, NULL, false},
    {"on_destroy: keep", ON_DESTROY_KEEP, NULL, false},
    {"tree: false", ON_DESTROY_KEEP, NULL, false},
    {"on_destroy: clear", ON_DESTROY_CLEAR, NULL, false},
    {"on_destroy: remove", ON_DESTROY_REMOVE, NULL, false},
    {"on_destroy: destroy", ON_DESTROY_DESTROY, NULL, false},
    {"on_destroy: refuse", ON_DESTROY_REFUSE, NULL, false},
    {"reverse: riders", ON_DESTROY_REMOVE, "riders", false},
    {"reverse: riders, on_destroy: clear", ON_DESTROY_CLEAR, "riders", false},
    {"reverse: riders, tree: false", ON_DESTROY_REMOVE, "riders", false},
    {"reverse: riders, tree: true", ON_DESTROY_DESTROY, "riders", true},
    {"tree: true, on_destroy: refuse, reverse: riders", ON_DESTROY_REFUSE, "riders", true},
};

static const package *read_relation(const char *keys)
{
    return reading_package_in_game(arena_format(
        reading_arena(), "components: { Rides: { fields: { mount: { type: entity<game>, %s } } } }", keys));
}

START_TEST(the_keys_of_a_field_say_what_becomes_of_its_entity)
{
    const package *package = read_relation(fields[_i].keys);
    reading_expect_nothing();
    const component *component = package->components[0];
    const field *field = &component->fields.fields[0];
    ck_assert_int_eq(field->on_destroy, fields[_i].on_destroy);
    ck_assert(fields[_i].reverse == NULL ? field->reverse == NULL : strcmp(field->reverse, fields[_i].reverse) == 0);
    ck_assert(field->is_tree == fields[_i].is_tree);
}
END_TEST

START_TEST(a_component_with_a_relation_is_replaced_and_not_edited)
{
    const package *package = read_relation(fields[_i].keys);
    const component *component = package->components[0];
    bool is_relation = fields[_i].on_destroy != ON_DESTROY_KEEP;
    ck_assert(component->has_relations == is_relation);
    ck_assert(schema_is_relation(&component->fields.fields[0]) == is_relation);
    ck_assert(schema_is_tracked(component) == is_relation);
    ck_assert(schema_is_editable(component) == !is_relation);
    ck_assert_uint_eq(package->relation_count, is_relation ? 1 : 0);
}
END_TEST

// Components of game, and whether the fields `x` and `y` are const where values are written in place.
static const struct {
    const char *keys;
    bool is_x_const, is_y_const, is_editable, has_edit_type;
} edited[] = {
    {"fields: { x: int32, y: int32 }", false, false, true, false},
    {"fields: { x: { type: int32, index: multi }, y: int32 }", true, false, true, true},
    {"fields: { x: int32, y: { type: entity<game>, on_destroy: clear } }", false, true, true, true},
    {"fields: { x: string, y: int32 }", true, false, true, true},
    {"fields: { x: 'int32[]', y: string }", true, true, false, false},
    {"fields: { x: { type: int32, index: primary }, y: { type: int32, index: multi } }", true, true, false, false},
    {"index: multi, fields: { x: int32, y: int32 }", true, true, false, false},
    {"layout: soa, fields: { x: { type: int32, index: multi }, y: int32 }", true, false, false, false},
    {"storage: shared, fields: { x: { type: int32, index: multi }, y: int32 }", true, false, false, false},
    {"storage: boxed, fields: { x: { type: int32, index: multi }, y: int32 }", true, false, true, true},
    {"unique: true, fields: { x: { type: int32, index: multi }, y: int32 }", true, false, true, true},
};

START_TEST(fnd_50_only_fields_that_the_context_need_not_notice_are_edited)
{
    const package *package =
        reading_package_in_game(arena_format(reading_arena(), "components: { C: { %s } }", edited[_i].keys));
    reading_expect_nothing();
    const component *component = package->components[0];
    ck_assert(schema_field_is_const(&component->fields.fields[0]) == edited[_i].is_x_const);
    ck_assert(schema_field_is_const(&component->fields.fields[1]) == edited[_i].is_y_const);
    ck_assert(schema_is_editable(component) == edited[_i].is_editable);
    ck_assert(schema_has_edit_type(component) == edited[_i].has_edit_type);
}
END_TEST

START_TEST(fnd_50_keys_of_indices_are_const_and_what_functions_read_is_not)
{
    static const char text[] = "components:\n"
                               "  Cell: { fields: { x: int32, y: int32, z: int32 } }\n"
                               "  Spot: { fields: { x: int32 } }\n"
                               "  Row: { layout: soa, fields: { x: int32 } }\n"
                               "indices:\n"
                               "  cell: { kind: primary, key: [Cell.x, Cell.z] }\n"
                               "  near: { kind: multi, of: [Spot, Row], key: { type: int32, function: near_of } }\n";
    const package *package = reading_package_in_game(text);
    reading_expect_nothing();
    const field *cell = package->components[0]->fields.fields;
    ck_assert(schema_field_is_const(&cell[0]) && !schema_field_is_const(&cell[1]) && schema_field_is_const(&cell[2]));
    ck_assert(!schema_is_writable_in_place(package->components[1])); // Row, which has no touch
    ck_assert(schema_is_editable(package->components[2]) && !schema_has_edit_type(package->components[2]));
}
END_TEST

START_TEST(relations_are_in_order_of_components_and_then_of_fields)
{
    const package *package =
        reading_package("kin: 1\npackage: p\ncontexts: { game: { default: true }, ui: {} }\n"
                        "components:\n"
                        "  Rides: { fields: { mount: { type: entity<game>, on_destroy: clear } } }\n"
                        "  Beneath: { contexts: [ui], fields: { in: { type: entity<ui>, on_destroy: remove } } }\n"
                        "  Likes: { fields: { whom: { type: entity<game>, on_destroy: destroy }, amount: float,\n"
                        "                     by: { type: entity<game>, on_destroy: refuse } } }\n");
    static const struct {
        const char *context, *component, *field;
    } expected[] = {
        {"ui", "Beneath", "in"}, {"game", "Likes", "whom"}, {"game", "Likes", "by"}, {"game", "Rides", "mount"}};
    reading_expect_nothing();
    ck_assert_uint_eq(package->relation_count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ck_assert_str_eq(package->relations[i].context->name, expected[i].context);
        ck_assert_str_eq(package->relations[i].component->name, expected[i].component);
        ck_assert_str_eq(package->relations[i].field->name, expected[i].field);
    }
}
END_TEST

START_TEST(two_contexts_may_have_the_same_reverse)
{
    ck_assert_ptr_nonnull(reading_package(
        "kin: 1\npackage: p\ncontexts: { game: {}, ui: {} }\n"
        "components:\n"
        "  ChildOf: { contexts: [game], fields: { parent: { type: entity<game>, reverse: children } } }\n"
        "  Beneath: { contexts: [ui], fields: { in: { type: entity<ui>, reverse: children } } }\n"));
    reading_expect_nothing();
}
END_TEST

Suite *schema_relation_suite(void)
{
    Suite *suite = suite_create("schema_relation");
    TCase *tests = tcase_create("schema_relation");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_loop_test(tests, the_keys_of_a_field_say_what_becomes_of_its_entity, 0, sizeof fields / sizeof *fields);
    tcase_add_loop_test(tests, a_component_with_a_relation_is_replaced_and_not_edited, 0,
                        sizeof fields / sizeof *fields);
    tcase_add_loop_test(tests, fnd_50_only_fields_that_the_context_need_not_notice_are_edited, 0,
                        sizeof edited / sizeof *edited);
    tcase_add_test(tests, fnd_50_keys_of_indices_are_const_and_what_functions_read_is_not);
    tcase_add_test(tests, relations_are_in_order_of_components_and_then_of_fields);
    tcase_add_test(tests, two_contexts_may_have_the_same_reverse);
    suite_add_tcase(suite, tests);
    return suite;
}
