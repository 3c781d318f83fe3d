// Time of a game over sockets: several viewers, of which one has paused.
#include "http_case.h"
#include "suites.h"

#include "inspector/inspector.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
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
    for (int i = 0; i < 100 && strstr(ask_as("bob", "time.resume", "{}"), "-33108") != NULL; i++)
        wait_for(10); // until the end of the connection is noticed
    expect_as("bob", "time.get", "{}", "'paused':false,'by':null");
}
END_TEST

START_TEST(ins_60_pause_and_speed_end_with_the_last_viewer)
{
    expect_as("ann", "time.speed", "{'speed':0.5}", "'speed':0.5");
    expect_as("ann", "time.pause", "{}", "'paused':true");
    atomic_store(&inspector->service.sites.hosts[0].last_request, now() - 11 * second);
    wait_for(20);
    expect_as("bob", "time.get", "{}", "'paused':false,'by':null,'steps':0,'speed':1");
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
    return suite;
}
