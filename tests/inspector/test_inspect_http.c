// The transport: a server in this process, asked over sockets by the test, by curl and by Python.
#include "http_case.h"
#include "suites.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct {
    const char *line, *headers, *body;
    int status;
} requests[] = {
    {POST, HOST BEARER TYPE, HELLO, 200},
    {POST, "Host: localhost:99\r\n" BEARER TYPE, HELLO, 200},
    {POST, "Host: [::1]\r\n" BEARER TYPE, HELLO, 200},
    {POST, HOST "Origin: http://127.0.0.1\r\n" BEARER TYPE, HELLO, 200},
    {POST, HOST "Sec-Fetch-Site: same-origin\r\n" BEARER TYPE, HELLO, 200},
    {POST, HOST "Sec-Fetch-Site: none\r\n" BEARER TYPE, HELLO, 200},
    // INS-22: Host, Origin and Sec-Fetch-Site
    {POST, "Host: evil.example\r\n" BEARER TYPE, HELLO, 403},
    {POST, "Host: 127.0.0.1.evil.example\r\n" BEARER TYPE, HELLO, 403},
    {POST, "Host: 127.0.0.1:80x\r\n" BEARER TYPE, HELLO, 403},
    {POST, "Host: 127.0.0.1\r\nHost: evil.example\r\n" BEARER TYPE, HELLO, 403},
    {POST, HOST "Origin: http://evil.example\r\n" BEARER TYPE, HELLO, 403},
    {POST, HOST "Origin: https://127.0.0.1\r\n" BEARER TYPE, HELLO, 403},
    {POST, HOST "Origin: null\r\n" BEARER TYPE, HELLO, 403},
    {POST, HOST "Origin: http://localhost\r\n" BEARER TYPE, HELLO, 403},
    {POST, HOST "Sec-Fetch-Site: cross-site\r\n" BEARER TYPE, HELLO, 403},
    {POST, HOST "Sec-Fetch-Site: same-site\r\n" BEARER TYPE, HELLO, 403},
    // INS-21: the token
    {POST, HOST TYPE, HELLO, 401},
    {POST, HOST TYPE "Authorization: Bearer \r\n", HELLO, 401},
    {POST, HOST TYPE "Authorization: Bearer 0123456789abcdef0123456789abcde\r\n", HELLO, 401},
    {POST, HOST TYPE "Authorization: Bearer " TOKEN "0\r\n", HELLO, 401},
    {POST, HOST TYPE "Authorization: Bearer 0123456789abcdef0123456789abcdeg\r\n", HELLO, 401},
    {POST, HOST TYPE "Authorization: Basic " TOKEN "\r\n", HELLO, 401},
    {POST, HOST TYPE "Cookie: token=" TOKEN "\r\n", HELLO, 401},
    {"POST /rpc?token=" TOKEN " HTTP/1.1", HOST TYPE, HELLO, 401},
    // INS-23: methods and the type of the body
    {"OPTIONS /rpc HTTP/1.1", HOST BEARER TYPE, "", 405},
    {"GET /rpc HTTP/1.1", HOST BEARER TYPE, "", 405},
    {"PUT /rpc HTTP/1.1", HOST BEARER TYPE, HELLO, 405},
    {"TRACE / HTTP/1.1", HOST BEARER, "", 405},
    {"DELETE /entities HTTP/1.1", HOST BEARER, "", 405},
    {POST, HOST BEARER "Content-Type: text/plain\r\n", HELLO, 415},
    {POST, HOST BEARER "Content-Type: application/json; charset=utf-8\r\n", HELLO, 415},
    {POST, HOST BEARER, HELLO, 415},
    {"POST /nothing HTTP/1.1", HOST BEARER TYPE, HELLO, 404},
    {"POST /rpc/../../etc/passwd HTTP/1.1", HOST BEARER TYPE, HELLO, 404},
    {"POST /%72pc HTTP/1.1", HOST BEARER TYPE, HELLO, 200},
};

START_TEST(ins_22_a_request_is_answered_or_refused_as_it_deserves)
{
    const char *response = exchange(request_of(requests[_i].line, requests[_i].headers, requests[_i].body));
    ck_assert_msg(status_of(response) == requests[_i].status, "%s\n%s\n%s", requests[_i].line, requests[_i].headers,
                  response);
    ck_assert_ptr_null(strstr(response, TOKEN));
    ck_assert_ptr_null(strstr(response, "Access-Control"));
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, QUERY))), 200);
}
END_TEST

START_TEST(ins_24_each_answer_has_headers_that_confine_a_browser)
{
    static const char *const headers[] = {
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src "
        "'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n",
        "X-Content-Type-Options: nosniff\r\n",
        "Referrer-Policy: no-referrer\r\n",
        "Cross-Origin-Resource-Policy: same-origin\r\n",
        "Cross-Origin-Opener-Policy: same-origin\r\n",
        "Cache-Control: no-store\r\n"};
    const char *response = exchange(request_of(requests[_i].line, requests[_i].headers, requests[_i].body));
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        ck_assert_msg(strstr(response, headers[i]) != NULL, "%s in %s", headers[i], response);
}
END_TEST

