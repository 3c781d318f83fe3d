// Schema reader: the model of a valid schema, and the diagnostics of the invalid ones in tests/bad.
#include "generator/read/read.h"
#include "generator/reading.h"
#include "suites.h"

#include <check.h>
#include <glob.h>
#include <string.h>

START_TEST(a_package_knows_its_names_and_lists)
{
    const package *package = reading_package("kin: 1\n"
                                             "package: arena\n"
                                             "prefix: my_\n"
                                             "contexts:\n"
                                             "  game: { doc: The board., default: true }\n"
                                             "  ai: {}\n"
                                             "components:\n"
                                             "  Velocity: { fields: { x: float } }\n"
                                             "  Position: { doc: Where., contexts: [ai, game], fields: { x: float } }\n"
                                             "  HUD: { contexts: [ai] }\n");
    reading_expect_nothing();
    ck_assert_str_eq(package->name, "arena");
    ck_assert_str_eq(package->prefix, "my_");
    ck_assert_uint_eq(package->context_count, 2);
    const context *game = package->contexts[0], *ai = package->contexts[1];
    ck_assert_str_eq(game->doc, "The board.");
    ck_assert(game->is_default);
    ck_assert_ptr_null(ai->doc);

    ck_assert_uint_eq(package->component_count, 3);
    const component *hud = package->components[0], *position = package->components[1];
    ck_assert_str_eq(hud->name, "HUD");
    ck_assert_str_eq(position->name, "Position");
    ck_assert_str_eq(position->doc, "Where.");
    ck_assert_str_eq(package->components[2]->name, "Velocity");
    ck_assert_uint_eq(position->context_count, 2);
    ck_assert_ptr_eq(position->contexts[0], game);
    ck_assert_uint_eq(game->component_count, 2);
    ck_assert_uint_eq(ai->component_count, 2);
    ck_assert_uint_eq(schema_component_id(ai, hud), 0);
    ck_assert_uint_eq(schema_component_id(ai, position), 1);
    ck_assert_uint_eq(schema_component_id(game, position), 0);
}
END_TEST

START_TEST(spans_are_those_of_the_names)
{
    const package *package = reading_package_in_game("components: { Position: { fields: { x: float } } }\n");
    const component *position = package->components[0];
    source_position place = source_position_of(position->span.source, position->span.start);
    ck_assert_uint_eq(place.line, 4);
    ck_assert_uint_eq(place.column, 15);
    ck_assert_uint_eq(position->span.end - position->span.start, strlen("Position"));
    ck_assert_uint_eq(position->fields.fields[0].type.span.start - position->fields.fields[0].span.start, 3);
}
END_TEST

START_TEST(a_component_without_contexts_is_in_the_default_one)
{
    const package *package =
        reading_package("kin: 1\npackage: p\ncontexts: { one: {}, two: { default: true } }\ncomponents: { C: {} }\n");
    reading_expect_nothing();
    ck_assert_str_eq(package->components[0]->contexts[0]->name, "two");
    ck_assert_ptr_eq(reading_package_in_game("components: { C: {} }\n")->components[0]->fields.fields, NULL);
}
END_TEST

START_TEST(the_query_of_a_flag_begins_with_is_or_its_own_prefix)
{
    const package *package = reading_package_in_game("components: { A: {}, B: { flag_prefix: can_be } }\n");
    reading_expect_nothing();
    ck_assert_str_eq(package->components[0]->flag_prefix, "is");
    ck_assert_str_eq(package->components[1]->flag_prefix, "can_be");
}
END_TEST

