// List as JSON: an independent parser reads it, and sizes and offsets agree with what the compiler made of the test
// packages.
#include "generator/describe/describe.h"
#include "generator/read/read.h"
#include "generator/reading.h"
#include "shell.h"
#include "suites.h"

#include <kin/kin.h>

#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

extern const kin_context_info my_game_info, my_input_info, attic_info, XYsong_info, hall_info, roster_info, solo_info,
    more_info, one_input_info, clan_info;

static const struct {
    const char *schema, *context;
    const kin_context_info *info;
} compiled[] = {
    {"everything", "game", &my_game_info}, {"everything", "input", &my_input_info},
    {"attic", "attic", &attic_info},       {"ballad", "song", &XYsong_info},
    {"keyed", "hall", &hall_info},         {"roster", "roster", &roster_info},
    {"solo", "solo", &solo_info},          {"wide", "more", &more_info},
    {"match", "input", &one_input_info},   {"kinship", "clan", &clan_info},
};

static json_t *root;

static void end(void)
{
    json_decref(root);
    root = NULL;
    reading_end();
}

static json_t *list(const package *package)
{
    reading_expect_nothing();
    text out = text_create(reading_arena());
    list_append_json(&out, package, reading_diagnostics());
    json_error_t error;
    root = json_loads(out.bytes, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root != NULL, "line %d: %s", error.line, error.text);
    return root;
}

static json_t *list_file(const char *path)
{
    const source *source = source_load(reading_arena(), reading_diagnostics(), path);
    ck_assert_ptr_nonnull(source);
    return list(package_read(reading_arena(), reading_diagnostics(), source));
}

static const char *text_of(const json_t *map, const char *key)
{
    const json_t *value = json_object_get(map, key);
    ck_assert_msg(value != NULL, "no key %s", key);
    return json_string_value(value);
}

static void expect_text(const json_t *map, const char *key, const char *text)
{
    ck_assert_pstr_eq(text_of(map, key), text);
}

// Skips the comparison if the value is null, which means that it is unknown.
static void expect_count(const json_t *map, const char *key, size_t count)
{
    const json_t *value = json_object_get(map, key);
    ck_assert_msg(value != NULL, "no key %s", key);
    if (!json_is_null(value))
        ck_assert_msg((size_t)json_integer_value(value) == count, "%s of %s: %d, but %zu", key, text_of(map, "name"),
                      (int)json_integer_value(value), count);
}

static json_t *find(const char *list, const char *name)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(root, list), i, item)
    {
        if (strcmp(text_of(item, "name"), name) == 0)
            return item;
    }
    ck_abort_msg("no %s in %s", name, list);
    return NULL;
}

static void expect_type(const kin_type_info *info)
{
    const json_t *type = find("types", info->name);
    expect_text(type, "doc", info->doc);
    expect_count(type, "size", info->size);
    expect_count(type, "alignment", info->alignment);
    ck_assert_uint_eq(json_array_size(json_object_get(type, "values")), info->value_count);
    for (size_t i = 0; i < info->value_count; i++) {
        const json_t *value = json_array_get(json_object_get(type, "values"), i);
        expect_text(value, "name", info->values[i].name);
        ck_assert_int_eq(json_integer_value(json_object_get(value, "value")), info->values[i].value);
    }
}

// Returns the spelling of a number.
static const char *spelling_of(const json_t *number)
{
    char *spelled = json_dumps(number, JSON_ENCODE_ANY);
    const char *copy = arena_format(reading_arena(), "%s", spelled);
    free(spelled);
    return copy;
}

static void expect_bound(const json_t *bound, bool is_given, kin_number number, kin_type type)
{
    ck_assert_int_eq(json_is_null(bound), !is_given);
    const char *text = json_is_string(bound) ? json_string_value(bound) : spelling_of(bound);
    if (is_given && type >= KIN_TYPE_FLOAT)
        ck_assert_double_eq(type == KIN_TYPE_FLOAT ? (double)strtof(text, NULL) : strtod(text, NULL), number.number);
    else if (is_given && type >= KIN_TYPE_UINT8)
        ck_assert_uint_eq(strtoull(text, NULL, 10), number.natural);
    else if (is_given)
        ck_assert_int_eq(strtoll(text, NULL, 10), number.integer);
}

