// Time of a game over sockets: several viewers, of which one has paused.
#include "http_case.h"
#include "suites.h"

#include "inspector/inspector.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <town/town_save.h>
#include <unistd.h>

static const uint64_t second = 1000000000u;

// Asks as a viewer. Returns the whole response.
static const char *ask_as(const char *viewer, const char *method, const char *parameters)
{
    const char *body = arena_format(&http_memory, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}",
                                    method, inspect_quoted(parameters));
    const char *headers = arena_format(&http_memory, HOST BEARER TYPE "Kin-Viewer: %s\r\n", viewer);
    return exchange(request_of(POST, headers, body));
}

#define expect_as(viewer, method, parameters, expected)                                                                \
    do {                                                                                                               \
        const char *given = ask_as(viewer, method, parameters);                                                        \
        ck_assert_msg(strstr(given, inspect_quoted(expected)) != NULL, "%s\nis not in\n%s", expected, given);          \
    } while (0)

// Makes a viewer one that was silent for long.
static void silence(const char *viewer)
{
    kin__viewers *viewers = &inspector->service.sites.viewers;
    pthread_mutex_lock(&viewers->lock);
    for (uint32_t i = 0; i < KIN__MAX_VIEWERS; i++)
        if (strcmp(viewers->all[i].name, viewer) == 0)
            viewers->all[i].seen = now() - 31 * second;
    pthread_mutex_unlock(&viewers->lock);
}

START_TEST(ins_60_the_viewer_that_paused_may_step_and_others_see_its_name)
{
    static const char *const changes[][2] = {
        {"time.pause", "{}"}, {"time.resume", "{}"}, {"time.step", "{}"}, {"time.speed", "{'speed':2}"}};
    expect_as("ann", "time.pause", "{}", "'paused':true,'by':'ann'");
    expect_as("bob", "time.get", "{}", "'paused':true,'by':'ann'");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        expect_as("bob", changes[i][0], changes[i][1], "'error':{'code':-33108,'message':'ann has paused town");
    expect_as("ann", "time.step", "{'updates':2}", "'by':'ann','steps':2");
    expect_as("ann", "time.resume", "{}", "'paused':false,'by':null");
    expect_as("bob", "time.pause", "{}", "'by':'bob'");
}
END_TEST

START_TEST(ins_60_others_may_change_the_time_30_seconds_after_the_viewer_has_gone)
{
    expect_as("ann", "time.pause", "{}", "'by':'ann'");
    expect_as("bob", "time.resume", "{}", "-33108");
    silence("ann");
    expect_as("bob", "time.step", "{}", "'paused':true,'by':'bob'");
    expect_as("ann", "time.resume", "{}", "-33108");
}
END_TEST

START_TEST(ins_60_a_viewer_without_a_name_is_its_connection)
{
    const char *pause = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"time.pause\"}";
    const char *line =
        arena_format(&http_memory, POST "\r\n" HOST BEARER TYPE "Content-Length: %zu\r\n\r\n%s", strlen(pause), pause);
    char answer[4096];
    int connection = connect_to();
    send_bytes(connection, line, strlen(line));
    ssize_t size = recv(connection, answer, sizeof answer - 1, 0);
    ck_assert_int_gt((int)size, 0);
    answer[size] = '\0';
    ck_assert_msg(strstr(answer, "\"by\":\"connection ") != NULL, "%s", answer);
    expect_as("bob", "time.resume", "{}", "-33108");
    close(connection);
    while (strstr(ask_as("bob", "time.resume", "{}"), "-33108") != NULL)
        wait_for(10); // until the end of the connection is noticed
    expect_as("bob", "time.get", "{}", "'paused':false,'by':null");
}
END_TEST

START_TEST(ins_60_pause_and_speed_end_with_the_last_viewer)
{
    expect_as("ann", "time.speed", "{'speed':0.5}", "'speed':0.5");
    expect_as("ann", "time.pause", "{}", "'paused':true");
    atomic_store(&inspector->service.sites.hosts[0].last_request, now() - 11 * second);
    wait_for_updates(2);
    expect_as("bob", "time.get", "{}", "'paused':false,'by':null,'steps':0,'speed':1");
}
END_TEST

// ---- holding at systems

static int pumped;

// What the game does while it is held: `script` is asked, one line each time.
static const char *const *script;
static const char *answers[16];

static void pump(void *user)
{
    ck_assert_ptr_eq(user, &pumped);
    if (script[pumped] == NULL)
        return;
    char *copy = arena_format(&http_memory, "%s", inspect_ask(script[pumped], script[pumped + 1]));
    answers[pumped / 2] = copy;
    pumped += 2;
}

