// Events: `events` of components in the model, and the names generated for them.
#include "generator/read/read.h"
#include "generator/reading.h"
#include "suites.h"

#include <check.h>
#include <string.h>

START_TEST(an_event_is_of_type_added_and_priority_0_by_default)
{
    const package *package = reading_package_in_game("components: { Score: { events: [ { target: any } ] } }\n");
    reading_expect_nothing();
    const component *score = package->components[0];
    ck_assert_uint_eq(score->event_count, 1);
    ck_assert_int_eq(score->events[0].target, TARGET_ANY);
    ck_assert_int_eq(score->events[0].type, EVENT_ADDED);
    ck_assert_int_eq(score->events[0].priority, 0);
}
END_TEST

START_TEST(events_are_in_file_order)
{
    const package *package = reading_package_in_game("components:\n"
                                                     "  Score:\n"
                                                     "    events:\n"
                                                     "      - { type: removed, priority: 9, target: self }\n"
                                                     "      - { target: any, type: added, priority: -1 }\n"
                                                     "      - target: any\n"
                                                     "        type: removed\n"
                                                     "      - target: self\n");
    reading_expect_nothing();
    static const component_event expected[] = {{.target = TARGET_SELF, .type = EVENT_REMOVED, .priority = 9},
                                               {.target = TARGET_ANY, .type = EVENT_ADDED, .priority = -1},
                                               {.target = TARGET_ANY, .type = EVENT_REMOVED},
                                               {.target = TARGET_SELF, .type = EVENT_ADDED}};
    const component *score = package->components[0];
    ck_assert_uint_eq(score->event_count, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(score->events[i].target, expected[i].target);
        ck_assert_int_eq(score->events[i].type, expected[i].type);
        ck_assert_int_eq(score->events[i].priority, expected[i].priority);
    }
}
END_TEST

static const struct {
    const char *text;
    int32_t priority;
} priorities[] = {
    {"0", 0},
    {"-1", -1},
    {"0x10", 16},
    {"2147483647", INT32_MAX},
    {"-2147483648", INT32_MIN},
    {"-2147483647", -INT32_MAX},
};

START_TEST(a_priority_may_be_any_int32)
{
    const package *package = reading_package_in_game(
        arena_format(reading_arena(), "components: { Score: { events: [ { target: any, priority: %s } ] } }\n",
                     priorities[_i].text));
    reading_expect_nothing();
    ck_assert_int_eq(package->components[0]->events[0].priority, priorities[_i].priority);
}
END_TEST

START_TEST(a_component_without_events_has_none)
{
    const package *package = reading_package_in_game("components: { Score: {} }\n");
    ck_assert_uint_eq(package->components[0]->event_count, 0);
}
END_TEST

static const symbol *find_symbol(const symbol_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->symbols[i].name, name) == 0)
            return &list->symbols[i];
    return NULL;
}

START_TEST(an_event_generates_a_listener_and_two_functions_in_each_context)
{
    const package *package = reading_package("kin: 1\npackage: p\nprefix: my_\ncontexts: { game: {}, menu: {} }\n"
                                             "components:\n"
                                             "  HttpServer:\n"
                                             "    contexts: [game, menu]\n"
                                             "    events: [ { target: any }, { target: self, type: removed } ]\n");
    reading_expect_nothing();
    static const struct {
        const char *name, *origin;
    } cases[] = {
        {"my_game_any_http_server_listener", "event any/added of component 'HttpServer' of context 'game'"},
        {"my_game_add_any_http_server_listener", "event any/added of component 'HttpServer' of context 'game'"},
        {"my_game_remove_any_http_server_listener", "event any/added of component 'HttpServer' of context 'game'"},
        {"my_menu_http_server_removed_listener", "event self/removed of component 'HttpServer' of context 'menu'"},
        {"my_menu_add_http_server_removed_listener", "event self/removed of component 'HttpServer' of context 'menu'"},
        {"my_menu_event_systems", "context 'menu'"},
    };
    symbol_list list = symbols_of(reading_arena(), package);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const symbol *symbol = find_symbol(&list, cases[i].name);
        ck_assert_msg(symbol != NULL, "%s is missing", cases[i].name);
        ck_assert_str_eq(symbol->origin, cases[i].origin);
    }
    ck_assert_ptr_null(find_symbol(&list, "my_game_http_server_listener"));
}
END_TEST

START_TEST(equal_events_of_several_components_do_not_collide)
{
    ck_assert_ptr_nonnull(reading_package("kin: 1\npackage: p\ncontexts: { game: {}, game_any: {} }\n"
                                          "components:\n"
                                          "  Score: { contexts: [game], events: [ { target: any } ] }\n"
                                          "  AnyScore: { contexts: [game], events: [ { target: any } ] }\n"
                                          "  ScoreRemoved: { contexts: [game_any], events: [ { target: self } ] }\n"
                                          "  Removed: { contexts: [game], events: [ { target: self } ] }\n"
                                          "groups: { any_score: { context: game, all: [Score] } }\n"));
    reading_expect_nothing();
}
END_TEST

Suite *schema_event_suite(void)
{
    Suite *suite = suite_create("schema_event");
    TCase *tests = tcase_create("schema_event");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, an_event_is_of_type_added_and_priority_0_by_default);
    tcase_add_test(tests, events_are_in_file_order);
    tcase_add_loop_test(tests, a_priority_may_be_any_int32, 0, sizeof priorities / sizeof priorities[0]);
    tcase_add_test(tests, a_component_without_events_has_none);
    tcase_add_test(tests, an_event_generates_a_listener_and_two_functions_in_each_context);
    tcase_add_test(tests, equal_events_of_several_components_do_not_collide);
    suite_add_tcase(suite, tests);
    return suite;
}
