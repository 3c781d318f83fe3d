// The lint of the rooms (tests/tools/lint_rooms.py): each kind of fault, added to two correct rooms. And the page that
// describes the rooms.
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <string.h>

// `upper` is listed first, so that `lower` may use it.
static void begin(void)
{
    scratch_create();
    scratch_write("rooms.txt", "# in order\nx/upper  what is above\nx/lower  what is below\n");
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(), "mkdir -p %s %s", scratch_path("x/upper"), scratch_path("x/lower")));
    scratch_write("x/upper/upper.h", "// upper: what is above\nint one(void);\n");
    scratch_write("x/lower/lower.h", "// lower: what is below\nint low(void);\n");
    scratch_write("x/upper/internal.h", "enum { INNER = 1 };\n");
    scratch_write("x/upper/one.c", "#include \"upper/upper.h\"\n#include \"upper/internal.h\"\n"
                                   "int one(void)\n{\n    return INNER;\n}\n");
    scratch_write("x/upper/two.c", "int two(void);\nint two(void)\n{\n    return 2;\n}\n");
    scratch_write("x/lower/low.c", "#include \"lower/lower.h\"\n#include \"upper/upper.h\"\n"
                                   "int low(void)\n{\n    return one();\n}\n");
}

static shell_result lint(void)
{
    static const char command[] =
        "script=$PWD/tests/tools/lint_rooms.py; cd %s && for source in x/*/*.c; do "
        "%s -Ix -c $source -o ${source%%.c}.o || exit 9; done; python3 $script . rooms.txt && rm x/*/*.o";
    return shell_run(scratch_arena(), arena_format(scratch_arena(), command, scratch_path(""), shell_compiler()));
}

static void expect(const char *said)
{
    shell_result result = lint();
    ck_assert_int_eq(result.status, said[0] == '\0' ? 0 : 1);
    ck_assert_str_eq(result.output, said);
}

START_TEST(rooms_that_use_what_is_above_them_are_right)
{
    expect("");
}
END_TEST

START_TEST(an_include_of_a_lower_room_is_found)
{
    scratch_write("x/upper/two.c", "#include \"lower/lower.h\"\nint two;\n");
    expect("x/upper/two.c: includes x/lower/lower.h, but x/lower is listed after x/upper\n");
}
END_TEST

START_TEST(a_call_of_a_lower_room_is_found)
{
    scratch_write("x/upper/two.c", "int low(void);\nint two(void);\nint two(void)\n{\n    return low();\n}\n");
    expect("x/upper/two.c: calls low of x/lower/low.c, but x/lower is listed after x/upper\n");
}
END_TEST

START_TEST(an_include_of_the_internal_header_of_another_room_is_found)
{
    scratch_write("x/lower/low.c", "#include \"upper/internal.h\"\nint low;\n");
    expect("x/lower/low.c: includes x/upper/internal.h, which is internal to x/upper\n");
}
END_TEST

START_TEST(files_that_call_each_other_are_found_unless_the_header_of_their_room_names_them)
{
    scratch_write("x/upper/one.c", "int two(void);\nint one(void);\nint one(void)\n{\n    return two();\n}\n");
    scratch_write("x/upper/two.c", "int one(void);\nint two(void);\nint two(void)\n{\n    return one();\n}\n");
    expect("x/upper: x/upper/one.c, x/upper/two.c need each other, and x/upper/upper.h does not say so\n");
    scratch_write("x/upper/upper.h",
                  "// upper: what is above\n//\n// Cycle: one.c and two.c, as each asks the other.\nint one(void);\n");
    expect("");
}
END_TEST

START_TEST(a_header_that_is_private_by_a_comment_is_found)
{
    scratch_write("x/upper/one.h", "// One. Private to\n// upper/*.c.\nint one(void);\n");
    expect("x/upper/one.h: is private by a comment; move it to x/upper/internal.h\n");
}
END_TEST

START_TEST(a_room_without_its_line_is_found)
{
    scratch_write("x/upper/upper.h", "// upper: something else\nint one(void);\n");
    expect("x/upper/upper.h: does not begin with '// upper: what is above'\n");
}
END_TEST

START_TEST(a_folder_that_is_not_listed_is_found)
{
    scratch_write("x/other/some.h", "int some;\n");
    scratch_write("x/lower/low.c", "#include \"other/some.h\"\nint low;\n");
    expect("x/lower/low.c: includes x/other/some.h, which is in no room of rooms.txt\n"
           "x/other: is in no room of rooms.txt\n");
}
END_TEST

START_TEST(the_page_about_internals_has_every_room_in_its_order)
{
    const char *command = "sed -nE 's/^([a-z]+\\/[a-z_\\/]*[a-z]) +(.*)/| `\\1` | \\2 |/p' tests/tools/rooms.txt";
    const char *rows = shell_expect(scratch_arena(), command);
    ck_assert_uint_gt(strlen(rows), 0);
    ck_assert_ptr_nonnull(strstr(shell_read(scratch_arena(), "docs/internals.md"), rows));
}
END_TEST

Suite *rooms_suite(void)
{
    Suite *suite = suite_create("rooms");
    TCase *rooms = tcase_create("rooms");
    tcase_set_timeout(rooms, 60);
    tcase_add_checked_fixture(rooms, begin, scratch_destroy);
    tcase_add_test(rooms, rooms_that_use_what_is_above_them_are_right);
    tcase_add_test(rooms, an_include_of_a_lower_room_is_found);
    tcase_add_test(rooms, a_call_of_a_lower_room_is_found);
    tcase_add_test(rooms, an_include_of_the_internal_header_of_another_room_is_found);
    tcase_add_test(rooms, files_that_call_each_other_are_found_unless_the_header_of_their_room_names_them);
    tcase_add_test(rooms, a_header_that_is_private_by_a_comment_is_found);
    tcase_add_test(rooms, a_room_without_its_line_is_found);
    tcase_add_test(rooms, a_folder_that_is_not_listed_is_found);
    tcase_add_test(rooms, the_page_about_internals_has_every_room_in_its_order);
    suite_add_tcase(suite, rooms);
    return suite;
}