START_TEST(types_have_a_short_and_a_long_form)
{
    const field *field = reading_field("{ type: 'Vec2[4]', doc: Corners., unit: cells }");
    ck_assert_str_eq(field->doc, "Corners.");
    ck_assert_str_eq(field->unit, "cells");
    ck_assert(!field->has_default);
    ck_assert_int_eq(field->type.kind, TYPE_STRUCT);
    ck_assert_uint_eq(field->type.array_count, 4);
    ck_assert_str_eq(field->type.definition->name, "Vec2");

    static const struct {
        const char *written;
        type_kind kind;
    } cases[] = {
        {"bool", TYPE_BOOL},
        {"int8", TYPE_INT8},
        {"int16", TYPE_INT16},
        {"int32", TYPE_INT32},
        {"int64", TYPE_INT64},
        {"uint8", TYPE_UINT8},
        {"uint16", TYPE_UINT16},
        {"uint32", TYPE_UINT32},
        {"uint64", TYPE_UINT64},
        {"float", TYPE_FLOAT},
        {"double", TYPE_DOUBLE},
        {"entity", TYPE_ENTITY},
        {"entity<game>", TYPE_CONTEXT_ENTITY},
        {"Side", TYPE_ENUM},
        {"Vec2", TYPE_STRUCT},
        {"'string[31]'", TYPE_INLINE_STRING},
        {"'entity<game>[2]'", TYPE_CONTEXT_ENTITY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct field *read = reading_field(cases[i].written);
        ck_assert_int_eq(read->type.kind, cases[i].kind);
        const char *name = schema_type_name(reading_arena(), &read->type);
        ck_assert_msg(strstr(cases[i].written, name) != NULL, "%s is not %s", name, cases[i].written);
    }
    ck_assert_uint_eq(reading_field("'string[31]'")->type.string_size, 31);
}
END_TEST

START_TEST(enum_values_are_numbered_from_0_or_explicitly)
{
    const package *package =
        reading_package_in_game("types:\n  A: { values: [Red, dark_red] }\n"
                                "  B: { values: { Min: -2147483648, Max: 2147483647, Hex: 0x10 } }\n");
    reading_expect_nothing();
    const definition *a = package->definitions[0], *b = package->definitions[1];
    ck_assert_int_eq(a->enumerators[0].number, 0);
    ck_assert_int_eq(a->enumerators[1].number, 1);
    ck_assert_str_eq(a->enumerators[1].literal, "1");
    ck_assert_int_eq(b->enumerators[0].number, INT32_MIN);
    ck_assert_str_eq(b->enumerators[0].literal, "INT32_MIN");
    ck_assert_int_eq(b->enumerators[1].number, INT32_MAX);
    ck_assert_int_eq(b->enumerators[2].number, 16);
}
END_TEST

START_TEST(a_struct_comes_after_the_types_of_its_fields)
{
    const package *package = reading_package_in_game("types:\n"
                                                     "  A: { fields: { b: B, c: C } }\n"
                                                     "  B: { doc: Second., fields: { c: C, d: 'D[2]' } }\n"
                                                     "  C: { fields: { x: float } }\n"
                                                     "  D: { values: [X] }\n");
    reading_expect_nothing();
    static const char *const order[] = {"D", "C", "B", "A"};
    ck_assert_uint_eq(package->definition_count, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_str_eq(package->definitions[i]->name, order[i]);
    ck_assert_str_eq(package->definitions[2]->doc, "Second.");
}
END_TEST

START_TEST(structs_nest_32_deep_in_either_order_and_no_deeper)
{
    for (int depth = 32; depth <= 33; depth++) {
        for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
            reading_begin();
            const char *types = "";
            for (int i = 0; i < depth; i++) {
                const char *held = i == 0 ? "int8" : arena_format(reading_arena(), "T%d", i - 1);
                const char *type = arena_format(reading_arena(), "  T%d: { fields: { x: %s } }\n", i, held);
                types = is_reversed ? arena_format(reading_arena(), "%s%s", type, types)
                                    : arena_format(reading_arena(), "%s%s", types, type);
            }
            reading_package_in_game(arena_format(reading_arena(), "types:\n%s", types));
            ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), depth == 32 ? 0 : 1);
        }
    }
}
END_TEST

