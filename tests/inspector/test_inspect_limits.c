// Limits of the transport: what may connect, how long a request may take, what a viewer that does not read costs.
#include "http_case.h"
#include "suites.h"

#include "inspector/inspector.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static const uint64_t second = 1000000000u;

// ---- a Unix socket

static char local[100];

static void local_begin(void)
{
    kin_inspector_options options = {.socket = local};
    snprintf(local, sizeof local, "%s/kin-test-socket-%d", shell_scratch(), (int)getpid());
    unlink(local);
    http_begin_with(options);
}

static void local_end(void)
{
    http_end();
    ck_assert_int_eq(access(local, F_OK), -1);
}

static int connect_locally(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int connection = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(connect(connection, (struct sockaddr *)&address, sizeof address), 0);
    return connection;
}

START_TEST(ins_20_a_unix_socket_can_be_opened_by_its_user_alone)
{
    struct stat status;
    ck_assert_int_eq(lstat(local, &status), 0);
    ck_assert(S_ISSOCK(status.st_mode));
    ck_assert_uint_eq(status.st_mode & 0777, 0600);
    int connection = connect_locally(local);
    const char *request = request_of(POST, "Host: localhost\r\n" BEARER TYPE, QUERY);
    send_bytes(connection, request, strlen(request));
    ck_assert_ptr_nonnull(strstr(receive(connection), "\"total\":2"));
    connection = connect_locally(local);
    request = request_of(POST, "Host: localhost\r\n" TYPE, QUERY);
    send_bytes(connection, request, strlen(request));
    ck_assert_int_eq(status_of(receive(connection)), 401);
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, HELLO))), 200);
}
END_TEST

// Creates another inspector with a Unix socket. Returns whether that worked; destroys it.
static bool can_listen(const char *path)
{
    kin_inspector_options options = inspect_live_options();
    options.quiet = true;
    options.socket = path;
    inspect_error = (kin_error){0};
    kin_inspector *second_one = kin_inspector_create(&options);
    ck_assert((second_one == NULL) == (inspect_error.status == KIN_ERROR_LIMIT));
    kin_inspector_destroy(second_one);
    guard_end(&inspect_memory);
    return second_one != NULL;
}

START_TEST(ins_20_a_unix_socket_takes_no_file_of_another_program)
{
    char path[128], file[108];
    snprintf(file, sizeof file, "%s.file", local);
    ck_assert(!can_listen(local)); // the inspector of the test listens there
    ck_assert_int_eq(access(local, F_OK), 0);
    fclose(fopen(file, "w"));
    ck_assert(!can_listen(file));
    ck_assert_int_eq(unlink(file), 0);
    memset(path, 'a', sizeof path - 1);
    path[0] = '/', path[sizeof path - 1] = '\0';
    ck_assert(!can_listen(path));
    ck_assert(!can_listen(""));
}
END_TEST

START_TEST(ins_20_a_unix_socket_of_a_program_that_has_ended_is_replaced)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s.old", local);
    int old = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(old, (struct sockaddr *)&address, sizeof address), 0);
    close(old);
    ck_assert(can_listen(address.sun_path));
    ck_assert_int_eq(access(address.sun_path, F_OK), -1);
}
END_TEST

// ---- a game that is stuck

static atomic_bool is_stuck, wants_stuck;

static void get_stuck(town_world *world)
{
    (void)world;
    while (atomic_load(&wants_stuck)) {
        atomic_store(&is_stuck, true);
        wait_for(5);
    }
    atomic_store(&is_stuck, false);
}

START_TEST(ins_07_the_system_in_which_a_game_is_stuck_is_named)
{
    game_stop();
    town_do("Mayor:execute", get_stuck);
    game_start();
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, QUERY))), 200);
    atomic_store(&wants_stuck, true);
    wait_until(atomic_load(&is_stuck));
    const char *response = exchange(request_of(POST, HOST BEARER TYPE, QUERY));
    ck_assert_msg(strstr(response, " ms ago, in Mayor\"") != NULL, "%s", response);
    response = exchange(request_of(POST, HOST BEARER TYPE, HELLO));
    ck_assert_msg(strstr(response, "\"running\":{\"system\":\"Mayor\",\"nanoseconds\":") != NULL, "%s", response);
    atomic_store(&wants_stuck, false);
    ck_assert_ptr_nonnull(strstr(exchange(request_of(POST, HOST BEARER TYPE, QUERY)), "\"total\":2"));
}
END_TEST

// ---- slow viewers