// Of the thread of the game, of that which updates the world here, and of that of the inspector, the last one yields.
START_TEST(ins_06_only_the_thread_of_the_inspector_has_batch_priority)
{
    enum { BATCH_PRIORITY = 3 }; // SCHED_BATCH of Linux
    uint32_t others = 0, batch = 0;
    DIR *tasks = opendir("/proc/self/task");
    ck_assert_ptr_nonnull(tasks);
    exchange(request_of(POST, HOST BEARER TYPE, HELLO)); // it has begun
    for (struct dirent *entry = readdir(tasks); entry != NULL; entry = readdir(tasks)) {
        pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        if (thread == 0)
            continue;
        batch += sched_getscheduler(thread) == BATCH_PRIORITY;
        others += sched_getscheduler(thread) == SCHED_OTHER;
    }
    closedir(tasks);
    ck_assert_uint_eq(batch, 1);
    ck_assert_uint_ge(others, 2);
}
END_TEST

START_TEST(ins_20_it_listens_on_this_machine_alone)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(http_port)};
    inet_pton(AF_INET, "127.0.0.2", &address.sin_addr);
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_ne(connect(connection, (struct sockaddr *)&address, sizeof address), 0);
    close(connection);
}
END_TEST

START_TEST(ins_21_after_20_wrong_tokens_all_wait_but_the_right_one)
{
    int refused = 0;
    uint64_t began = now();
    for (int i = 0; i < 60; i++)
        refused += status_of(exchange(request_of(POST, HOST TYPE "Authorization: Bearer wrong\r\n", HELLO))) == 429;
    ck_assert_uint_le(60 - (uint64_t)refused, 20 * ((now() - began) / 1000000000 + 2));
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, HELLO))), 200);
    wait_for(1100);
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST TYPE "Authorization: Bearer wrong\r\n", HELLO))), 401);
}
END_TEST

// Returns a text of a letter, many times.
static char *many(char letter, size_t count)
{
    char *text = arena_allocate(&http_memory, count + 1);
    memset(text, letter, count);
    text[count] = '\0';
    return text;
}

START_TEST(ins_55_sizes_have_limits)
{
    const char *line = arena_format(&http_memory, "POST /rpc?%s HTTP/1.1", many('a', 2043));
    ck_assert_int_eq(status_of(exchange(request_of(line, HOST BEARER TYPE, HELLO))), 200);
    line = arena_format(&http_memory, "POST /rpc?%s HTTP/1.1", many('a', 2044));
    ck_assert_int_eq(status_of(exchange(request_of(line, HOST BEARER TYPE, HELLO))), 414);
    const char *header = arena_format(&http_memory, HOST BEARER TYPE "X: %s\r\n", many('a', 7000));
    ck_assert_int_eq(status_of(exchange(request_of(POST, header, HELLO))), 200);
    header = arena_format(&http_memory, HOST BEARER TYPE "X: %s\r\n", many('a', 9000));
    ck_assert_int_eq(status_of(exchange(request_of(POST, header, HELLO))), 431);
    header = arena_format(&http_memory, HOST BEARER TYPE "X: %s\r\n", many('a', 60000));
    int status = status_of(exchange(request_of(POST, header, HELLO)));
    ck_assert(status == 431 || status == 413 || status == 0);
    const char *body = arena_format(&http_memory, HELLO "%s", many(' ', 65536 - strlen(HELLO)));
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, body))), 200);
    body = arena_format(&http_memory, HELLO "%s", many(' ', 65537 - strlen(HELLO)));
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, body))), 413);
    line = arena_format(&http_memory, "POST /%s HTTP/1.1", many('a', 60000));
    status = status_of(exchange(request_of(line, HOST BEARER TYPE, HELLO)));
    ck_assert(status == 414 || status == 431 || status == 0);
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, QUERY))), 200);
}
END_TEST

