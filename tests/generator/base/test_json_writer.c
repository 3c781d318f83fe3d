// JSON writer: an independent parser reads back what was written, for any content of strings.
#include "generator/base/base.h"
#include "generator/reading.h"
#include "suites.h"

#include <check.h>
#include <jansson.h>
#include <string.h>

static json_t *parse(const text *document)
{
    json_error_t error;
    json_t *root = json_loadb(document->bytes, document->size, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root != NULL, "line %d: %s in %s", error.line, error.text, document->bytes);
    return root;
}

START_TEST(maps_and_lists_are_indented_and_short_ones_stay_on_one_line)
{
    text out = text_create(reading_arena());
    json_writer writer = writer_begin(&out);
    writer_open(&writer, '{');
    writer_set_count(&writer, "count", 18446744073709551615u);
    writer_key(&writer, "list");
    writer_open(&writer, '[');
    writer_open_line(&writer, '{');
    writer_set_bool(&writer, "a", true);
    writer_key(&writer, "b");
    writer_open_line(&writer, '[');
    writer_null(&writer);
    writer_number(&writer, "-1.5e3");
    writer_close(&writer, ']');
    writer_close(&writer, '}');
    writer_open(&writer, '[');
    writer_close(&writer, ']');
    writer_close(&writer, ']');
    writer_set_text(&writer, "none", NULL);
    writer_close(&writer, '}');
    writer_end(&writer);
    ck_assert_str_eq(out.bytes, "{\n"
                                "  \"count\": 18446744073709551615,\n"
                                "  \"list\": [\n"
                                "    {\"a\": true, \"b\": [null, -1.5e3]},\n"
                                "    []\n"
                                "  ],\n"
                                "  \"none\": null\n"
                                "}\n");
}
END_TEST

// Every byte that is a whole character of UTF-8.
START_TEST(every_control_character_and_quote_is_read_back)
{
    char bytes[128];
    for (int i = 1; i < 128; i++)
        bytes[i - 1] = (char)i;
    bytes[127] = '\0';
    text out = text_create(reading_arena());
    json_writer writer = writer_begin(&out);
    writer_open(&writer, '[');
    writer_text(&writer, bytes);
    writer_text(&writer, "\303\244 \342\202\254 \360\237\220\210");
    writer_close(&writer, ']');
    json_t *root = parse(&out);
    ck_assert_str_eq(json_string_value(json_array_get(root, 0)), bytes);
    ck_assert_str_eq(json_string_value(json_array_get(root, 1)), "\303\244 \342\202\254 \360\237\220\210");
    json_decref(root);
}
END_TEST

START_TEST(bytes_that_are_not_utf8_are_replaced)
{
    static const char *const broken[] = {"\377", "\303", "\355\240\200", "\300\257", "\360\237\220"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        text out = text_create(reading_arena());
        json_writer writer = writer_begin(&out);
        writer_open(&writer, '[');
        writer_text(&writer, broken[i]);
        writer_close(&writer, ']');
        json_t *root = parse(&out);
        ck_assert_ptr_eq(strstr(json_string_value(json_array_get(root, 0)), "\357\277\275"),
                         json_string_value(json_array_get(root, 0)));
        json_decref(root);
    }
}
END_TEST

Suite *json_writer_suite(void)
{
    Suite *suite = suite_create("json_writer");
    TCase *tests = tcase_create("json_writer");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, maps_and_lists_are_indented_and_short_ones_stay_on_one_line);
    tcase_add_test(tests, every_control_character_and_quote_is_read_back);
    tcase_add_test(tests, bytes_that_are_not_utf8_are_replaced);
    suite_add_tcase(suite, tests);
    return suite;
}
