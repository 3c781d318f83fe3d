// Rendering: its version number is raised whenever its output changes.
//
// A run reuses outputs whose inputs are unchanged, and the renderer's version is one of these inputs. Without a new
// version, a new kin would keep the outputs of an older one.

#include "generator/base/base.h"
#include "generator/render/internal.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static arena memory;

static void release_memory(void)
{
    arena_release(&memory);
}

static const mustache_template templates[] = {
    {"main",
     "// {{text}}, {{{text}}}, {{&text}}\n"
     "{{#map}}\n{{text}} {{list}}{{^no}}!{{/no}}\n{{/map}}\n"
     "    {{> inner}}\n"
     "{{#list}}{{.}}, {{/list}}\n"
     "{{=<% %>=}}<% map.text %>\n<%! a comment %>\n"
     "int function_of_a_long_name(const context_of_a_long_name *first, const context_of_a_long_name *second, int "
     "third, "
     "const char *literal = \"a, b, c, d\");\n"
     "// A comment that is longer than the lines of generated code may be, so that it has to go on in another line, "
     "here.\n"
     "// A comment that is longer than the lines of generated code may be, so that it has to go on in another line, "
     "twice "
     "or more often, which makes a third line of it, that is as long as it is.\n"
     "#define MACRO(a, b) a_long_name_of_something(a, b), a_long_name_of_something(b, a), a_long_name_of_something(a, "
     "a), \\\n    b\n",
     0},
    {"inner", "one {{text}}\n\ntwo\n{{#yes}}\nthree\n{{/yes}}", 0},
};

static value *make_data(void)
{
    value *root = value_map(&memory), *list = value_list(&memory), *map = value_map(&memory);
    value_append(list, value_text(&memory, "1"));
    value_append(list, value_text(&memory, "2"));
    value_set(map, "text", value_text(&memory, "of the map"));
    value_set(map, "list", value_text(&memory, "of the map"));
    value_set(root, "text", value_text(&memory, "<&>\""));
    value_set(root, "list", list);
    value_set(root, "map", map);
    value_set(root, "no", value_bool(&memory, false));
    value_set(root, "yes", value_bool(&memory, true));
    return root;
}

START_TEST(changed_output_has_a_new_version_number)
{
    static const struct {
        int number;
        uint64_t hash;
    } known = {1, 0x570ba87713d448da};
    mustache_template sized[] = {templates[0], templates[1]};
    for (size_t i = 0; i < 2; i++)
        sized[i].size = strlen(sized[i].bytes);
    mustache_library library = {sized, 2};
    mustache_request request = {&memory, &library, "main", make_data(), MUSTACHE_CODE, NULL};
    text rendered = text_create(&memory), wrapped = text_create(&memory);
    mustache_error error = {0};
    ck_assert_msg(mustache_render(&request, &rendered, &error), "%s", error.message);
    wrap_lines(&wrapped, rendered.bytes, rendered.size);
    ck_assert_int_eq(RENDER_NUMBER, known.number);
    ck_assert_msg(hash_of(wrapped.bytes, wrapped.size) == known.hash,
                  "raise RENDER_NUMBER, and put it here together with 0x%016llx, which is the hash of\n%s",
                  (unsigned long long)hash_of(wrapped.bytes, wrapped.size), wrapped.bytes);
}
END_TEST

Suite *render_suite(void)
{
    Suite *suite = suite_create("render");
    TCase *cases = tcase_create("render");
    tcase_add_checked_fixture(cases, NULL, release_memory);
    tcase_add_test(cases, changed_output_has_a_new_version_number);
    suite_add_tcase(suite, cases);
    return suite;
}
