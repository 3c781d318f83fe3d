// Streams: events of methods that are asked again and again.
#include "http_case.h"
#include "suites.h"

#include "inspector/inspector.h"
#include "transport/transport.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Reads from a stream until a text is there.
static bool stream_has(int connection, char *text, size_t size, const char *wanted)
{
    size_t used = strlen(text);
    while (strstr(text, wanted) == NULL) {
        ssize_t got = recv(connection, text + used, size - used - 1, 0);
        if (got <= 0)
            return false;
        used += (size_t)got;
        text[used] = '\0';
    }
    return true;
}

START_TEST(ins_50_a_stream_tells_what_changes)
{
    static char text[RESPONSE_SIZE];
    static const char watch[] =
        "[{\"jsonrpc\":\"2.0\",\"id\":\"rows\",\"method\":\"entities.query+watch\",\"params\":{\"context\":\"houses\","
        "\"query\":\"Roof where tiles > 17\",\"fields\":[\"Roof.tiles\"],\"period\":50}},"
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"time.get+watch\",\"params\":{\"period\":100}}]";
    int connection = connect_to();
    const char *request = request_of("POST /stream HTTP/1.1", HOST BEARER TYPE, watch);
    text[0] = '\0';
    send_bytes(connection, request, strlen(request));
    ck_assert(stream_has(connection, text, sizeof text, "event: rows\ndata: {\"result\":"));
    ck_assert_ptr_nonnull(strstr(text, "text/event-stream"));
    ck_assert(stream_has(connection, text, sizeof text, "{\"Roof.tiles\":19}"));
    ck_assert(stream_has(connection, text, sizeof text, "event: 7\ndata: "));
    const char *set = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"components.set\",\"params\":{\"context\":\"houses\","
                      "\"entity\":\"20:19\",\"path\":\"Roof.tiles\",\"value\":91}}";
    const char *answer = exchange(request_of(POST, HOST BEARER TYPE, set));
    ck_assert_msg(strstr(answer, "\"previous\":19") != NULL, "%s", answer);
    ck_assert(stream_has(connection, text, sizeof text, "{\"Roof.tiles\":91}"));
    close(connection);
}
END_TEST

// The other request of the stream is answered all the time.
START_TEST(ins_07_a_stream_says_which_world_does_not_update)
{
    static char text[RESPONSE_SIZE];
    my_game_context *still = my_game_context_create(NULL);
    game_stop();
    kin_inspector_add(inspector, &still->base, NULL);
    game_start();
    const char *request = request_of(
        "POST /stream HTTP/1.1", HOST BEARER TYPE,
        "[{\"jsonrpc\":\"2.0\",\"id\":\"still\",\"method\":\"entities.query+watch\",\"params\":{\"context\":\"game\"}},"
        "{\"jsonrpc\":\"2.0\",\"id\":\"runs\",\"method\":\"time.get+watch\",\"params\":{\"world\":\"town\",\"period\":"
        "50}}]");
    int connection = connect_to();
    text[0] = '\0';
    send_bytes(connection, request, strlen(request));
    ck_assert(stream_has(connection, text, sizeof text, "event: still\ndata: {\"error\":{\"code\":-33101,"));
    close(connection);
    game_stop();
    kin_inspector_destroy(inspector);
    my_game_context_destroy(still);
    game_start();
}
END_TEST

static const struct {
    const char *body, *answer;
} streams[] = {
    {"[]", "a stream has 1 to 8 requests"},
    {"{", "the request is no JSON"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"kin.hello+watch\"}", "each request of a stream needs an 'id'"},
    {"{\"jsonrpc\":\"2.0\",\"id\":\"a\\nb\",\"method\":\"kin.hello+watch\"}", "each request of a stream needs an 'id'"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"kin.hello\"}", "no method of this name can be watched"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"time.pause+watch\"}", "no method of this name can be watched"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"kin.hello+watch\",\"params\":{\"period\":49}}",
     "'period' must be from 50"},
};

START_TEST(a_stream_that_is_none_is_refused)
{
    const char *response = exchange(request_of("POST /stream HTTP/1.1", HOST BEARER TYPE, streams[_i].body));
    ck_assert_int_eq(status_of(response), 200);
    ck_assert_msg(strstr(response, streams[_i].answer) != NULL, "%s", response);
}
END_TEST

START_TEST(ins_55_there_are_at_most_4_streams)
{
    int open[4];
    const char *watch = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"kin.hello+watch\"}";
    const char *request = request_of("POST /stream HTTP/1.1", HOST BEARER TYPE, watch);
    char byte;
    for (int i = 0; i < 4; i++) {
        open[i] = connect_to();
        send_bytes(open[i], request, strlen(request));
        ck_assert_int_eq((int)recv(open[i], &byte, 1, 0), 1);
    }
    ck_assert_int_eq(status_of(exchange(request)), 429);
    close(open[0]);
    for (int i = 0; i < 100 && status_of(exchange(request_of(POST, HOST BEARER TYPE, HELLO))) == 200; i++)
        wait_for(5);
    for (int i = 1; i < 4; i++)
        close(open[i]);
}
END_TEST