START_TEST(ins_27_bodies_that_lie_are_refused)
{
    static const char *const bad[] = {
        POST "\r\n" HOST BEARER TYPE "Content-Length: 5\r\nContent-Length: 50\r\nConnection: close\r\n\r\n" HELLO,
        POST "\r\n" HOST BEARER TYPE
             "Transfer-Encoding: chunked\r\nContent-Length: 5\r\nConnection: close\r\n\r\n0\r\n\r\n",
        POST "\r\n" HOST BEARER TYPE "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n" HELLO
             "\r\n0\r\n\r\n",
        POST "\r\n" HOST BEARER TYPE "Content-Length: -1\r\nConnection: close\r\n\r\n" HELLO,
        POST "\r\n" HOST BEARER TYPE "Content-Length: 99999999999999999999\r\nConnection: close\r\n\r\n" HELLO,
        "GET /\r\n\r\n",
        "\r\n\r\n\r\n\r\nnonsense\r\n\r\n",
        "CONNECT 127.0.0.1:80 HTTP/1.1\r\n" HOST BEARER "Connection: close\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int connection = connect_to();
        send_bytes(connection, bad[i], strlen(bad[i]));
        shutdown(connection, SHUT_WR);
        int status = status_of(receive(connection));
        ck_assert_msg(status == 0 || (status >= 400 && status < 500), "%d to %s", status, bad[i]);
    }
    const char *chunked = POST "\r\n" HOST BEARER TYPE "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                               "2d\r\n" HELLO "\r\n0\r\n\r\n";
    ck_assert_int_eq((int)strlen(HELLO), 0x2d);
    ck_assert_int_eq(status_of(exchange(chunked)), 200);
}
END_TEST

START_TEST(ins_27_a_chunked_body_is_not_larger_either)
{
    int connection = connect_to();
    const char *head = POST "\r\n" HOST BEARER TYPE "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    const char *chunk = arena_format(&http_memory, "1000\r\n%s\r\n", many(' ', 0x1000));
    send_bytes(connection, head, strlen(head));
    for (int i = 0; i < 17; i++)
        send_bytes(connection, chunk, strlen(chunk));
    send_bytes(connection, "0\r\n\r\n", 5);
    ck_assert_int_eq(status_of(receive(connection)), 413);
}
END_TEST

START_TEST(ins_28_requests_that_are_cut_harm_nothing)
{
    const char *request = request_of(POST, HOST BEARER TYPE, QUERY);
    for (size_t size = 0; size < strlen(request); size += 3) {
        int connection = connect_to();
        send_bytes(connection, request, size);
        close(connection);
    }
    ck_assert_int_eq(status_of(exchange(request)), 200);
}
END_TEST

START_TEST(ins_27_half_open_connections_are_gone_after_5_seconds)
{
    int open[40];
    for (int i = 0; i < 40; i++)
        open[i] = connect_to();
    for (int i = 0; i < 40; i++)
        send_bytes(open[i], "POST /rpc HT", 12);
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, HELLO))), 200); // K7
    for (int i = 0; i < 40; i++)
        close(open[i]);
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, HELLO))), 200);
}
END_TEST

START_TEST(ins_07_a_world_that_does_not_update_is_said_so)
{
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, QUERY))), 200);
    atomic_store(&game_stands, true);
    const char *response = exchange(request_of(POST, HOST BEARER TYPE, QUERY));
    ck_assert_msg(strstr(response, "\"code\":-33101") != NULL, "%s", response);
    ck_assert_ptr_nonnull(strstr(response, "town does not update: frame "));
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, HELLO))), 200);
    atomic_store(&game_stands, false);
    ck_assert_ptr_nonnull(strstr(exchange(request_of(POST, HOST BEARER TYPE, QUERY)), "\"total\":2"));
}
END_TEST

START_TEST(ins_55_at_most_200_requests_a_second)
{
    int refused = 0, connection = connect_to();
    uint64_t began = now();
    const char *request = POST "\r\n" HOST BEARER TYPE "Content-Length: 45\r\n\r\n" HELLO;
    char answer[8192];
    for (int i = 0; i < 450; i++) {
        send_bytes(connection, request, strlen(request));
        ssize_t size = recv(connection, answer, sizeof answer - 1, 0);
        ck_assert_int_gt((int)size, 0);
        answer[size] = '\0';
        if (status_of(answer) == 429) {
            refused++;
            close(connection);
            connection = connect_to();
        }
    }
    close(connection);
    ck_assert_uint_le(450 - (uint64_t)refused, 200 * ((now() - began) / 1000000000 + 2));
}
END_TEST

START_TEST(ins_26_a_read_only_inspector_says_so_over_http)
{
    const char *pause = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"time.pause\"}";
    game_stop();
    town_end();
    http_begin_with((kin_inspector_options){.read_only = true});
    ck_assert_ptr_nonnull(strstr(exchange(request_of(POST, HOST BEARER TYPE, pause)), "-33100"));
}
END_TEST

START_TEST(an_inspector_ends_while_requests_wait)
{
    int open[8];
    game_stop();
    const char *request = request_of(POST, HOST BEARER TYPE, QUERY);
    const char *watch = request_of("POST /stream HTTP/1.1", HOST BEARER TYPE,
                                   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"time.get+watch\"}");
    for (int i = 0; i < 8; i++) {
        open[i] = connect_to();
        send_bytes(open[i], i < 6 ? request : watch, strlen(i < 6 ? request : watch));
    }
    wait_for(50);
    kin_inspector_destroy(inspector);
    for (int i = 0; i < 8; i++)
        close(open[i]);
    game_start();
}
END_TEST