START_TEST(ins_27_a_request_is_there_whole_within_5_seconds)
{
    static const char *const parts[] = {"POST /rpc HTTP/1.1\r\n" HOST, BEARER, TYPE,
                                        "Content-Length: 45\r\n\r\n",  "{",    "}"};
    int slow = connect_to(), silent = connect_to();
    uint64_t began = now();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        send_bytes(slow, parts[i], strlen(parts[i]));
        wait_for(i < 3 ? 1400 : 50); // a part in time each, but the whole is not
    }
    ck_assert_str_eq(receive(slow), "");
    ck_assert_uint_gt(now() - began, 4500 * (uint64_t)1000000);
    ck_assert_str_eq(receive(silent), "");
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, HELLO))), 200);
}
END_TEST

static uint32_t stream_count(void)
{
    char name[16] = "";
    const char *answer = exchange(request_of(POST, HOST BEARER TYPE, HELLO));
    const char *found = strstr(answer, "\"streams\":");
    ck_assert_ptr_nonnull(found);
    sscanf(found, "\"streams\":%15[0-9]", name);
    return (uint32_t)strtoul(name, NULL, 10);
}

START_TEST(ins_30_a_viewer_that_does_not_read_loses_events_and_is_gone_after_5_seconds)
{
    char watch[2048] = "[";
    for (int i = 0; i < 8; i++)
        snprintf(watch + strlen(watch), sizeof watch - strlen(watch),
                 "%s{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"systems.list+watch\",\"params\":{\"period\":50}}",
                 i == 0 ? "" : ",", i);
    strcat(watch, "]");
    const char *request = request_of("POST /stream HTTP/1.1", HOST BEARER TYPE, watch);
    int connection = connect_to(), small = 4096;
    setsockopt(connection, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    send_bytes(connection, request, strlen(request));
    while (stream_count() == 0)
        wait_for(100); // there are at most 200 requests a second
    while (stream_count() == 1)
        wait_for(100);
    ck_assert_uint_lt(atomic_load(&inspector->service.heap.used), 4 * 1024 * 1024);
    close(connection);
}
END_TEST

static atomic_uint reports;

static void count_report(const kin_error *error, void *user)
{
    (void)user;
    if (strncmp(error->message, "cannot answer ", 14) == 0)
        atomic_fetch_add(&reports, 1);
}

START_TEST(ins_32_refused_requests_are_counted_and_reported_once_a_second)
{
    http_begin_with((kin_inspector_options){.on_error = count_report});
    uint64_t began = now(), refused = atomic_load(&inspector->service.refused);
    for (int i = 0; i < 15; i++)
        ck_assert_int_eq(status_of(exchange(request_of(POST, HOST TYPE, HELLO))), 401);
    ck_assert_uint_ge(atomic_load(&reports), 1);
    ck_assert_uint_le(atomic_load(&reports), 1 + (now() - began) / second);
    ck_assert_uint_eq(atomic_load(&inspector->service.refused) - refused, 15);
    http_end();
}
END_TEST

START_TEST(ins_30_lost_events_are_counted)
{
    static char text[RESPONSE_SIZE];
    const char *request = request_of("POST /stream HTTP/1.1", HOST BEARER TYPE,
                                     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"time.get+watch\",\"params\":"
                                     "{\"period\":50}}");
    int connection = connect_to();
    size_t used = 0;
    ssize_t got;
    send_bytes(connection, request, strlen(request));
    while (strstr(text, "\"dropped\":0") == NULL && used < sizeof text - 1 &&
           (got = recv(connection, text + used, sizeof text - used - 1, 0)) > 0)
        used += (size_t)got;
    ck_assert_msg(strstr(text, "\"dropped\":0") != NULL, "%s", text);
    atomic_store(&game_stands, true); // events are due, and cannot be made
    wait_until(atomic_load(&inspector->service.dropped) > 0);
    atomic_store(&game_stands, false);
    close(connection);
}
END_TEST

START_TEST(ins_08_memory_has_a_limit_and_requests_beyond_it_are_refused)
{
    int open[12];
    game_stop();
    town_end();
    http_begin_with((kin_inspector_options){.memory = 1024 * 1024});
    atomic_store(&game_stands, true);
    for (int i = 0; i < 12; i++) {
        const char *request = request_of(POST, HOST BEARER TYPE, QUERY);
        open[i] = connect_to();
        send_bytes(open[i], request, strlen(request));
    }
    wait_for(50);
    ck_assert_uint_le(atomic_load(&inspector->service.heap.used), 1024 * 1024);
    uint32_t refused = 0;
    for (int i = 0; i < 12; i++) {
        const char *response = receive(open[i]);
        refused += strstr(response, "the inspector has no memory left") != NULL || status_of(response) == 503;
    }
    ck_assert_uint_gt(refused, 0);
    atomic_store(&game_stands, false);
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, HELLO))), 200);
}
END_TEST

// Leaves so many bytes to the inspector.
static void leave_memory(size_t size)
{
    inspector->service.heap.limit = atomic_load(&inspector->service.heap.used) + size;
}

