// Mustache: the official core cases, and the additions of code mode.
#include "generator/render/render.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static arena memory;

static void release_memory(void)
{
    arena_release(&memory);
}

static char *copy(const char *string)
{
    return arena_copy(&memory, string, strlen(string));
}

// Copies all strings: the JSON may be freed afterwards.
static value *value_from_json(const json_t *json)
{
    switch (json_typeof(json)) {
    case JSON_OBJECT: {
        value *map = value_map(&memory);
        json_t *object = (json_t *)json;
        for (void *item = json_object_iter(object); item != NULL; item = json_object_iter_next(object, item))
            value_set(map, copy(json_object_iter_key(item)), value_from_json(json_object_iter_value(item)));
        return map;
    }
    case JSON_ARRAY: {
        value *list = value_list(&memory);
        for (size_t i = 0; i < json_array_size(json); i++)
            value_append(list, value_from_json(json_array_get(json, i)));
        return list;
    }
    case JSON_STRING:
        return value_text(&memory, copy(json_string_value(json)));
    case JSON_INTEGER:
        return value_text(&memory, arena_format(&memory, "%lld", (long long)json_integer_value(json)));
    case JSON_REAL:
        return value_text(&memory, arena_format(&memory, "%.15g", json_real_value(json)));
    case JSON_NULL:
        return value_null(&memory);
    default:
        return value_bool(&memory, json_is_true(json));
    }
}

static value *value_of(const char *json)
{
    json_error_t fault;
    json_t *parsed = json_loads(json, JSON_DECODE_ANY, &fault);
    ck_assert_msg(parsed != NULL, "%s: %s", json, fault.text);
    value *made = value_from_json(parsed);
    json_decref(parsed);
    return made;
}

static mustache_template template_of(const char *name, const char *text)
{
    return (mustache_template){name, text, strlen(text)};
}

// Returns a library of the `partials` of a case and its template, named `main`.
static mustache_library library_of(const char *main_template, json_t *partials)
{
    mustache_template *templates = arena_allocate(&memory, (json_object_size(partials) + 1) * sizeof *templates);
    mustache_library library = {templates, 1};
    templates[0] = template_of("main", main_template);
    for (void *item = json_object_iter(partials); item != NULL; item = json_object_iter_next(partials, item))
        templates[library.count++] =
            template_of(json_object_iter_key(item), json_string_value(json_object_iter_value(item)));
    return library;
}

static void check_case(const char *module, const json_t *described)
{
    const char *name = json_string_value(json_object_get(described, "name"));
    const char *expected = json_string_value(json_object_get(described, "expected"));
    mustache_library library =
        library_of(json_string_value(json_object_get(described, "template")), json_object_get(described, "partials"));
    mustache_request request = {&memory,       &library, "main", value_from_json(json_object_get(described, "data")),
                                MUSTACHE_SPEC, NULL};
    text output = text_create(&memory);
    mustache_error error;
    ck_assert_msg(mustache_render(&request, &output, &error), "%s, %s: refused", module, name);
    ck_assert_msg(strcmp(output.bytes, expected) == 0, "%s, %s: '%s' instead of '%s'", module, name, output.bytes,
                  expected);
}

static size_t check_module(const char *module)
{
    json_error_t fault;
    json_t *json = json_load_file(arena_format(&memory, "%s/mustache-spec/%s.json", shell_data(), module), 0, &fault);
    ck_assert_msg(json != NULL, "%s: %s", module, fault.text);
    const json_t *cases = json_object_get(json, "tests");
    size_t count = json_array_size(cases);
    for (size_t i = 0; i < count; i++)
        check_case(module, json_array_get(cases, i));
    json_decref(json);
    return count;
}

START_TEST(every_core_case_of_the_specification_passes)
{
    static const char *const modules[] = {"comments", "delimiters", "interpolation",
                                          "inverted", "partials",   "sections"};
    FILE *probe = fopen(arena_format(&memory, "%s/mustache-spec/sections.json", shell_data()), "r");
    if (probe == NULL) {
        printf("skipped: the Mustache specification is not at %s/mustache-spec\n", shell_data());
        return;
    }
    fclose(probe);
    size_t count = 0;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        count += check_module(modules[i]);
    ck_assert_uint_eq(count, 136);
}
END_TEST

// Renders a template with the partial `part` in code mode. Returns the output or, on an error, its message.
static const char *render_with_part(const char *main_template, const char *part, const value *data)
{
    mustache_template templates[] = {template_of("main", main_template), template_of("part", part)};
    mustache_library library = {templates, 2};
    mustache_request request = {&memory, &library, "main", data, MUSTACHE_CODE, NULL};
    text output = text_create(&memory);
    mustache_error error;
    return mustache_render(&request, &output, &error) ? output.bytes : mustache_error_line(&memory, &error);
}

static const char *render(const char *main_template, const char *json)
{
    value *data = value_of(json);
    return render_with_part(main_template, "", data);
}

typedef struct rendering {
    const char *source, *data, *expected;
} rendering;

