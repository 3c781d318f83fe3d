// Names: letter cases, reserved words and suggestions for misspelled names.
#include "generator/base/base.h"
#include "generator/reading.h"
#include "generator/schema/schema.h"
#include "suites.h"

#include <check.h>
#include <string.h>

START_TEST(a_word_begins_as_the_contract_says)
{
    static const struct {
        const char *name, *snake, *upper;
    } cases[] = {
        {"Position", "position", "POSITION"},
        {"HttpServer", "http_server", "HTTP_SERVER"},
        {"HTTPServer", "http_server", "HTTP_SERVER"},
        {"Pos2D", "pos2_d", "POS2_D"},
        {"Pos2d", "pos2d", "POS2D"},
        {"ISOn", "is_on", "IS_ON"},
        {"IsOn", "is_on", "IS_ON"},
        {"X", "x", "X"},
        {"HUD", "hud", "HUD"},
        {"AX", "ax", "AX"},
        {"AxB", "ax_b", "AX_B"},
        {"A1B2", "a1_b2", "A1_B2"},
        {"dark_red", "dark_red", "DARK_RED"},
        {"dark_Red", "dark_red", "DARK_RED"},
        {"my_", "my_", "MY_"},
        {"", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_str_eq(name_to_snake_case(reading_arena(), cases[i].name), cases[i].snake);
        ck_assert_str_eq(name_to_upper_case(reading_arena(), cases[i].name), cases[i].upper);
    }
}
END_TEST

START_TEST(letter_cases_are_recognized)
{
    static const struct {
        const char *name;
        bool is_identifier, is_pascal, is_snake;
    } cases[] = {
        {"Position", true, true, false},
        {"HUD", true, true, false},
        {"P2", true, true, false},
        {"position", true, false, true},
        {"max_points2", true, false, true},
        {"x", true, false, true},
        {"Http_Server", true, false, false},
        {"maxPoints", true, false, false},
        {"_x", true, false, false},
        {"x_", true, false, false},
        {"x__y", true, false, false},
        {"2d", false, false, false},
        {"a-b", false, false, false},
        {"a b", false, false, false},
        {"Gr\xC3\xB6\xC3\x9F"
         "e",
         false, false, false},
        {"", false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(name_is_identifier(cases[i].name) == cases[i].is_identifier, "identifier %s", cases[i].name);
        ck_assert_msg(name_is_pascal_case(cases[i].name) == cases[i].is_pascal, "PascalCase %s", cases[i].name);
        ck_assert_msg(name_is_snake_case(cases[i].name) == cases[i].is_snake, "snake_case %s", cases[i].name);
    }
}
END_TEST

START_TEST(a_name_in_the_wrong_case_gets_a_suggestion)
{
    static const struct {
        const char *name, *pascal, *snake;
    } cases[] = {
        {"http-server", "HttpServer", "http_server"},
        {"HttpServer", "HttpServer", "http_server"},
        {"max points", "MaxPoints", "max_points"},
        {"_x", "X", "x"},
        {"x__y_", "XY", "x_y"},
        {"2d", NULL, NULL},
        {"Gr\xC3\xB6\xC3\x9F"
         "e",
         NULL, NULL},
        {"--", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_pstr_eq(name_suggest_pascal_case(reading_arena(), cases[i].name), cases[i].pascal);
        ck_assert_pstr_eq(name_suggest_snake_case(reading_arena(), cases[i].name), cases[i].snake);
    }
}
END_TEST

START_TEST(keywords_and_names_of_headers_are_reserved)
{
    static const struct {
        const char *name, *reserved;
    } cases[] = {
        {"alignas", "a keyword of C"},
        {"while", "a keyword of C"},
        {"nullptr", "a keyword of C"},
        {"typeof_unqual", "a keyword of C"},
        {"and", "a keyword of C++"},
        {"class", "a keyword of C++"},
        {"co_yield", "a keyword of C++"},
        {"xor_eq", "a keyword of C++"},
        {"NULL", "a name that C headers define"},
        {"size_t", "a name that C headers define"},
        {"INT16_MAX", "a name that C headers define"},
        {"SIZE_MAX", "a name that C headers define"},
        {"SIZE_WIDTH", "a name that C headers define"},
        {"WINT_WIDTH", "a name that C headers define"},
        {"uint_least8_t", "a name that C headers define"},
        {"SIZE_MIN", NULL},
        {"errno", NULL},
        {"linux", "a name that C headers define"},
        {"position", NULL},
        {"Class", NULL},
        {"entity", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_pstr_eq(name_reserved_as(cases[i].name), cases[i].reserved);
}
END_TEST

START_TEST(names_of_common_headers_are_known_by_header)
{
    static const struct {
        const char *name, *header;
    } cases[] = {
        {"errno", "a standard header"},
        {"BUFSIZ", "a standard header"},
        {"wint_t", "a standard header"},
        {"FP_NAN", "a standard header"},
        {"LC_ALL", "a standard header"},
        {"pthread_create", "a standard header"},
        {"ECHO", "a standard header"},
        {"near", "windows.h"},
        {"far", "windows.h"},
        {"small", "windows.h"},
        {"interface", "windows.h"},
        {"IN", "windows.h"},
        {"OUT", "windows.h"},
        {"ERROR", "windows.h"},
        {"CreateWindow", "windows.h"},
        {"GetObject", "windows.h"},
        {"Rectangle", "windows.h"},
        {"ERROR_SUCCESS", "windows.h"},
        {"None", "a header of X11"},
        {"Bool", "a header of X11"},
        {"Status", "a header of X11"},
        {"Success", "a header of X11"},
        {"Always", "a header of X11"},
        {"Below", "a header of X11"},
        {"KEY_LEFT", "curses.h"},
        {"COLOR_RED", "curses.h"},
        {"NULL", NULL},
        {"position", NULL},
        {"min", NULL},
        {"Position", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_pstr_eq(name_header(cases[i].name), cases[i].header);
}
END_TEST

START_TEST(the_parameter_is_named_after_its_context_unless_that_hides_a_name)
{
    static const char *const others[] = {"a",
                                         "copy",
                                         "entity",
                                         "i",
                                         "it",
                                         "memset",
                                         "place",
                                         "value",
                                         "kin_group",
                                         "game_entity",
                                         "game_component",
                                         "game_context",
                                         "game_info",
                                         "x_iter",
                                         "game_all_iter",
                                         "function",
                                         "listener",
                                         "user",
                                         "game_any_score_listener"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        ck_assert_msg(!name_is_parameter(others[i]), "%s", others[i]);
    ck_assert(name_is_parameter("game") && name_is_parameter("info") && name_is_parameter("places"));
}
END_TEST

static const char *const words[] = {
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "bool",
    "constexpr",
    "false",
    "true",
    "thread_local",
    "static_assert",
    "alignof",
    "and_eq",
    "bitand",
    "bitor",
    "catch",
    "char8_t",
    "char16_t",
    "char32_t",
    "compl",
    "concept",
    "consteval",
    "constinit",
    "const_cast",
    "co_await",
    "co_return",
    "decltype",
    "delete",
    "dynamic_cast",
    "explicit",
    "export",
    "friend",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "reinterpret_cast",
    "requires",
    "static_cast",
    "template",
    "this",
    "throw",
    "try",
    "typeid",
    "typename",
    "using",
    "virtual",
    "wchar_t",
    "xor",
};

// The tables are searched by bisection: a word out of order would not be found.
START_TEST(every_word_of_c_and_cpp_is_found)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        ck_assert_msg(name_reserved_as(words[i]) != NULL, "%s", words[i]);
}
END_TEST

START_TEST(the_nearest_name_is_found)
{
    static const char *const candidates[] = {"float", "double", "int8", "int16", "entity", "x", "xy", "Position"};
    static const struct {
        const char *wanted, *nearest;
    } cases[] = {
        {"flaot", "float"},   // swapped
        {"flot", "float"},    // left out
        {"floaat", "float"},  // one too many
        {"dooble", "double"}, // another letter
        {"FLOAT", "float"},   // case set aside
        {"position", "Position"},
        {"Postion", "Position"},
        {"poistoin", "Position"}, // two mistakes
        {"poostoinn", NULL},      // three
        {"X", "x"},
        {"z", NULL}, // a single letter, replaced
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        name_search search = name_search_begin(cases[i].wanted);
        for (size_t j = 0; j < sizeof candidates / sizeof candidates[0]; j++)
            name_search_offer(&search, candidates[j]);
        ck_assert_pstr_eq(search.nearest, cases[i].nearest);
    }
}
END_TEST

START_TEST(the_first_of_equally_near_names_wins)
{
    name_search search = name_search_begin("int3");
    name_search_offer(&search, "int8");
    name_search_offer(&search, "int2");
    ck_assert_str_eq(search.nearest, "int8");
    name_search_offer(&search, "int3");
    ck_assert_str_eq(search.nearest, "int3");
}
END_TEST

START_TEST(a_dictionary_keeps_the_first_value_of_each_key_while_it_grows)
{
    enum { COUNT = 1000 };
    static int values[COUNT];
    dictionary dictionary = dictionary_create(reading_arena());
    ck_assert_ptr_null(dictionary_find(&dictionary, "key 0"));
    for (int i = 0; i < COUNT; i++)
        ck_assert_ptr_null(dictionary_add(&dictionary, arena_format(reading_arena(), "key %d", i), &values[i]));
    for (int i = 0; i < COUNT; i++) {
        const char *key = arena_format(reading_arena(), "key %d", i);
        ck_assert_ptr_eq(dictionary_find(&dictionary, key), &values[i]);
        ck_assert_ptr_eq(dictionary_add(&dictionary, key, &values[0]), &values[i]);
    }
    ck_assert_uint_eq(dictionary.count, COUNT);
    ck_assert_ptr_null(dictionary_find(&dictionary, ""));
}
END_TEST

START_TEST(a_cleared_dictionary_is_empty_whatever_it_held)
{
    dictionary dictionary = {.count = 0};
    for (int keys = 0; keys < 200; keys += 7) {
        dictionary_restart(&dictionary, reading_arena());
        ck_assert_ptr_null(dictionary_find(&dictionary, "key 0"));
        for (int i = 0; i < keys; i++)
            ck_assert_ptr_null(dictionary_add(&dictionary, arena_format(reading_arena(), "key %d", i), "a value"));
    }
}
END_TEST

Suite *names_suite(void)
{
    Suite *suite = suite_create("names");
    TCase *tests = tcase_create("names");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, a_word_begins_as_the_contract_says);
    tcase_add_test(tests, letter_cases_are_recognized);
    tcase_add_test(tests, a_name_in_the_wrong_case_gets_a_suggestion);
    tcase_add_test(tests, keywords_and_names_of_headers_are_reserved);
    tcase_add_test(tests, names_of_common_headers_are_known_by_header);
    tcase_add_test(tests, the_parameter_is_named_after_its_context_unless_that_hides_a_name);
    tcase_add_test(tests, every_word_of_c_and_cpp_is_found);
    tcase_add_test(tests, the_nearest_name_is_found);
    tcase_add_test(tests, the_first_of_equally_near_names_wins);
    tcase_add_test(tests, a_dictionary_keeps_the_first_value_of_each_key_while_it_grows);
    tcase_add_test(tests, a_cleared_dictionary_is_empty_whatever_it_held);
    suite_add_tcase(suite, tests);
    return suite;
}