START_TEST(groups_are_sorted_and_their_rules_are_not)
{
    const package *package = reading_package_in_game("components: { A: {}, B: {}, C: {}, D: {} }\n"
                                                     "groups:\n"
                                                     "  b: { none: [D], all: [C, A], doc: Some. }\n"
                                                     "  a: { context: game, any: [[B, A], [C]], only: [A, B, C] }\n");
    reading_expect_nothing();
    const group *a = package->groups[0], *b = package->groups[1];
    ck_assert_str_eq(a->name, "a");
    ck_assert_uint_eq(a->rule_count, 3);
    ck_assert_int_eq(a->rules[0].kind, RULE_ANY);
    ck_assert_uint_eq(a->rules[0].count, 2);
    ck_assert_str_eq(a->rules[0].components[0]->name, "B");
    ck_assert_int_eq(a->rules[1].kind, RULE_ANY);
    ck_assert_int_eq(a->rules[2].kind, RULE_ONLY);

    ck_assert_str_eq(b->doc, "Some.");
    ck_assert_ptr_eq(b->context, package->contexts[0]);
    ck_assert_int_eq(b->rules[0].kind, RULE_NONE);
    ck_assert_int_eq(b->rules[1].kind, RULE_ALL);
    ck_assert_str_eq(b->rules[1].components[0]->name, "C");
}
END_TEST

// Returns the rule of a group that names the flag, after checking that it names it once; NULL if none does.
static const rule *rule_of_flag(const rule *rules, size_t count)
{
    const rule *found = NULL;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < rules[i].count; k++)
            if (strcmp(rules[i].components[k]->name, "Off") == 0) {
                ck_assert_ptr_null(found);
                found = &rules[i];
            }
    return found;
}

START_TEST(fnd_20_off_is_in_none_of_all_rules_that_do_not_name_it)
{
    const package *package =
        reading_package("kin: 1\npackage: test\ncontexts: { a: { default: true, off: Off }, b: {} }\n"
                        "components: { Off: { contexts: [a, b] }, A: { contexts: [a, b] }, B: {},\n"
                        "  C: { fields: { x: { type: int32, index: multi }, y: { type: int32, index: primary } } } }\n"
                        "groups:\n"
                        "  a: { all: [A] }\n"
                        "  b: { all: [A], none: [B] }\n"
                        "  c: { any: [[A, B], [Off, B]] }\n"
                        "  d: { only: [A, B] }\n"
                        "  e: { none: [Off, A] }\n"
                        "  f: { context: b, all: [A] }\n"
                        "indices: { i: { kind: multi, key: [C.x], all: [Off] }, p: { kind: primary, key: [C.x] } }\n"
                        "systems: { S: { in: simulation, group: { all: [B] } } }\n");
    static const struct {
        rule_kind kind; // 0: no rule names the flag
        size_t rules, named;
    } expected[] = {{RULE_NONE, 2, 1}, {RULE_NONE, 2, 2}, {RULE_ANY, 2, 2}, {0, 1, 0}, {RULE_NONE, 1, 2}, {0, 1, 0}};
    reading_expect_nothing();
    for (size_t i = 0; i < 6; i++) {
        const rule *found = rule_of_flag(package->groups[i]->rules, package->groups[i]->rule_count);
        ck_assert_uint_eq(package->groups[i]->rule_count, expected[i].rules);
        ck_assert_int_eq(found == NULL, expected[i].named == 0);
        ck_assert(found == NULL || (found->kind == expected[i].kind && found->count == expected[i].named));
    }
    ck_assert_int_eq(rule_of_flag(package->system_groups[0]->rules, 2)->kind, RULE_NONE);
    static const rule_kind of_indices[] = {RULE_NONE, 0, RULE_ALL, 0}; // C.x, C.y, i, p
    for (size_t i = 0; i < 4; i++) {
        const entity_index *index = package->indices[i];
        const rule *found = rule_of_flag(index->rules, index->rule_count);
        ck_assert_int_eq(found == NULL, i % 2 == 1);
        ck_assert(found == NULL || found->kind == of_indices[i]);
        ck_assert_int_eq(schema_hides_keys(index), i % 2 == 1); // FND-22
    }
}
END_TEST