static void expect_range(const json_t *range, const kin_field_info *info)
{
    ck_assert_int_eq(json_is_null(range), info->range == NULL);
    if (info->range == NULL)
        return;
    ck_assert_uint_eq(json_array_size(range), 2);
    expect_bound(json_array_get(range, 0), info->range->has_min, info->range->min, info->type);
    expect_bound(json_array_get(range, 1), info->range->has_max, info->range->max, info->type);
}

static const char *inspect_name(kin_inspect_mode inspect)
{
    static const char *const names[] = {
        [KIN_INSPECT_EDIT] = NULL, [KIN_INSPECT_READ_ONLY] = "read_only", [KIN_INSPECT_HIDDEN] = "hidden"};
    return names[inspect];
}

// NULL for KIN_ON_DESTROY_KEEP: the field is no relation.
static const char *on_destroy_name(kin_on_destroy on_destroy)
{
    static const char *const names[] = {[KIN_ON_DESTROY_KEEP] = NULL,
                                        [KIN_ON_DESTROY_CLEAR] = "clear",
                                        [KIN_ON_DESTROY_REMOVE] = "remove",
                                        [KIN_ON_DESTROY_DESTROY] = "destroy",
                                        [KIN_ON_DESTROY_REFUSE] = "refuse"};
    return names[on_destroy];
}

static void expect_field(const json_t *field, const kin_field_info *info)
{
    expect_text(field, "name", info->name);
    expect_text(field, "doc", info->doc);
    expect_text(field, "unit", info->unit);
    expect_text(field, "of", info->of == NULL ? NULL : info->of->name);
    expect_text(field, "target", info->target);
    expect_count(field, "offset", info->offset);
    expect_count(field, "size", info->size);
    ck_assert_int_eq(json_integer_value(json_object_get(field, "count")), info->count);
    expect_range(json_object_get(field, "range"), info);
    expect_text(field, "inspect", inspect_name(info->inspect));
    expect_text(field, "on_destroy", on_destroy_name(info->on_destroy));
    expect_text(field, "reverse", info->reverse);
    ck_assert_int_eq(json_is_true(json_object_get(field, "is_tree")), info->is_tree);
    if (info->of != NULL)
        expect_type(info->of);
}

static void expect_label(const json_t *label, const kin_context_info *info)
{
    ck_assert_int_eq(json_is_null(label), info->label == NULL);
    if (info->label == NULL)
        return;
    expect_text(label, "component", info->components[info->label->component].name);
    expect_text(label, "field", info->label->field->name);
}

START_TEST(sizes_and_offsets_are_those_of_the_compiler)
{
    list_file(arena_format(reading_arena(), "tests/schemas/%s.yaml", compiled[_i].schema));
    const kin_context_info *info = compiled[_i].info;
    const json_t *names = json_object_get(find("contexts", compiled[_i].context), "components");
    ck_assert_uint_eq(json_array_size(names), info->component_count);
    expect_label(json_object_get(find("contexts", compiled[_i].context), "label"), info);
    for (size_t i = 0; i < info->component_count; i++) {
        const kin_component_info *expected = &info->components[i];
        ck_assert_str_eq(json_string_value(json_array_get(names, i)), expected->name);
        const json_t *component = find("components", expected->name), *fields = json_object_get(component, "fields");
        expect_text(component, "doc", expected->doc);
        expect_text(component, "inspect", inspect_name(expected->inspect));
        expect_count(component, "size", expected->size);
        if (expected->field_count > 0)
            expect_count(component, "alignment", expected->alignment);
        ck_assert_int_eq(json_is_true(json_object_get(component, "is_unique")), expected->is_unique);
        ck_assert_int_eq(strcmp(text_of(component, "layout"), "boxed") == 0, expected->is_boxed);
        ck_assert_int_eq(strcmp(text_of(component, "layout"), "soa") == 0, expected->is_soa);
        ck_assert_uint_eq(json_array_size(fields), expected->field_count);
        for (size_t k = 0; k < expected->field_count; k++)
            expect_field(json_array_get(fields, k), &expected->fields[k]);
    }
}
END_TEST