static const rendering code_renderings[] = {
    {"", "{}", ""},
    {"plain { } }} text\n", "{}", "plain { } }} text\n"},
    {"{{a}} {{{a}}} {{&a}}", "{\"a\": \"<&>\\\"\"}", "<&>\" <&>\" <&>\""},
    {"[{{a}}]", "{\"a\": null}", "[]"},
    {"{{a}} {{b}}", "{\"a\": true, \"b\": false}", "true false"},
    {"{{#a}}x{{/a}}{{^a}}y{{/a}}", "{\"a\": \"\"}", "x"},
    {"{{^a}}y{{/a}}", "{\"a\": []}", "y"},
    {"[{{a.b}}{{#a.b.c}}x{{/a.b.c}}]", "{\"a\": null}", "[]"},
    {"[{{a.b}}]", "{\"a\": false}", "[]"},
    {"{{#list}}{{name}} of {{owner}};{{/list}}", "{\"owner\": \"o\", \"list\": [{\"name\": \"a\"}, {\"name\": \"b\"}]}",
     "a of o;b of o;"},
    {"{{#a}}{{#list}}{{.}},{{/list}}{{/a}}", "{\"list\": [\"1\", \"2\"], \"a\": true}", "1,2,"},
    {"{{#a}}\n  x\n{{/a}}\n", "{\"a\": true}", "  x\n"},
};

START_TEST(code_mode_renders_without_escaping)
{
    const rendering *row = &code_renderings[_i];
    ck_assert_str_eq(render(row->source, row->data), row->expected);
}
END_TEST

static const rendering mistakes[] = {
    {"a\n  {{b}}\n", "{}", "main:2:3: error: unknown name 'b'"},
    {"{{#a}}{{/a}}", "{}", "main:1:1: error: unknown name 'a'"},
    {"{{^a}}{{/a}}", "{}", "main:1:1: error: unknown name 'a'"},
    {"{{a.b}}", "{\"a\": {}, \"b\": \"outer\"}", "main:1:1: error: unknown name 'a.b'"},
    {"{{a}}", "{\"a\": [\"x\"]}", "main:1:1: error: 'a' is a list and cannot be printed"},
    {"{{{a}}}", "{\"a\": {}}", "main:1:1: error: 'a' is a map and cannot be printed"},
    {"{{>gone}}", "{}", "main:1:1: error: unknown template 'gone'"},
    {"\xC3\xA4{{b}}", "{}", "main:1:2: error: unknown name 'b'"},
    {"x {{a", "{}", "main:1:3: error: unclosed tag"},
    {"x {{", "{}", "main:1:3: error: unclosed tag"},
    {"{{{a}}", "{}", "main:1:1: error: unclosed tag"},
    {"{{}}", "{}", "main:1:1: error: expected one name without spaces in the tag"},
    {"{{a b}}", "{}", "main:1:1: error: expected one name without spaces in the tag"},
    {"{{#a}}\n", "{\"a\": true}", "main:1:1: error: unclosed section 'a'"},
    {"\n{{/a}}", "{}", "main:2:1: error: section 'a' is not open here"},
    {"{{#a}}\n{{#b}}{{/a}}{{/b}}", "{}", "main:2:7: error: closing 'a', but the open section is 'b' of line 2"},
    {"{{=<% %>}}", "{}", "main:1:1: error: expected {{=OPEN CLOSE=}} to change the delimiters"},
    {"{{=<%=}}", "{}", "main:1:1: error: expected {{=OPEN CLOSE=}} to change the delimiters"},
    {"{{=a b c=}}", "{}", "main:1:1: error: expected {{=OPEN CLOSE=}} to change the delimiters"},
    {"{{==}}", "{}", "main:1:1: error: expected {{=OPEN CLOSE=}} to change the delimiters"},
};

START_TEST(an_error_in_a_template_is_reported_with_its_place)
{
    const rendering *row = &mistakes[_i];
    ck_assert_str_eq(render(row->source, row->data), row->expected);
}
END_TEST

START_TEST(a_missing_template_is_an_error)
{
    mustache_library library = {NULL, 0};
    value *data = value_map(&memory);
    mustache_request request = {&memory, &library, "main", data, MUSTACHE_CODE, NULL};
    text output = text_create(&memory);
    mustache_error error;
    ck_assert(!mustache_render(&request, &output, &error));
    ck_assert_str_eq(mustache_error_line(&memory, &error), "main:1:1: error: unknown template");
}
END_TEST

START_TEST(the_lines_of_a_partial_are_indented_unless_empty)
{
    value *data = value_map(&memory);
    ck_assert_str_eq(render_with_part("{\n    {{>part}}\n}\n", "a;\n\n  b;\r\n\r\nc;\n", data),
                     "{\n    a;\n\n      b;\r\n\r\n    c;\n}\n");
}
END_TEST

START_TEST(places_in_an_indented_partial_refer_to_its_file)
{
    value *data = value_map(&memory);
    ck_assert_str_eq(render_with_part("    {{>part}}\n", "x\n\ny {{b}}\n", data), "part:3:3: error: unknown name 'b'");
}
END_TEST