START_TEST(ins_08_an_answer_without_memory_is_503)
{
    const char *request = request_of(POST, HOST BEARER TYPE, QUERY);
    atomic_store(&game_stands, true);
    int connection = connect_to();
    send_bytes(connection, request, strlen(request));
    wait_until(atomic_load(&inspector->service.sites.hosts[0].attention) > 0);
    leave_memory(100);
    atomic_store(&game_stands, false);
    ck_assert_int_eq(status_of(receive(connection)), 503);
    leave_memory(16 * 1024);
    ck_assert_int_eq(status_of(exchange(request)), 503); // no memory for the body
    leave_memory(8 * 1024 * 1024);
    ck_assert_int_eq(status_of(exchange(request)), 200);
}
END_TEST

START_TEST(ins_08_an_answer_that_is_not_read_counts_as_memory)
{
    static char name[2001];
    const char *all = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"entities.query\",\"params\":{\"context\":\"game\","
                      "\"fields\":[\"Name.value\"],\"limit\":400}}";
    const char *request = request_of(POST, HOST BEARER TYPE, all);
    memset(name, '<', sizeof name - 1);
    game_stop();
    my_game_context *large = my_game_context_create(NULL);
    for (int i = 0; i < 150; i++) // the value is the label, too
        my_game_add_name(large, my_game_create_entity(large), (my_Name){.value = name});
    kin_inspector_add(inspector, &large->base, NULL);
    size_t before = atomic_load(&inspector->service.heap.used);
    int connection = connect_to(), small = 4096;
    setsockopt(connection, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    send_bytes(connection, request, strlen(request));
    while (atomic_load(&inspector->service.heap.used) <= before + 2 * 1024 * 1024) {
        kin_inspector_frame(inspector, NULL);
        wait_for(2);
    }
    close(connection);
    wait_until(atomic_load(&inspector->service.heap.used) < before + 1024 * 1024);
    kin_inspector_destroy(inspector);
    my_game_context_destroy(large);
    game_start();
}
END_TEST

static uint64_t time_of_process(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * second + (uint64_t)time.tv_nsec;
}

START_TEST(ins_27_without_descriptors_the_thread_waits)
{
    struct rlimit before, none;
    const char *request = request_of(POST, HOST BEARER TYPE, HELLO);
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(http_port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    getrlimit(RLIMIT_NOFILE, &before);
    none = before;
    none.rlim_cur = 3; // those that are open stay so
    atomic_store(&game_stands, true);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    ck_assert_int_eq(connect(connection, (struct sockaddr *)&address, sizeof address), 0);
    send_bytes(connection, request, strlen(request));
    uint64_t began = now(), used = time_of_process();
    wait_for(400);
    used = time_of_process() - used;
    uint64_t waited = now() - began;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    ck_assert_uint_lt(used, waited / 4);
    ck_assert_int_eq(status_of(receive(connection)), 200);
}
END_TEST

Suite *inspect_limits_suite(void)
{
    Suite *suite = suite_create("inspect_limits");
    TCase *locally = tcase_create("local");
    tcase_set_timeout(locally, 60);
    tcase_add_checked_fixture(locally, local_begin, local_end);
    tcase_add_test(locally, ins_20_a_unix_socket_can_be_opened_by_its_user_alone);
    tcase_add_test(locally, ins_20_a_unix_socket_takes_no_file_of_another_program);
    tcase_add_test(locally, ins_20_a_unix_socket_of_a_program_that_has_ended_is_replaced);
    suite_add_tcase(suite, locally);
    TCase *stuck = tcase_create("stuck");
    tcase_set_timeout(stuck, 60);
    tcase_add_checked_fixture(stuck, http_begin, http_end);
    tcase_add_test(stuck, ins_07_the_system_in_which_a_game_is_stuck_is_named);
    suite_add_tcase(suite, stuck);
    TCase *refused = tcase_create("refused");
    tcase_set_timeout(refused, 60);
    tcase_add_test(refused, ins_32_refused_requests_are_counted_and_reported_once_a_second);
    suite_add_tcase(suite, refused);
    TCase *slow = tcase_create("slow");
    tcase_set_timeout(slow, 60);
    tcase_add_checked_fixture(slow, http_begin, http_end);
    tcase_add_test(slow, ins_27_a_request_is_there_whole_within_5_seconds);
    tcase_add_test(slow, ins_30_a_viewer_that_does_not_read_loses_events_and_is_gone_after_5_seconds);
    tcase_add_test(slow, ins_30_lost_events_are_counted);
    tcase_add_test(slow, ins_08_memory_has_a_limit_and_requests_beyond_it_are_refused);
    tcase_add_test(slow, ins_08_an_answer_without_memory_is_503);
    tcase_add_test(slow, ins_08_an_answer_that_is_not_read_counts_as_memory);
    tcase_add_test(slow, ins_27_without_descriptors_the_thread_waits);
    suite_add_tcase(suite, slow);
    return suite;
}