static void held_begin(void)
{
    kin_inspector_options options = inspect_options();
    options.on_hold = pump;
    options.hold_user = &pumped;
    pumped = 0;
    inspect_town_begin_with(&options);
    town_citizen(30);
    town_listen("Mayor");
}

static void held_end(void)
{
    inspect_town_end();
    arena_release(&http_memory);
}

// Updates the world, and lets `on_hold` ask these methods.
static void update_with(const char *const *asked)
{
    script = asked;
    pumped = 0;
    town_world_update(town, 1);
}

static void expect_asked(int number, const char *expected)
{
    ck_assert_msg(strstr(answers[number], inspect_quoted(expected)) != NULL, "%d: %s\nis not in\n%s", number, expected,
                  answers[number]);
}

START_TEST(ins_61_an_update_is_held_before_a_system)
{
    static const char *const asked[] = {"time.get", "{}", "entities.query", "{'context':'people'}", "time.resume",
                                        "{}",       NULL};
    static const char *const none[] = {NULL};
    expect_in_answer("time.hold", "{'system':'Mayor'}", "'hold':'Mayor','held':null,'on_hold':true");
    update_with(asked);
    ck_assert_int_eq(pumped, 6);
    expect_asked(0, "'held':{'system':'Mayor','role':'execute','place':1,'step':0,'after':false}");
    expect_asked(1, "'total':1");
    expect_asked(2, "'hold':null,'held':null");
    ck_assert_ptr_nonnull(strstr(log_text(), "Mayor:execute"));
    update_with(none);
    expect_in_answer("time.get", "{}", "'held':null");
    expect_in_answer("time.hold", "{'system':'Mayr'}", "there is no system 'Mayr' {'did_you_mean':['Mayor']}");
}
END_TEST

START_TEST(ins_61_a_held_update_takes_changes_before_its_system_runs)
{
    static const char *const asked[] = {"entities.create",
                                        "{'context':'people','components':{'Age':{'years':7}}}",
                                        "systems.enable",
                                        "{'place':1,'enabled':false}",
                                        "systems.list",
                                        "{}",
                                        "time.resume",
                                        "{}",
                                        NULL};
    inspect_ask("audit.start", "{'context':'people','component':'Age'}");
    inspect_ask("journal.start", "{'context':'people','components':['Age']}");
    inspect_ask("time.hold", "{'system':'Mayor'}");
    update_with(asked);
    expect_asked(0, "'entity':'2:1'");
    expect_asked(1, "error -33101: town is held before execute of Mayor: change it when the update goes on");
    expect_asked(2, "'name':'Mayor'");
    expect_in_answer("entities.query", "{'context':'people'}", "'total':2");
    expect_in_answer("journal.read", "{'context':'people'}", "'system':'inspector'");
    expect_in_answer("audit.read", "{'context':'people','audit':1}", "'other':0,'systems':[{'system':'Aging'");
}
END_TEST

// A system of a group is called with its members first, which are listed by then.
START_TEST(ins_61_a_held_update_refuses_changes_of_what_a_system_is_about_to_get)
{
    static const char *const asked[] = {"time.get", "{}", "entities.create", "{'context':'people'}", "time.resume",
                                        "{}",       NULL};
    inspect_ask("time.hold", "{'system':'Registry'}");
    update_with(asked);
    expect_asked(0, "'held':{'system':'Registry','role':'enter'");
    expect_asked(1, "error -33101: town is held before enter of Registry: change it when the update goes on");
    inspect_ask("time.hold", "{'system':'Registry'}");
    update_with(asked);
    expect_asked(0, "'held':{'system':'Registry','role':'update'");
    expect_asked(1, "'entity':'2:1'");
}
END_TEST

// Later changes of the game are `outside`, and the timeline counts for a system what it created itself.
START_TEST(ins_61_changes_while_held_are_by_the_inspector_alone)
{
    static const char *const asked[] = {"entities.create", "{'context':'people'}", "time.resume", "{}", NULL};
    inspect_ask("journal.start", "{'context':'people','lives':true}");
    inspect_ask("timeline.start", "{}");
    inspect_ask("time.until", "{'context':'people','query':'Age where years > 30','after':'system'}");
    update_with(asked); // held after Aging
    ck_assert_int_eq(pumped, 4);
    people_destroy_entity(town->contexts->people, town_citizen(1));
    inspect_ask("time.hold", "{'system':'Crier'}");
    town_publish_bell(town);
    update_with(asked);
    ck_assert_int_eq(pumped, 4);
    expect_in_answer("journal.read", "{'context':'people','kind':'created'}",
                     "'system':'inspector','role':null,'kind':'created','e':'2:1'");
    expect_in_answer("journal.read", "{'context':'people','kind':'destroyed'}",
                     "'system':'outside','role':null,'kind':'destroyed','e':'3:2'");
    const char *span = strstr(inspect_ask("timeline.get", "{}"), inspect_quoted("'system':'Crier','role':'inbox'"));
    ck_assert_ptr_nonnull(span);
    span = strstr(span, inspect_quoted("'created':"));
    ck_assert_str_eq(arena_format(&http_memory, "%.11s", span), inspect_quoted("'created':0"));
}
END_TEST