START_TEST(yaml_words_are_plain_text_as_names)
{
    const package *package =
        reading_package_in_game("types: { Yes: { values: [On, Off, y, n] } }\ncomponents: { No: {}, Y: {} }\n");
    reading_expect_nothing();
    ck_assert_str_eq(package->definitions[0]->enumerators[2].name, "y");
    ck_assert_str_eq(package->components[0]->name, "No");
}
END_TEST

// Returns the content of a file; "" if it is missing.
static const char *content_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return "";
    static char bytes[256 * 1024];
    size_t size = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    return arena_copy(reading_arena(), bytes, size);
}

static void expect_bad(const char *path)
{
    reading_begin();
    const char *expected_path = arena_format(reading_arena(), "%.*s.expected", (int)strlen(path) - 5, path);
    const source *source = source_load(reading_arena(), reading_diagnostics(), path);
    ck_assert_ptr_nonnull(source);
    ck_assert_ptr_null(package_read(reading_arena(), reading_diagnostics(), source));
    ck_assert_int_eq(diagnostics_exit_status(reading_diagnostics()), 1);
    ck_assert_msg(strcmp(reading_printed(), content_of(expected_path)) == 0, "%s: the diagnostics differ", path);
}

START_TEST(every_bad_schema_gets_the_diagnostics_beside_it)
{
    glob_t schemas;
    ck_assert_int_eq(glob("tests/bad/*/*.yaml", 0, NULL, &schemas), 0);
    ck_assert_uint_ge(schemas.gl_pathc, 50);
    for (size_t i = 0; i < schemas.gl_pathc; i++)
        if (strncmp(schemas.gl_pathv[i], "tests/bad/content/", 18) != 0) // content/test_compile.c has these
            expect_bad(schemas.gl_pathv[i]);
    globfree(&schemas);
}
END_TEST

START_TEST(a_schema_with_ten_different_errors_reports_all_ten)
{
    const char *path = "tests/bad/keys/ten_faults.yaml";
    package_read(reading_arena(), reading_diagnostics(), source_load(reading_arena(), reading_diagnostics(), path));
    ck_assert_uint_eq(reading_diagnostics()->count, 10);
    for (const diagnostic *item = reading_diagnostics()->first; item != NULL; item = item->next)
        for (const diagnostic *other = item->next; other != NULL; other = other->next)
            ck_assert(item->code != other->code && item->span.start != other->span.start);
}
END_TEST

Suite *schema_read_suite(void)
{
    Suite *suite = suite_create("schema_read");
    TCase *tests = tcase_create("schema_read");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, a_package_knows_its_names_and_lists);
    tcase_add_test(tests, spans_are_those_of_the_names);
    tcase_add_test(tests, a_component_without_contexts_is_in_the_default_one);
    tcase_add_test(tests, the_query_of_a_flag_begins_with_is_or_its_own_prefix);
    tcase_add_test(tests, types_have_a_short_and_a_long_form);
    tcase_add_test(tests, enum_values_are_numbered_from_0_or_explicitly);
    tcase_add_test(tests, a_struct_comes_after_the_types_of_its_fields);
    tcase_add_test(tests, structs_nest_32_deep_in_either_order_and_no_deeper);
    tcase_add_test(tests, groups_are_sorted_and_their_rules_are_not);
    tcase_add_test(tests, fnd_20_off_is_in_none_of_all_rules_that_do_not_name_it);
    tcase_add_test(tests, yaml_words_are_plain_text_as_names);
    tcase_add_test(tests, a_schema_with_ten_different_errors_reports_all_ten);
    tcase_add_test(tests, every_bad_schema_gets_the_diagnostics_beside_it);
    suite_add_tcase(suite, tests);
    return suite;
}
