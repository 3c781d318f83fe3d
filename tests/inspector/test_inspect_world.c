// Inspectors of worlds: systems, time, lists, budgets, and their lives.
#include "inspect_case.h"
#include "suites.h"

#include "runtime/support/support.h"
#include "runtime/support/town_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(ins_09_hello_shows_the_world_and_what_it_costs)
{
    const char *answer = inspect_ask("kin.hello", "{}");
    static const char *const shown[] = {
        "'name':'town','read_only':false,'worlds':[{'name':'town','ended':false,'systems':true,'stamp':'",
        "'contexts':['houses','people']", "'budget_microseconds':500", "'served':"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        ck_assert_msg(strstr(answer, inspect_quoted(shown[i])) != NULL, "%s in %s", shown[i], answer);
}
END_TEST

START_TEST(systems_are_listed_with_their_times)
{
    expect_in_answer("systems.list", "{}", "'name':'Mayor','systems':0,'place':1,'depth':1,'kind':'plain'");
    town_world_update(town, 1);
    town_world_update(town, 1);
    const char *answer = inspect_ask("systems.list", "{'world':'town'}");
    static const char *const shown[] = {
        "'frame':[1,1],'world':'town','update_nanoseconds':", "'doc':'Has every role of a plain system.'",
        "'writes':['Age'],'context':'people','group':'citizens'", "'nanoseconds':{'execute':{'last':"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        ck_assert_msg(strstr(answer, inspect_quoted(shown[i])) != NULL, "%s in %s", shown[i], answer);
    expect_in_answer("systems.list", "{'world':'twn'}", "{'did_you_mean':['town']}");
}
END_TEST

static void create_citizen(town_world *world)
{
    people_add_age(world->contexts->people, people_create_entity(world->contexts->people), (Age){.years = 1});
}

START_TEST(ins_66_systems_are_listed_with_their_structural_changes)
{
    town_do("Mayor:execute", create_citizen);
    inspect_ask("systems.list", "{}");
    town_world_update(town, 1);
    town_world_update(town, 1);
    expect_in_answer("systems.list", "{}",
                     "'kind':'plain','enabled':true,'runs':true,'created':2,'destroyed':0,'changed':2");
}
END_TEST

START_TEST(a_world_ends_without_an_error_while_somebody_looks_at_its_systems)
{
    inspect_ask("systems.list", "{}");
    inspect_ask("time.pause", "{}");
    town_world_update(town, 1);
    town_listen("Mayor");
    town_world_destroy(town);
    town = NULL;
    ck_assert_ptr_null(strchr(log_text(), '!'));
}
END_TEST

START_TEST(ins_08_the_times_of_systems_take_no_memory_of_the_game)
{
    town_world_update(town, 1);
    guard_fail(&town_memory, 1, true);
    inspect_ask("systems.list", "{}");
    town_world_update(town, 1);
    expect_in_answer("systems.list", "{}", "'nanoseconds':{'execute':{'last':");
    ck_assert(!guard_has_failed(&town_memory));
    guard_fail(&town_memory, 0, false);
}
END_TEST

START_TEST(ins_02_systems_that_the_game_profiles_are_left_alone)
{
    kin_timing timing;
    kin_systems *systems = town_world_systems(town);
    ck_assert_int_eq(kin_systems_profile(systems, NULL, 4), KIN_OK);
    town_world_update(town, 1);
    inspect_ask("systems.list", "{}");
    ck_assert_int_eq(kin_systems_timing(systems, "Mayor", KIN_ROLE_EXECUTE, &timing), KIN_OK);
    ck_assert_uint_eq(timing.count, 1);
    kin_inspector_destroy(inspector);
    ck_assert_int_eq(kin_systems_timing(systems, "Mayor", KIN_ROLE_EXECUTE, &timing), KIN_OK);
    guard_end(&inspect_memory);
    kin_inspector_options options = inspect_options();
    inspector = kin_inspect(town_world_base(town), &options);
}
END_TEST

START_TEST(systems_are_disabled_and_enabled)
{
    town_listen("Mayor");
    expect_answer("systems.enable", "{'place':1,'enabled':false}", "{'frame':0,'enabled':false}");
    town_world_update(town, 1);
    ck_assert_log("");
    expect_in_answer("systems.list", "{}", "'kind':'plain','enabled':false,'runs':false");
    expect_answer("systems.enable", "{'place':1,'enabled':true}", "{'frame':0,'enabled':true}");
    town_world_update(town, 1);
    ck_assert_ptr_nonnull(strstr(log_text(), "Mayor:execute"));
    expect_in_answer("systems.enable", "{'place':1000,'enabled':true}", "there is no system at this place");
    expect_in_answer("systems.enable", "{'place':-1,'enabled':true}", "error -33102:");
}
END_TEST

static uint64_t frame(void)
{
    return kin_world_tick(town_world_base(town)).frame;
}

START_TEST(ins_60_a_paused_world_passes_updates_over_and_steps)
{
    town_world_update(town, 1);
    town_world_update(town, 1);
    ck_assert_uint_eq(frame(), 1);
    expect_in_answer("time.pause", "{}", "'paused':true");
    town_world_update(town, 1);
    ck_assert_uint_eq(frame(), 1);
    expect_in_answer("time.step", "{'updates':2}", "'steps':2");
    for (int i = 0; i < 4; i++)
        town_world_update(town, 1);
    ck_assert_uint_eq(frame(), 3);
    expect_in_answer("time.step", "{'delta':0.125}", "'steps':1");
    town_world_update(town, 1);
    ck_assert_double_eq(kin_world_tick(town_world_base(town)).delta, 0.125);
    expect_in_answer("time.resume", "{}", "'paused':false");
    town_world_update(town, 1);
    ck_assert_uint_eq(frame(), 5);
}
END_TEST

START_TEST(ins_60_a_step_has_the_delta_that_it_was_given)
{
    expect_in_answer("time.speed", "{'speed':2}", "'speed':2");
    expect_in_answer("time.pause", "{}", "'paused':true");
    expect_in_answer("time.step", "{'delta':0.125}", "'steps':1");
    town_world_update(town, 1);
    ck_assert_double_eq(kin_world_tick(town_world_base(town)).delta, 0.125);
    expect_in_answer("time.step", "{}", "'steps':1");
    town_world_update(town, 1);
    ck_assert_double_eq(kin_world_tick(town_world_base(town)).delta, 2);
}
END_TEST

START_TEST(ins_60_speed_multiplies_deltas)
{
    expect_in_answer("time.speed", "{'speed':0.5}", "'speed':0.5");
    town_world_update(town, 1);
    ck_assert_double_eq(kin_world_tick(town_world_base(town)).delta, 0.5);
    expect_in_answer("time.speed", "{'speed':1}", "'speed':1");
    town_world_update(town, 1);
    ck_assert_double_eq(kin_world_tick(town_world_base(town)).delta, 1);
    expect_in_answer("time.speed", "{'speed':9}", "error -32602: 'speed' must be a number from 0.05 to 8");
    expect_in_answer("time.speed", "{'speed':'fast'}", "error -32602:");
}
END_TEST

START_TEST(a_trigger_of_another_context_has_the_names_of_that_one)
{
    kin_context *people_context = &town->contexts->people->base, *house_context = &town->contexts->houses->base;
    kin_group *asleep = kin_context_group(people_context, KIN_MATCHER(KIN_ALL(PEOPLE_ASLEEP, PEOPLE_PURSE)));
    kin_group *roofs = kin_context_group(house_context, KIN_MATCHER(KIN_ALL(HOUSES_ROOF)));
    const kin_trigger triggers[] = {{.group = asleep, .event = KIN_ADDED}, {.group = roofs, .event = KIN_ADDED}};
    kin_collector *collector = kin_collector_create(triggers, 2);
    ck_assert_ptr_nonnull(collector);
    kin_collector_set_name(collector, "both");
    expect_in_answer("collectors.list", "{'context':'houses'}", "'matcher':'all(Asleep, Purse)'");
    expect_in_answer("collectors.list", "{'context':'people'}", "'matcher':'all(Roof)'");
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(what_a_context_has_is_listed)
{
    town_citizen(30);
    expect_in_answer("groups.list", "{'context':'people'}",
                     "{'name':'citizens','doc':null,'matcher':'all(Age), none(Asleep)','members':1,");
    expect_in_answer("collectors.list", "{'context':'people'}",
                     "'name':'Watch','active':true,'waiting':1,'triggers':[{");
    expect_in_answer("indices.list", "{'context':'people'}", "'indices':[]");
    expect_in_answer("uniques.list", "{'context':'people'}", "'uniques':[]");
    expect_in_answer("memory.report", "{'context':'people'}", "{'component':'Age','columns':1,'values':1,");
    expect_in_answer("schema.get", "{'context':'people'}",
                     "{'name':'Age','doc':null,'inspect':'edit','flag':false,'unique':false,'fields':[{'name':'years'");
}
END_TEST

START_TEST(ins_26_a_read_only_inspector_refuses_all_that_changes)
{
    kin_inspector_options options = {.read_only = true, .offline = true};
    static const char *const writing[] = {
        "entities.create", "entities.spawn",    "entities.clone",     "entities.destroy", "components.add",
        "components.set",  "components.remove", "components.replace", "systems.enable",   "time.pause",
        "time.resume",     "time.step",         "time.speed"};
    kin_inspector *editing = inspector;
    kin_world_set_probe(town_world_base(town), NULL);
    inspector = kin_inspector_create(&options);
    kin_inspector_add(inspector, &town->contexts->people->base, town_world_systems(town));
    for (size_t i = 0; i < sizeof writing / sizeof *writing; i++)
        expect_answer(writing[i], "{}", "error -33100: the inspector is read-only ");
    expect_in_answer("entities.query", "{}", "'total':0");
    kin_inspector_destroy(inspector);
    kin_inspector_destroy(editing);
    inspector = NULL;
}
END_TEST

START_TEST(the_environment_restricts_and_does_not_loosen)
{
    setenv("KIN_INSPECT", "off", 1);
    ck_assert_ptr_null(kin_inspector_create(NULL));
    setenv("KIN_INSPECT", "read", 1);
    kin_inspector *read_only = kin_inspector_create(&(kin_inspector_options){.offline = true});
    char answer[256];
    const char *request = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"entities.create\"}";
    kin_inspector_request(read_only, request, strlen(request), answer, sizeof answer);
    ck_assert_ptr_nonnull(strstr(answer, "-33100"));
    kin_inspector_destroy(read_only);
    unsetenv("KIN_INSPECT");
}
END_TEST

static void keep_message(const kin_error *error, void *user)
{
    snprintf(user, 256, "%s", error->message);
}

START_TEST(the_environment_with_an_unknown_word_makes_no_inspector)
{
    static const char *const wrong[] = {"0", "reed", "port=", "port=99999", "port=5a"};
    char message[256] = "";
    kin_inspector_options options = {.offline = true, .on_error = keep_message, .error_user = message};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("KIN_INSPECT", wrong[i], 1);
        message[0] = '\0';
        ck_assert_msg(kin_inspector_create(&options) == NULL, "%s", wrong[i]);
        ck_assert_msg(strstr(message, "off, read or port=N") != NULL, "%s", wrong[i]);
    }
    setenv("KIN_INSPECT", "read,port=6000", 1);
    kin_inspector *made = kin_inspector_create(&options);
    ck_assert_ptr_nonnull(made);
    kin_inspector_destroy(made);
    unsetenv("KIN_INSPECT");
}
END_TEST

START_TEST(an_inspector_outlives_worlds_that_were_added)
{
    kin_inspector_destroy(inspector);
    inspector = kin_inspector_create(&(kin_inspector_options){.offline = true});
    ck_assert_int_eq(kin_inspector_add_world(inspector, town_world_base(town)), KIN_OK);
    town_world_destroy(town);
    town = NULL;
    expect_answer("entities.query", "{'context':'people'}", "error -33105: the world has ended ");
    expect_in_answer("kin.hello", "{}", "'ended':true");
    expect_in_answer("schema.get", "{'context':'people'}", "'components'");
    kin_inspector_destroy(inspector);
}
END_TEST

START_TEST(worlds_that_follow_each_other_have_one_place)
{
    kin_inspector_destroy(inspector);
    town_world_destroy(town);
    inspector = kin_inspector_create(&(kin_inspector_options){.offline = true});
    for (int i = 0; i < 20; i++) {
        town = town_world_create(NULL, NULL);
        ck_assert_int_eq(kin_inspector_add_world(inspector, town_world_base(town)), KIN_OK);
        expect_in_answer("time.get", "{}", "'paused':false");
        expect_in_answer("entities.create", "{'context':'people'}", "'entity':'1:0'");
        expect_in_answer("entities.query", "{'context':'people'}", "'total':1");
        expect_in_answer("time.pause", "{'world':'town'}", "'paused':true");
        expect_in_answer("systems.list", "{}", "'name':'Mayor'");
        if (i < 19)
            town_world_update(town, 1);
        ck_assert_uint_eq(frame(), 0);
        town_world_destroy(town);
    }
    expect_in_answer("kin.hello", "{}", "'worlds':[{'name':'town','ended':true");
    town = NULL;
    kin_inspector_destroy(inspector);
}
END_TEST

START_TEST(an_inspector_ends_with_its_own_world_alone)
{
    town_world *level = town_world_create(NULL, NULL);
    ck_assert_int_eq(kin_inspector_add_world(inspector, town_world_base(level)), KIN_OK);
    town_world_destroy(level);
    expect_in_answer("kin.hello", "{}", "'name':'town','ended':false");
    expect_in_answer("kin.hello", "{}", "'name':'town#2','ended':true");
    expect_in_answer("entities.query", "{'context':'people'}", "'total':0");
}
END_TEST

START_TEST(an_inspector_has_the_name_of_what_was_added_first)
{
    kin_inspector *own = inspector;
    kin_systems *systems = kin_systems_create("rules", NULL);
    inspector = kin_inspector_create(&(kin_inspector_options){.offline = true});
    expect_in_answer("kin.hello", "{}", "'name':''");
    ck_assert_int_eq(kin_inspector_add(inspector, NULL, systems), KIN_OK);
    ck_assert_int_eq(kin_inspector_add(inspector, &town->contexts->people->base, NULL), KIN_OK);
    expect_in_answer("kin.hello", "{}", "'name':'game','read_only'");
    kin_inspector_destroy(inspector);
    kin_systems_destroy(systems);
    inspector = own;
}
END_TEST

START_TEST(nothing_is_added_twice_or_without_need)
{
    kin_inspector_options options = {.offline = true};
    ck_assert_int_eq(kin_inspector_add_world(inspector, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_inspector_add(inspector, NULL, NULL), KIN_ERROR_INVALID);
    ck_assert_ptr_null(kin_inspect(town_world_base(town), &options));
    ck_assert_ptr_null(kin_inspect(NULL, &options));
    for (int i = 0; i < 62; i++)
        ck_assert_int_eq(kin_inspector_add(inspector, &town->contexts->people->base, NULL), KIN_OK);
    ck_assert_int_eq(kin_inspector_add(inspector, &town->contexts->people->base, NULL), KIN_ERROR_LIMIT);
    expect_in_answer("entities.query", "{'context':'people#63'}", "'total':0");
}
END_TEST

START_TEST(no_inspector_does_nothing)
{
    double delta = 3;
    char answer[4] = "abc";
    ck_assert(kin_inspector_frame(NULL, &delta));
    ck_assert_int_eq(kin_inspector_add(NULL, NULL, NULL), KIN_OK);
    ck_assert_int_eq(kin_inspector_add_world(NULL, NULL), KIN_OK);
    ck_assert_uint_eq(kin_inspector_cost(NULL), 0);
    ck_assert_uint_eq(kin_inspector_request(NULL, "x", 1, answer, sizeof answer), 0);
    ck_assert_str_eq(answer, "");
    kin_inspector_destroy(NULL);
}
END_TEST

START_TEST(ins_05_an_update_that_nobody_looks_at_allocates_nothing)
{
    uint64_t before = inspect_memory.request_count, town_before = town_memory.request_count;
    for (int i = 0; i < 100; i++)
        town_world_update(town, 1);
    ck_assert_uint_eq(inspect_memory.request_count, before);
    ck_assert_uint_eq(town_memory.request_count, town_before);
    ck_assert_uint_eq(kin_inspector_cost(inspector), 0);
}
END_TEST

START_TEST(ins_08_an_inspector_without_memory_answers_so)
{
    static const char *const methods[] = {"kin.hello",    "entities.query", "groups.list",    "components.set",
                                          "systems.list", "memory.report",  "entities.create"};
    char parameters[128];
    people_entity citizen = town_citizen(3);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        snprintf(parameters, sizeof parameters, "%s",
                 m == 3             ? "{'context':'people','entity':'1:0','path':'Age.years','value':4}"
                 : m == 4 || m == 0 ? "{}"
                                    : "{'context':'people'}");
        for (uint64_t n = 1; n < 12; n++) {
            guard_fail(&inspect_memory, n, true);
            char answer[512], request[512];
            snprintf(request, sizeof request, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}",
                     methods[m], inspect_quoted(parameters));
            kin_inspector_request(inspector, request, strlen(request), answer, sizeof answer);
            ck_assert_msg(answer[0] == '\0' || strstr(answer, "\"result\"") != NULL || strstr(answer, "-33102") != NULL,
                          "%s", answer);
        }
    }
    guard_fail(&inspect_memory, 0, false);
    ck_assert(people_entity_is_alive(town->contexts->people, citizen));
}
END_TEST

Suite *inspect_world_suite(void)
{
    Suite *suite = suite_create("inspect_world");
    TCase *tests = tcase_create("inspect_world");
    tcase_add_checked_fixture(tests, inspect_town_begin, inspect_town_end);
    tcase_add_test(tests, ins_09_hello_shows_the_world_and_what_it_costs);
    tcase_add_test(tests, systems_are_listed_with_their_times);
    tcase_add_test(tests, ins_66_systems_are_listed_with_their_structural_changes);
    tcase_add_test(tests, a_world_ends_without_an_error_while_somebody_looks_at_its_systems);
    tcase_add_test(tests, ins_08_the_times_of_systems_take_no_memory_of_the_game);
    tcase_add_test(tests, ins_02_systems_that_the_game_profiles_are_left_alone);
    tcase_add_test(tests, systems_are_disabled_and_enabled);
    tcase_add_test(tests, ins_60_a_paused_world_passes_updates_over_and_steps);
    tcase_add_test(tests, ins_60_a_step_has_the_delta_that_it_was_given);
    tcase_add_test(tests, ins_60_speed_multiplies_deltas);
    tcase_add_test(tests, a_trigger_of_another_context_has_the_names_of_that_one);
    tcase_add_test(tests, what_a_context_has_is_listed);
    tcase_add_test(tests, ins_26_a_read_only_inspector_refuses_all_that_changes);
    tcase_add_test(tests, the_environment_restricts_and_does_not_loosen);
    tcase_add_test(tests, the_environment_with_an_unknown_word_makes_no_inspector);
    tcase_add_test(tests, an_inspector_outlives_worlds_that_were_added);
    tcase_add_test(tests, worlds_that_follow_each_other_have_one_place);
    tcase_add_test(tests, an_inspector_ends_with_its_own_world_alone);
    tcase_add_test(tests, an_inspector_has_the_name_of_what_was_added_first);
    tcase_add_test(tests, nothing_is_added_twice_or_without_need);
    tcase_add_test(tests, no_inspector_does_nothing);
    tcase_add_test(tests, ins_05_an_update_that_nobody_looks_at_allocates_nothing);
    tcase_add_test(tests, ins_08_an_inspector_without_memory_answers_so);
    suite_add_tcase(suite, tests);
    return suite;
}