START_TEST(groups_indices_and_events_are_those_of_the_tables)
{
    list_file(arena_format(reading_arena(), "tests/schemas/%s.yaml", compiled[_i].schema));
    const kin_context_info *info = compiled[_i].info;
    const struct {
        const char *list;
        size_t count;
    } lists[] = {{"groups", info->group_count}, {"indices", info->index_count}, {"events", info->event_count}};
    for (size_t k = 0; k < 3; k++) {
        size_t i, found = 0;
        json_t *item;
        json_array_foreach(json_object_get(root, lists[k].list), i, item)
        {
            if (strcmp(text_of(item, "context"), compiled[_i].context) != 0)
                continue;
            ck_assert_uint_lt(found, lists[k].count);
            const char *names[] = {k == 0 ? info->groups[found].name : "", k == 1 ? info->indices[found].name : "",
                                   k == 2 ? info->events[found].name : ""};
            expect_text(item, "name", names[k]);
            found++;
        }
        ck_assert_uint_eq(found, lists[k].count);
    }
}
END_TEST

START_TEST(relations_are_those_of_the_tables)
{
    list_file(arena_format(reading_arena(), "tests/schemas/%s.yaml", compiled[_i].schema));
    const kin_context_info *info = compiled[_i].info;
    size_t i, found = 0;
    json_t *item;
    json_array_foreach(json_object_get(root, "relations"), i, item)
    {
        if (strcmp(text_of(item, "context"), compiled[_i].context) != 0)
            continue;
        ck_assert_uint_lt(found, info->relation_count);
        const kin_relation_info *relation = &info->relations[found++];
        expect_text(item, "name", relation->name);
        expect_text(item, "component", info->components[relation->component].name);
        expect_text(item, "field", relation->field->name);
        expect_text(item, "on_destroy", on_destroy_name(relation->on_destroy));
        ck_assert_int_eq(json_is_true(json_object_get(item, "is_tree")), relation->is_tree);
        ck_assert_int_eq(relation->on_destroy, relation->field->on_destroy);
        ck_assert_pstr_eq(relation->name, relation->field->reverse);
        ck_assert_int_eq(relation->is_tree, relation->field->is_tree);
    }
    ck_assert_uint_eq(found, info->relation_count);
}
END_TEST

static const struct {
    const char *type, *json;
} defaults[] = {
    {"{ type: bool, default: true }", "true"},
    {"int32", "0"},
    {"{ type: int32, default: -2147483648 }", "-2147483648"},
    {"{ type: uint32, default: 4294967295 }", "4294967295"},
    {"{ type: int64, default: 9007199254740992 }", "9007199254740992"},
    {"{ type: int64, default: -9223372036854775808 }", "\"-9223372036854775808\""},
    {"{ type: uint64, default: 18446744073709551615 }", "\"18446744073709551615\""},
    {"{ type: float, default: 1 }", "1.0"},
    {"{ type: double, default: -2.5e-10 }", "-2.5e-10"},
    {"{ type: 'string[7]', default: 'a\"b' }", "\"a\\\"b\""},
    {"{ type: string, default: text }", "\"text\""},
    {"string", "null"},
    {"entity", "null"},
    {"Side", "\"Red\""},
    {"{ type: Vec2, default: { x: 3 } }", "{\"x\": 3.0, \"y\": 1.0}"},
    {"'bool[2]'", "[false, false]"},
    {"'int8[16]'", "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"},
    {"'int8[60000]'", "{\"each\": 0}"},
    {"'Vec2[17]'", "{\"each\": {\"x\": 0.0, \"y\": 1.0}}"},
    {"{ type: 'Side[2]', default: [Blue, Red] }", "[\"Blue\", \"Red\"]"},
};