static bool forget(const void *bytes, size_t size, void *user)
{
    (void)bytes, (void)size, (void)user;
    return true;
}

START_TEST(ins_61_a_held_update_that_is_recorded_refuses_changes)
{
    static const char *const asked[] = {"entities.create", "{'context':'people'}", "time.resume", "{}", NULL};
    inspect_ask("time.hold", "{'system':'Mayor'}");
    ck_assert_int_eq(town_world_record(town, (kin_sink){forget, NULL}, NULL), KIN_OK);
    update_with(asked);
    expect_asked(0, "error -33101: town is held before execute of Mayor");
    ck_assert_int_eq(town_world_stop_recording(town), KIN_OK);
}
END_TEST

START_TEST(ins_61_a_hold_returns_in_each_update_and_steps_end_at_it)
{
    static const char *const asked[] = {"time.step", "{'updates':1}", NULL};
    static const char *const again[] = {"time.get", "{}", "time.hold", "{}", "time.resume", "{}", NULL};
    static const char *const none[] = {NULL};
    inspect_ask("time.hold", "{'system':'Mayor'}");
    update_with(asked);
    ck_assert_int_eq(pumped, 2);
    expect_asked(0, "'paused':true,'by':'the game','steps':0,");
    uint64_t frame = kin_world_tick(town_world_base(town)).frame;
    update_with(none); // paused
    ck_assert_uint_eq(kin_world_tick(town_world_base(town)).frame, frame);
    inspect_ask("time.step", "{}");
    update_with(again);
    ck_assert_int_eq(pumped, 6);
    expect_asked(0, "'paused':true,'by':'the game','steps':0,");
    ck_assert_uint_eq(kin_world_tick(town_world_base(town)).frame, frame + 1);
}
END_TEST

START_TEST(ins_61_a_step_of_a_system_moves_the_hold_on)
{
    static const char *const asked[] = {
        "time.step", "{'systems':1}", "time.get", "{}", "time.step", "{'systems':1}", "time.get",
        "{}",        "time.resume",   "{}",       NULL};
    inspect_ask("time.step", "{'systems':1}");
    update_with(asked);
    ck_assert_int_eq(pumped, 10);
    ck_assert_str_ne(answers[1], answers[3]);
    expect_asked(0, "'held':null");
    expect_asked(1, "'paused':true");
    expect_asked(1, "'held':{'system':'");
    expect_asked(3, "'held':{'system':'");
    expect_asked(4, "'paused':false");
}
END_TEST

START_TEST(ins_61_a_hold_ends_with_the_last_viewer)
{
    static const char *const none[] = {NULL};
    inspect_ask("time.hold", "{'system':'Mayor'}");
    script = none;
    pumped = 0;
    town_world_update(town, 1); // held for ten seconds, in which nobody asks
    expect_in_answer("time.get", "{}", "'by':null,'steps':0,'speed':1,'delta':1,");
}
END_TEST

START_TEST(ins_62_the_world_is_paused_when_a_query_holds)
{
    static const char *const none[] = {NULL};
    expect_in_answer("time.until", "{'context':'people','query':'Age where years > 40'}",
                     "'paused':false,'by':'the game'");
    update_with(none);
    expect_in_answer("time.get", "{}", "'until':{'state':'asked','frame':");
    people_add_age(town->contexts->people, people_create_entity(town->contexts->people), (Age){.years = 50});
    uint64_t frame = kin_world_tick(town_world_base(town)).frame;
    update_with(none);
    ck_assert_uint_eq(kin_world_tick(town_world_base(town)).frame, frame);
    expect_in_answer("time.get", "{}", "'paused':true,");
    expect_in_answer("time.get", "{}", "'until':{'state':'met','frame':");
    expect_in_answer("time.until", "{'context':'people','query':'Age where years > 1000','for':'none'}",
                     "'paused':true"); // it holds already
    expect_in_answer("time.until", "{'context':'people','query':'Ag'}", "did_you_mean");
    expect_in_answer("time.until", "{'context':'people','query':'Age','for':'some'}", "'for' must be 'any' or 'none'");
}
END_TEST