// ---- events that do not fit

// Entities with names of 4,000 times the same character.
static void name_entities(uint32_t count, char letter)
{
    static char name[4001];
    memset(name, letter, sizeof name - 1);
    for (uint32_t i = 0; i < count; i++)
        my_game_add_name(game, my_game_create_entity(game), (my_Name){.value = name});
}

// Asks a subscription, and takes the answer.
static void ask_stream(kin__stream *stream, uint32_t number, uint64_t moment)
{
    uint64_t next = UINT64_MAX;
    kin__task *task = kin__stream_ask(stream, number, moment, &next);
    ck_assert_ptr_nonnull(task);
    ck_assert(kin__task_step(task, UINT64_MAX));
    task->is_done = true;
    kin__stream_take(stream, task);
}

static kin__stream *make_stream(const char *limit)
{
    char request[1024] = "[";
    kin__mistake mistake = {0};
    for (int i = 0; i < 3; i++)
        snprintf(request + strlen(request), sizeof request - strlen(request),
                 "%s{'jsonrpc':'2.0','id':%d,'method':'entities.query+watch','params':{'context':'game','fields':"
                 "['Name.value'],'limit':%s}}",
                 i == 0 ? "" : ",", i, limit);
    const char *text = inspect_quoted(strcat(request, "]"));
    kin__stream *stream = kin__stream_create(&inspector->service, text, strlen(text), &mistake);
    ck_assert_msg(stream != NULL, "%s", mistake.message);
    return stream;
}

// Reads all that is to be sent.
static const char *read_stream(kin__stream *stream)
{
    static char text[4 * 1024 * 1024];
    size_t size = kin__stream_read(stream, text, sizeof text - 1);
    text[size] = '\0';
    return text;
}

START_TEST(ins_50_an_event_without_room_is_left_out_whole_and_sent_later)
{
    uint64_t moment = now();
    name_entities(200, 'x');
    kin__stream *stream = make_stream("200");
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t next = UINT64_MAX;
        kin__task *task = kin__stream_ask(stream, i, moment, &next);
        ck_assert_ptr_nonnull(task);
    }
    for (uint32_t i = 0; i < 3; i++) {
        kin__task *task = stream->subscriptions[i].task;
        ck_assert(kin__task_step(task, UINT64_MAX));
        kin__stream_take(stream, task);
    }
    const char *text = read_stream(stream);
    ck_assert_uint_gt(strlen(text), 1500 * 1000);
    ck_assert_str_eq(text + strlen(text) - 2, "\n\n");
    ck_assert_ptr_nonnull(strstr(text, "id: 1\nevent: 1\n"));
    ck_assert_ptr_null(strstr(text, "event: 2"));
    ck_assert_uint_eq(stream->dropped, 1);
    ask_stream(stream, 2, moment + 1000000000u);
    text = read_stream(stream);
    ck_assert_ptr_eq(strstr(text, "id: 2\nevent: 2\ndata: {\"result\":"), text);
    ck_assert_str_eq(text + strlen(text) - 2, "\n\n");
    kin__stream_destroy(stream);
}
END_TEST

START_TEST(ins_50_a_result_that_is_too_large_gives_its_error)
{
    name_entities(60, '<'); // six bytes each in the answer
    kin__stream *stream = make_stream("60");
    ask_stream(stream, 0, now());
    const char *text = read_stream(stream);
    ck_assert_msg(strncmp(text, "id: 0\nevent: 0\ndata: {\"error\":{\"code\":-33102,", 45) == 0, "%.200s", text);
    ck_assert_ptr_nonnull(strstr(text, "ask for less\"},\"dropped\":0}\n\n"));
    kin__stream_destroy(stream);
}
END_TEST

Suite *inspect_stream_suite(void)
{
    Suite *suite = suite_create("inspect_stream");
    TCase *tests = tcase_create("inspect_stream");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, http_begin, http_end);
    tcase_add_test(tests, ins_50_a_stream_tells_what_changes);
    tcase_add_test(tests, ins_07_a_stream_says_which_world_does_not_update);
    tcase_add_loop_test(tests, a_stream_that_is_none_is_refused, 0, sizeof streams / sizeof *streams);
    tcase_add_test(tests, ins_55_there_are_at_most_4_streams);
    suite_add_tcase(suite, tests);
    TCase *large = tcase_create("large");
    tcase_add_checked_fixture(large, inspect_begin, inspect_end);
    tcase_add_test(large, ins_50_an_event_without_room_is_left_out_whole_and_sent_later);
    tcase_add_test(large, ins_50_a_result_that_is_too_large_gives_its_error);
    suite_add_tcase(suite, large);
    return suite;
}