START_TEST(a_partial_sees_the_sections_around_it)
{
    value *data = value_of("{\"list\": [{\"a\": \"1\"}, {\"a\": \"2\"}], \"b\": \"x\"}");
    ck_assert_str_eq(render_with_part("{{#list}}{{>part}}{{/list}}", "{{a}}{{b}} ", data), "1x 2x ");
}
END_TEST

START_TEST(a_partial_in_a_long_list_is_rendered_for_each_item)
{
    value *data = value_map(&memory);
    value *list = value_list(&memory);
    value_set(data, "list", list);
    for (int i = 0; i < 1000; i++)
        value_append(list, value_text(&memory, "x"));
    ck_assert_uint_eq(strlen(render_with_part("{{#list}}\n  {{>part}}\n{{/list}}\n", "{{.}}\n", data)), 4000);
}
END_TEST

START_TEST(a_partial_without_an_end_is_stopped)
{
    value *data = value_map(&memory);
    ck_assert_str_eq(render_with_part("{{>part}}", "x\n{{>part}}", data),
                     "part:2:1: error: partials nested too deep; at most 64 levels are allowed");
}
END_TEST

// Returns `{{#a}}` `count` times, `inside`, then `{{/a}}` as often.
static const char *nested_sections(int count, const char *inside)
{
    text nested = text_create(&memory);
    for (int i = 0; i < count; i++)
        text_append_string(&nested, "{{#a}}");
    text_append_string(&nested, inside);
    for (int i = 0; i < count; i++)
        text_append_string(&nested, "{{/a}}");
    return nested.bytes;
}

START_TEST(sections_nest_to_their_limit_and_not_beyond)
{
    ck_assert_str_eq(render(nested_sections(63, "x"), "{\"a\": true}"), "x");
    ck_assert_str_eq(render(nested_sections(64, "x"), "{\"a\": true}"), "x");
    ck_assert_str_eq(render(nested_sections(65, "x"), "{\"a\": true}"),
                     "main:1:385: error: sections nested too deep; at most 64 levels are allowed");
}
END_TEST

START_TEST(the_deepest_nesting_that_is_allowed_fits_the_stack)
{
    value *data = value_of("{\"a\": true}");
    ck_assert_str_eq(render_with_part("{{>part}}", nested_sections(64, "{{>part}}"), data),
                     "part:1:385: error: partials nested too deep; at most 64 levels are allowed");
}
END_TEST

START_TEST(an_output_that_grows_too_large_is_stopped)
{
    size_t size = 1024 * 1024;
    char *megabyte = arena_allocate(&memory, size + 1);
    memset(megabyte, 'x', size);
    value *data = value_map(&memory);
    value *list = value_list(&memory);
    value_set(data, "list", list);
    value_set(data, "megabyte", value_text(&memory, megabyte));
    for (int i = 0; i < 65; i++)
        value_append(list, value_bool(&memory, true));
    ck_assert_str_eq(render_with_part("{{#list}}{{megabyte}}{{/list}}", "", data),
                     "main:1:10: error: output is too large");
}
END_TEST

START_TEST(sections_that_repeat_without_end_and_print_nothing_are_stopped)
{
    value *data = value_of("{\"list\": [1, 2, 3]}");
    const char *loops = "";
    for (int i = 0; i < 16; i++)
        loops = arena_format(&memory, "{{#list}}%s{{/list}}", loops);
    ck_assert_ptr_nonnull(strstr(render_with_part(loops, "", data), "output is too large"));
}
END_TEST

Suite *mustache_suite(void)
{
    Suite *suite = suite_create("mustache");
    TCase *cases = tcase_create("mustache");
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, NULL, release_memory);
    tcase_add_test(cases, every_core_case_of_the_specification_passes);
    tcase_add_loop_test(cases, code_mode_renders_without_escaping, 0, sizeof code_renderings / sizeof *code_renderings);
    tcase_add_loop_test(cases, an_error_in_a_template_is_reported_with_its_place, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_test(cases, a_missing_template_is_an_error);
    tcase_add_test(cases, the_lines_of_a_partial_are_indented_unless_empty);
    tcase_add_test(cases, places_in_an_indented_partial_refer_to_its_file);
    tcase_add_test(cases, a_partial_sees_the_sections_around_it);
    tcase_add_test(cases, a_partial_in_a_long_list_is_rendered_for_each_item);
    tcase_add_test(cases, a_partial_without_an_end_is_stopped);
    tcase_add_test(cases, sections_nest_to_their_limit_and_not_beyond);
    tcase_add_test(cases, the_deepest_nesting_that_is_allowed_fits_the_stack);
    tcase_add_test(cases, sections_that_repeat_without_end_and_print_nothing_are_stopped);
    tcase_add_test(cases, an_output_that_grows_too_large_is_stopped);
    suite_add_tcase(suite, cases);
    return suite;
}