START_TEST(a_default_is_the_initial_value_of_a_component)
{
    const char *schema = arena_format(reading_arena(),
                                      "types:\n"
                                      "  Vec2: { fields: { x: float, y: { type: float, default: 1 } } }\n"
                                      "  Side: { values: { Red: 4, Blue: 0 } }\n"
                                      "components: { C: { fields: { f: %s } } }\n",
                                      defaults[_i].type);
    list(reading_package_in_game(schema));
    const json_t *field = json_array_get(json_object_get(find("components", "C"), "fields"), 0);
    json_t *expected = json_loads(defaults[_i].json, JSON_DECODE_ANY, NULL);
    ck_assert_ptr_nonnull(expected);
    ck_assert(json_equal(json_object_get(field, "default"), expected));
    ck_assert_int_eq(json_is_true(json_object_get(field, "has_default")), strstr(defaults[_i].type, "default") != NULL);
    json_decref(expected);
}
END_TEST

START_TEST(a_place_is_where_the_name_is_declared)
{
    list(reading_package_in_game("components:\n  Thing: { events: [ { target: any } ] }\n"));
    const json_t *place = json_object_get(find("components", "Thing"), "place");
    expect_text(place, "file", "test.yaml");
    ck_assert_int_eq(json_integer_value(json_object_get(place, "line")), 5);
    ck_assert_int_eq(json_integer_value(json_object_get(place, "column")), 3);
    place = json_object_get(find("events", "any_thing"), "place");
    ck_assert_int_eq(json_integer_value(json_object_get(place, "line")), 5);
}
END_TEST

START_TEST(unknown_sizes_and_offsets_are_null)
{
    list(reading_package_in_game("types: { Thing: { opaque: struct thing, header: thing.h } }\n"
                                 "components: { C: { fields: { a: int8, b: int16, c: Thing, d: int8 } } }\n"));
    const json_t *component = find("components", "C"), *fields = json_object_get(component, "fields");
    ck_assert(json_is_null(json_object_get(component, "size")));
    ck_assert(json_is_null(json_object_get(component, "padding")));
    static const int offsets[] = {0, 2, -1, -1};
    for (size_t i = 0; i < 4; i++) {
        const json_t *offset = json_object_get(json_array_get(fields, i), "offset");
        ck_assert_int_eq(json_is_null(offset) ? -1 : (int)json_integer_value(offset), offsets[i]);
    }
}
END_TEST

// ---- schemas with errors

static const schema_folders no_folders;

// Lists a schema that may have errors.
static json_t *list_known(const source *source)
{
    diagnostics *diagnostics = reading_diagnostics();
    const package *package = package_read_known(reading_arena(), diagnostics, source, &no_folders);
    text out = text_create(reading_arena());
    list_append_json(&out, package, diagnostics);
    json_error_t error;
    json_decref(root);
    root = json_loads(out.bytes, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root != NULL, "line %d: %s", error.line, error.text);
    bool has_errors = diagnostics_error_count(diagnostics) > 0;
    ck_assert_int_eq(json_object_get(root, "diagnostics") != NULL, has_errors);
    return root;
}

static const json_t *item(const json_t *map, const char *list, size_t index)
{
    return json_array_get(json_object_get(map, list), index);
}

START_TEST(a_schema_with_errors_is_listed_as_far_as_it_is_known)
{
    list_known(reading_source("kin: 1\npackage: arena\ncontexts: { game: {} }\n"
                              "components:\n"
                              "  Position: { doc: Where it is., fields: { x: float, y: flaot } }\n"
                              "  Frozen: {}\n"
                              "groups:\n"
                              "  movers: { all: [Position, Velocty] }\n"
                              "  lost: { context: gone, all: [Position] }\n"
                              "systems:\n"
                              "  Move: { group: movers, after: [Steer] }\n"
                              "  Steer: { group: nobody, after: [Move] }\n"));
    const json_t *position = item(root, "components", 1);
    expect_text(position, "name", "Position");
    expect_text(position, "doc", "Where it is.");
    expect_text(item(position, "fields", 0), "type", "float");
    expect_text(item(position, "fields", 1), "name", "y");
    expect_text(item(position, "fields", 1), "type", NULL);
    ck_assert(json_is_null(json_object_get(item(position, "fields", 1), "default")));
    ck_assert(json_is_null(json_object_get(position, "size")));
    expect_text(item(root, "groups", 0), "name", "lost");
    expect_text(item(root, "groups", 0), "context", NULL);
    expect_text(item(root, "groups", 1), "context", "game");
    expect_text(item(root, "systems", 0), "name", "Move");
    expect_text(item(root, "systems", 0), "group", "movers");
    expect_text(item(root, "systems", 1), "group", NULL);
}
END_TEST