static const char *const after_system[] = {"time.get", "{}", "time.resume", "{}", NULL};

START_TEST(ins_62_a_query_is_asked_after_each_system)
{
    expect_in_answer("time.until", "{'context':'people','query':'Age where years > 30','after':'system'}",
                     "'until':{'state':'asked'");
    update_with(after_system);
    ck_assert_int_eq(pumped, 4);
    expect_asked(0, "'after':true}");
    expect_asked(0, "'until':{'state':'met'");
}
END_TEST

START_TEST(ins_62_a_query_that_takes_too_long_is_refused)
{
    for (int i = 0; i < 300000; i++)
        people_add_age(town->contexts->people, people_create_entity(town->contexts->people), (Age){.years = i});
    inspect_reading = 10000;
    expect_in_answer("time.until", "{'context':'people','query':'Age where years < 0 | years < 1 & years > 5'}",
                     "error -33102: asking took ");
    expect_in_answer("time.get", "{}", "'until':null");
}
END_TEST

START_TEST(ins_62_an_ask_that_is_slow_once_is_forgiven)
{
    static const char *const none[] = {NULL};
    uint64_t reading = inspect_reading;
    expect_in_answer("time.until", "{'context':'people','query':'Age where years > 1000'}", "'until':{'state':'asked'");
    inspect_reading = 3000000;
    update_with(none);
    update_with(none);
    inspect_reading = reading;
    update_with(none);
    inspect_reading = 3000000;
    update_with(none);
    update_with(none);
    inspect_reading = reading;
    expect_in_answer("time.get", "{}", "'until':{'state':'asked'");
    inspect_reading = 3000000;
    update_with(none);
    inspect_reading = reading;
    expect_in_answer("time.get", "{}", "'until':{'state':'refused'");
}
END_TEST

START_TEST(a_name_of_a_viewer_that_is_none_is_refused)
{
    static const char *const names[] = {"", "a\"b", "a\\b", "\xc3\xa4",
                                        "01234567890123456789012345678901234567890123456789012345678901234"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_int_eq(status_of(ask_as(names[i], "time.get", "{}")), 400);
    ck_assert_int_eq(
        status_of(exchange(request_of(POST, HOST BEARER TYPE "Kin-Viewer: a\r\nKin-Viewer: b\r\n", HELLO))), 400);
    ck_assert_int_eq(status_of(ask_as("page 1/2", "time.get", "{}")), 200);
}
END_TEST

Suite *inspect_time_suite(void)
{
    Suite *suite = suite_create("inspect_time");
    TCase *tests = tcase_create("inspect_time");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, http_begin, http_end);
    tcase_add_test(tests, ins_60_the_viewer_that_paused_may_step_and_others_see_its_name);
    tcase_add_test(tests, ins_60_others_may_change_the_time_30_seconds_after_the_viewer_has_gone);
    tcase_add_test(tests, ins_60_a_viewer_without_a_name_is_its_connection);
    tcase_add_test(tests, ins_60_pause_and_speed_end_with_the_last_viewer);
    tcase_add_test(tests, a_name_of_a_viewer_that_is_none_is_refused);
    suite_add_tcase(suite, tests);
    TCase *held = tcase_create("held");
    tcase_set_timeout(held, 60);
    tcase_add_checked_fixture(held, held_begin, held_end);
    tcase_add_test(held, ins_61_an_update_is_held_before_a_system);
    tcase_add_test(held, ins_61_a_held_update_takes_changes_before_its_system_runs);
    tcase_add_test(held, ins_61_changes_while_held_are_by_the_inspector_alone);
    tcase_add_test(held, ins_61_a_held_update_that_is_recorded_refuses_changes);
    tcase_add_test(held, ins_61_a_held_update_refuses_changes_of_what_a_system_is_about_to_get);
    tcase_add_test(held, ins_61_a_hold_returns_in_each_update_and_steps_end_at_it);
    tcase_add_test(held, ins_61_a_step_of_a_system_moves_the_hold_on);
    tcase_add_test(held, ins_61_a_hold_ends_with_the_last_viewer);
    tcase_add_test(held, ins_62_the_world_is_paused_when_a_query_holds);
    tcase_add_test(held, ins_62_a_query_is_asked_after_each_system);
    tcase_add_test(held, ins_62_a_query_that_takes_too_long_is_refused);
    tcase_add_test(held, ins_62_an_ask_that_is_slow_once_is_forgiven);
    suite_add_tcase(suite, held);
    return suite;
}
