// Source: loading files, refusing what cannot be a schema, and converting offsets to lines and columns.
#include "generator/base/base.h"
#include "generator/reading.h"
#include "generator/scratch.h"
#include "generator/source/source.h"
#include "suites.h"

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void begin(void)
{
    scratch_create();
    reading_begin();
}

static void end(void)
{
    reading_end();
    scratch_destroy();
}

static const source *load(const char *path)
{
    return source_load(reading_arena(), reading_diagnostics(), path);
}

// Asserts that loading the path fails with that reason and the exit status of a system failure.
static void expect_refused(const char *path, const char *reason)
{
    ck_assert_ptr_null(load(path));
    ck_assert_int_eq(diagnostics_exit_status(reading_diagnostics()), 3);
    const char *expected = arena_format(reading_arena(), "kin: error: cannot read '%s': %s [K0101]\n", path, reason);
    ck_assert_str_eq(reading_printed(), expected);
}

START_TEST(a_file_is_read_whole)
{
    scratch_write("a.yaml", "kin: 1\npackage: arena\n");
    const source *source = load(scratch_path("a.yaml"));
    ck_assert_ptr_nonnull(source);
    ck_assert_str_eq(source->bytes, "kin: 1\npackage: arena\n");
    ck_assert_uint_eq(source->size, 22);
    ck_assert_str_eq(source->path, scratch_path("a.yaml"));
}
END_TEST

START_TEST(sources_know_the_order_of_loading)
{
    scratch_write("a.yaml", "a");
    scratch_write("b.yaml", "b");
    const source *first = load(scratch_path("b.yaml")), *second = load(scratch_path("a.yaml"));
    ck_assert_uint_eq(first->order, 1);
    ck_assert_uint_eq(second->order, 2);
}
END_TEST

START_TEST(a_missing_file_is_refused)
{
    expect_refused(scratch_path("nowhere.yaml"), "No such file or directory");
}
END_TEST

START_TEST(a_directory_is_refused)
{
    expect_refused(scratch_path(""), "Is a directory");
}
END_TEST

START_TEST(a_pipe_without_a_writer_is_refused_at_once)
{
    ck_assert_int_eq(mkfifo(scratch_path("pipe"), 0600), 0);
    expect_refused(scratch_path("pipe"), "Not a regular file");
}
END_TEST

START_TEST(a_cycle_of_symbolic_links_is_refused)
{
    ck_assert_int_eq(symlink("b.yaml", scratch_path("a.yaml")), 0);
    ck_assert_int_eq(symlink("a.yaml", scratch_path("b.yaml")), 0);
    expect_refused(scratch_path("a.yaml"), "Too many levels of symbolic links");
}
END_TEST

START_TEST(a_device_is_refused)
{
    expect_refused("/dev/null", "Not a regular file");
}
END_TEST

START_TEST(a_file_may_have_one_mebibyte_and_not_a_byte_more)
{
    char *content = arena_allocate(reading_arena(), SOURCE_SIZE_LIMIT + 2);
    memset(content, '#', SOURCE_SIZE_LIMIT);
    scratch_write("full.yaml", content);
    const source *source = load(scratch_path("full.yaml"));
    ck_assert_ptr_nonnull(source);
    ck_assert_uint_eq(source->size, SOURCE_SIZE_LIMIT);

    content[SOURCE_SIZE_LIMIT] = '#';
    scratch_write("over.yaml", content);
    expect_refused(scratch_path("over.yaml"), "File larger than 1048576 bytes");
}
END_TEST

START_TEST(a_dash_reads_standard_input)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq((int)write(ends[1], "kin: 1\n", 7), 7);
    close(ends[1]);
    int saved = dup(STDIN_FILENO);
    dup2(ends[0], STDIN_FILENO);
    const source *source = load("-");
    dup2(saved, STDIN_FILENO);
    close(saved);
    close(ends[0]);
    ck_assert_ptr_nonnull(source);
    ck_assert_str_eq(source->path, "<stdin>");
    ck_assert_str_eq(source->bytes, "kin: 1\n");
}
END_TEST