START_TEST(a_port_that_is_taken_and_a_bad_token_are_refused)
{
    kin_error error = {0};
    (void)error;
    kin_inspector_options options = inspect_live_options();
    options.port = http_port;
    ck_assert_ptr_null(kin_inspector_create(&options));
    ck_assert_int_eq(inspect_error.status, KIN_ERROR_LIMIT);
    options.port = 0;
    options.token = "short";
    ck_assert_ptr_null(kin_inspector_create(&options));
    ck_assert_int_eq(inspect_error.status, KIN_ERROR_INVALID);
    options.token = "0123456789abcdef0123456789abcde\"";
    ck_assert_ptr_null(kin_inspector_create(&options));
    options.token = NULL;
    kin_inspector *second = kin_inspector_create(&options);
    ck_assert_ptr_nonnull(second);
    ck_assert_str_ne(kin_inspector_address(second), kin_inspector_address(inspector));
    kin_inspector_destroy(second);
    guard_end(&inspect_memory);
}
END_TEST

// ---- other clients

START_TEST(curl_gets_the_same_answers)
{
    const char *command =
        "command -v curl > /dev/null || { echo '\"total\":2'; exit 0; }; curl -s -S -m 5 http://127.0.0.1:%u/rpc -H "
        "'Authorization: Bearer " TOKEN "' -H 'Content-Type: application/json' -d '%s'";
    const char *answer = shell_expect(&http_memory, arena_format(&http_memory, command, (unsigned)http_port, QUERY));
    ck_assert_msg(strstr(answer, "\"total\":2") != NULL, "%s", answer);
}
END_TEST

START_TEST(python_gets_the_same_answers_on_one_connection)
{
    const char *command =
        "command -v python3 > /dev/null || { echo ok; exit 0; }; python3 -c '\n"
        "import http.client, json\n"
        "c = http.client.HTTPConnection(\"127.0.0.1\", %u, timeout=5)\n"
        "for n in range(40):\n"
        "    c.request(\"POST\", \"/rpc\", json.dumps({\"jsonrpc\": \"2.0\", \"id\": n, \"method\": "
        "\"entities.query\",\n"
        "        \"params\": {\"context\": \"houses\", \"limit\": n}}), {\"Authorization\": \"Bearer " TOKEN "\",\n"
        "        \"Content-Type\": \"application/json\"})\n"
        "    r = json.loads(c.getresponse().read())\n"
        "    assert r[\"id\"] == n and r[\"result\"][\"total\"] == 20 and len(r[\"result\"][\"rows\"]) == min(n, 20), "
        "r\n"
        "print(\"ok\")'";
    ck_assert_ptr_nonnull(
        strstr(shell_expect(&http_memory, arena_format(&http_memory, command, (unsigned)http_port)), "ok"));
}
END_TEST

Suite *inspect_http_suite(void)
{
    Suite *suite = suite_create("inspect_http");
    TCase *tests = tcase_create("inspect_http");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, http_begin, http_end);
    tcase_add_loop_test(tests, ins_22_a_request_is_answered_or_refused_as_it_deserves, 0,
                        sizeof requests / sizeof *requests);
    tcase_add_loop_test(tests, ins_24_each_answer_has_headers_that_confine_a_browser, 0,
                        sizeof requests / sizeof *requests);
    tcase_add_test(tests, ins_06_only_the_thread_of_the_inspector_has_batch_priority);
    tcase_add_test(tests, ins_20_it_listens_on_this_machine_alone);
    tcase_add_test(tests, ins_21_after_20_wrong_tokens_all_wait_but_the_right_one);
    tcase_add_test(tests, ins_55_sizes_have_limits);
    tcase_add_test(tests, ins_27_bodies_that_lie_are_refused);
    tcase_add_test(tests, ins_27_a_chunked_body_is_not_larger_either);
    tcase_add_test(tests, ins_28_requests_that_are_cut_harm_nothing);
    tcase_add_test(tests, ins_27_half_open_connections_are_gone_after_5_seconds);
    tcase_add_test(tests, ins_07_a_world_that_does_not_update_is_said_so);
    tcase_add_test(tests, ins_55_at_most_200_requests_a_second);
    tcase_add_test(tests, ins_26_a_read_only_inspector_says_so_over_http);
    tcase_add_test(tests, an_inspector_ends_while_requests_wait);
    tcase_add_test(tests, a_port_that_is_taken_and_a_bad_token_are_refused);
    tcase_add_test(tests, curl_gets_the_same_answers);
    tcase_add_test(tests, python_gets_the_same_answers_on_one_connection);
    suite_add_tcase(suite, tests);
    return suite;
}
