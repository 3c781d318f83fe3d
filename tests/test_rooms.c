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
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "mkdir -p %s %s", scratch_path("x/upper/private"),
                                               scratch_path("x/lower/private")));
    scratch_write("x/upper/room.h", "// upper: what is above\n");
    scratch_write("x/lower/room.h", "// lower: what is below\n");
    scratch_write("x/upper/one.h", "// One.\nint one(void);\n");
    scratch_write("x/upper/private/inner.h", "enum { INNER = 1 };\n");
    scratch_write("x/upper/one.c", "#include \"upper/one.h\"\n#include \"upper/private/inner.h\"\n"
                                   "int one(void)\n{\n    return INNER;\n}\n");
    scratch_write("x/upper/two.c", "int two(void);\nint two(void)\n{\n    return 2;\n}\n");
    scratch_write("x/lower/low.h", "int low(void);\n");
    scratch_write("x/lower/low.c", "#include \"lower/low.h\"\n#include \"upper/one.h\"\n"
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
    scratch_write("x/upper/two.c", "#include \"lower/low.h\"\nint two;\n");
    expect("x/upper/two.c: includes x/lower/low.h, but x/lower is listed after x/upper\n");
}
END_TEST

START_TEST(a_call_of_a_lower_room_is_found)
{
    scratch_write("x/upper/two.c", "int low(void);\nint two(void);\nint two(void)\n{\n    return low();\n}\n");
    expect("x/upper/two.c: calls low of x/lower/low.c, but x/lower is listed after x/upper\n");
}
END_TEST

START_TEST(an_include_of_a_private_header_is_found)
{
    scratch_write("x/lower/low.h", "#include \"upper/private/inner.h\"\nint low(void);\n");
    expect("x/lower/low.h: includes x/upper/private/inner.h, which is private to x/upper\n");
}
END_TEST

START_TEST(an_include_of_the_internal_header_of_another_room_is_found)
{
    scratch_write("x/upper/internal.h", "enum { OUTER = 2 };\n");
    scratch_write("x/lower/low.h", "#include \"upper/internal.h\"\nint low(void);\n");
    expect("x/lower/low.h: includes x/upper/internal.h, which is private to x/upper\n");
}
END_TEST

START_TEST(the_header_of_a_room_can_have_its_name)
{
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "mv %s %s", scratch_path("x/upper/room.h"),
                                               scratch_path("x/upper/upper.h")));
    expect("");
    scratch_write("x/upper/upper.h", "// upper: something else\n");
    expect("x/upper/upper.h: does not begin with '// upper: what is above'\n");
}
END_TEST

START_TEST(files_that_call_each_other_are_found_unless_the_header_of_their_room_names_them)
{
    scratch_write("x/upper/one.c", "int two(void);\nint one(void);\nint one(void)\n{\n    return two();\n}\n");
    scratch_write("x/upper/two.c", "int one(void);\nint two(void);\nint two(void)\n{\n    return one();\n}\n");
    expect("x/upper: x/upper/one.c, x/upper/two.c need each other, and room.h does not say so\n");
    scratch_write("x/upper/room.h",
                  "// upper: what is above\n//\n// Cycle: one.c and two.c, as each asks the other.\n");
    expect("");
}
END_TEST

START_TEST(a_header_that_is_private_by_a_comment_is_found)
{
    scratch_write("x/upper/one.h", "// One. Private to\n// upper/*.c.\nint one(void);\n");
    expect("x/upper/one.h: is private by a comment; move it to x/upper/private\n");
}
END_TEST

START_TEST(a_source_among_private_headers_is_found)
{
    scratch_write("x/upper/private/three.c", "int three;\n");
    expect("x/upper/private/three.c: is in private/, which is for headers\n");
}
END_TEST

START_TEST(a_room_without_its_line_is_found)
{
    scratch_write("x/upper/room.h", "// upper: something else\n");
    expect("x/upper/room.h: does not begin with '// upper: what is above'\n");
}
END_TEST

START_TEST(a_header_named_like_its_room_says_what_that_owns)
{
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "mv %s %s", scratch_path("x/lower/room.h"),
                                               scratch_path("x/lower/lower.h")));
    expect("");
    scratch_write("x/lower/lower.h", "// lower: something else\n");
    expect("x/lower/lower.h: does not begin with '// lower: what is below'\n");
}
END_TEST

START_TEST(an_include_of_an_internal_header_is_found)
{
    scratch_write("x/upper/internal.h", "enum { INTERNAL = 1 };\n");
    scratch_write("x/upper/two.c", "#include \"upper/internal.h\"\nint two;\n");
    scratch_write("x/lower/low.h", "#include \"upper/internal.h\"\nint low(void);\n");
    expect("x/lower/low.h: includes x/upper/internal.h, which is private to x/upper\n");
}
END_TEST

START_TEST(a_folder_that_is_not_listed_is_found)
{
    scratch_write("x/other/some.h", "int some;\n");
    scratch_write("x/lower/low.h", "#include \"other/some.h\"\nint low(void);\n");
    expect("x/lower/low.h: includes x/other/some.h, which is in no room of rooms.txt\n"
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
    tcase_add_test(rooms, an_include_of_a_private_header_is_found);
    tcase_add_test(rooms, an_include_of_the_internal_header_of_another_room_is_found);
    tcase_add_test(rooms, the_header_of_a_room_can_have_its_name);
    tcase_add_test(rooms, files_that_call_each_other_are_found_unless_the_header_of_their_room_names_them);
    tcase_add_test(rooms, a_header_that_is_private_by_a_comment_is_found);
    tcase_add_test(rooms, a_source_among_private_headers_is_found);
    tcase_add_test(rooms, a_room_without_its_line_is_found);
    tcase_add_test(rooms, a_header_named_like_its_room_says_what_that_owns);
    tcase_add_test(rooms, an_include_of_an_internal_header_is_found);
    tcase_add_test(rooms, a_folder_that_is_not_listed_is_found);
    tcase_add_test(rooms, the_page_about_internals_has_every_room_in_its_order);
    suite_add_tcase(suite, rooms);
    return suite;
}