START_TEST(diagnostics_of_a_list_are_those_of_the_diagnostics_flag)
{
    list_known(reading_source("kin: 1\npackage: arena\ncontexts: { game: {} }\n"
                              "components: { Position: { fields: { x: flaot } } }\n"));
    const json_t *first = item(root, "diagnostics", 0);
    ck_assert_uint_eq(json_array_size(json_object_get(root, "diagnostics")), 1);
    reading_diagnostics()->options.is_json = true;
    json_t *printed = json_loads(reading_printed(), 0, NULL);
    ck_assert(json_equal(first, printed));
    expect_text(first, "fix", "float");
    json_decref(printed);
}
END_TEST

// The schema without one of its lines, which is an error at most.
START_TEST(a_schema_without_any_line_is_listed)
{
    static const char *const files[] = {"tests/schemas/everything.yaml", "tests/schemas/kinship.yaml",
                                        "schemas/arena.yaml", "examples/storm/storm.yaml"};
    const source *whole = source_load(reading_arena(), reading_diagnostics(), files[_i]);
    for (size_t start = 0; start < whole->size;) {
        size_t end = start + strcspn(whole->bytes + start, "\n") + 1;
        text text = text_create(reading_arena());
        text_append(&text, whole->bytes, start);
        text_append_string(&text, end < whole->size ? whole->bytes + end : "");
        list_known(reading_source(text.bytes));
        *reading_diagnostics() = diagnostics_create(reading_arena());
        start = end;
    }
}
END_TEST

START_TEST(every_invalid_schema_is_listed)
{
    const char *files = shell_expect(reading_arena(), "ls tests/bad/*/*.yaml");
    size_t count = 0;
    for (const char *line = files; *line != '\0'; line = strchr(line, '\n') + 1, count++) {
        const char *path = arena_copy(reading_arena(), line, strcspn(line, "\n"));
        const source *source = source_load(reading_arena(), reading_diagnostics(), path);
        if (source != NULL)
            list_known(source);
        *reading_diagnostics() = diagnostics_create(reading_arena());
    }
    ck_assert_uint_gt(count, 100);
}
END_TEST

Suite *list_json_suite(void)
{
    Suite *suite = suite_create("list_json");
    TCase *tests = tcase_create("list_json");
    tcase_add_checked_fixture(tests, reading_begin, end);
    tcase_add_loop_test(tests, sizes_and_offsets_are_those_of_the_compiler, 0, sizeof compiled / sizeof *compiled);
    tcase_add_loop_test(tests, groups_indices_and_events_are_those_of_the_tables, 0,
                        sizeof compiled / sizeof *compiled);
    tcase_add_loop_test(tests, relations_are_those_of_the_tables, 0, sizeof compiled / sizeof *compiled);
    tcase_add_loop_test(tests, a_default_is_the_initial_value_of_a_component, 0, sizeof defaults / sizeof *defaults);
    tcase_add_test(tests, a_place_is_where_the_name_is_declared);
    tcase_add_test(tests, unknown_sizes_and_offsets_are_null);
    tcase_add_test(tests, a_schema_with_errors_is_listed_as_far_as_it_is_known);
    tcase_add_test(tests, diagnostics_of_a_list_are_those_of_the_diagnostics_flag);
    tcase_add_loop_test(tests, a_schema_without_any_line_is_listed, 0, 4);
    tcase_add_test(tests, every_invalid_schema_is_listed);
    suite_add_tcase(suite, tests);
    return suite;
}