START_TEST(columns_count_code_points_from_one)
{
    static const struct {
        const char *text;
        size_t offset, line, column;
    } cases[] = {
        {"", 0, 1, 1},
        {"ab", 0, 1, 1},
        {"ab", 2, 1, 3},
        {"a\nb", 1, 1, 2},
        {"a\nb", 2, 2, 1},
        {"a\n", 2, 2, 1},
        {"\xE6\x97\xA5x", 3, 1, 2}, // a code point of three bytes
        {"\xFF\xFEx", 2, 1, 3},     // invalid bytes count one each
        {"\xEF\xBB\xBFx", 3, 1, 1}, // a byte order mark does not count
        {"\xEF\xBB\xBFx", 0, 1, 1},
        {"a\r\nb", 3, 2, 1},
        {"\tx", 1, 1, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        source_position position = source_position_of(reading_source(cases[i].text), cases[i].offset);
        ck_assert_msg(position.line == cases[i].line && position.column == cases[i].column,
                      "case %zu: %zu:%zu, expected %zu:%zu", i, position.line, position.column, cases[i].line,
                      cases[i].column);
    }
}
END_TEST

// In long lines, columns are counted from cached marks. A character of every size crosses each mark.
START_TEST(columns_of_long_lines_count_like_those_of_short_ones)
{
    static const char *const units[] = {"a", "\xC3\x9C", "\xE6\x97\xA5", "\xF0\x9F\x98\x80", "\x80"};
    text filled = text_create(reading_arena());
    text_append_string(&filled, "short\n");
    for (size_t i = 0; filled.size < 20000; i++)
        text_append_string(&filled, units[i * i % 7 % 5]);
    text_append_string(&filled, "\nbehind");
    const source *source = source_from_bytes(reading_arena(), "long", filled.bytes, filled.size);
    size_t column = 1;
    for (size_t offset = 6; filled.bytes[offset] != '\n'; column++) {
        source_position position = source_position_of(source, offset);
        ck_assert_msg(position.line == 2 && position.column == column, "%zu: %zu", offset, position.column);
        offset += utf8_next(filled.bytes + offset, filled.size - offset).size;
    }
    ck_assert_uint_eq(source_position_of(source, filled.size).column, 7);
}
END_TEST

START_TEST(a_line_ends_before_its_line_break)
{
    static const struct {
        const char *text;
        size_t line, start, end;
    } cases[] = {
        {"", 1, 0, 0},       {"ab", 1, 0, 2},         {"ab\ncd", 1, 0, 2},
        {"ab\ncd", 2, 3, 5}, {"ab\r\ncd\n", 1, 0, 2}, {"ab\n", 2, 3, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        span line = source_line(reading_source(cases[i].text), cases[i].line);
        ck_assert_msg(line.start == cases[i].start && line.end == cases[i].end, "case %zu: %zu to %zu", i, line.start,
                      line.end);
    }
}
END_TEST

START_TEST(utf8_is_decoded_as_in_the_standard)
{
    static const struct {
        const char *bytes;
        uint32_t code_point;
        size_t size;
    } cases[] = {
        {"a", 'a', 1},
        {"\x7F", 0x7F, 1},
        {"\xC2\x80", 0x80, 2},
        {"\xDF\xBF", 0x7FF, 2},
        {"\xE0\xA0\x80", 0x800, 3},
        {"\xEF\xBF\xBF", 0xFFFF, 3},
        {"\xF0\x90\x80\x80", 0x10000, 4},
        {"\xF4\x8F\xBF\xBF", 0x10FFFF, 4},
        {"\x80", UTF8_BROKEN, 1},             // a continuation alone
        {"\xC0\x80", UTF8_BROKEN, 1},         // overlong
        {"\xC1\xBF", UTF8_BROKEN, 1},         // overlong
        {"\xE0\x9F\xBF", UTF8_BROKEN, 1},     // overlong
        {"\xF0\x8F\xBF\xBF", UTF8_BROKEN, 1}, // overlong
        {"\xED\xA0\x80", UTF8_BROKEN, 1},     // a surrogate
        {"\xF4\x90\x80\x80", UTF8_BROKEN, 1}, // after the last code point
        {"\xF5\x80\x80\x80", UTF8_BROKEN, 1},
        {"\xC3", UTF8_BROKEN, 1}, // cut off
        {"\xE6\x97", UTF8_BROKEN, 1},
        {"\xC3(", UTF8_BROKEN, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        utf8_step step = utf8_next(cases[i].bytes, strlen(cases[i].bytes));
        ck_assert_msg(step.code_point == cases[i].code_point && step.size == cases[i].size, "case %zu: U+%04X, %zu", i,
                      (unsigned)step.code_point, step.size);
    }
}
END_TEST

Suite *source_suite(void)
{
    Suite *suite = suite_create("source");
    TCase *tests = tcase_create("source");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, a_file_is_read_whole);
    tcase_add_test(tests, sources_know_the_order_of_loading);
    tcase_add_test(tests, a_missing_file_is_refused);
    tcase_add_test(tests, a_directory_is_refused);
    tcase_add_test(tests, a_pipe_without_a_writer_is_refused_at_once);
    tcase_add_test(tests, a_cycle_of_symbolic_links_is_refused);
    tcase_add_test(tests, a_device_is_refused);
    tcase_add_test(tests, a_file_may_have_one_mebibyte_and_not_a_byte_more);
    tcase_add_test(tests, a_dash_reads_standard_input);
    tcase_add_test(tests, columns_count_code_points_from_one);
    tcase_add_test(tests, columns_of_long_lines_count_like_those_of_short_ones);
    tcase_add_test(tests, a_line_ends_before_its_line_break);
    tcase_add_test(tests, utf8_is_decoded_as_in_the_standard);
    suite_add_tcase(suite, tests);
    return suite;
}
