// What streams send: the first result whole, then differences, which a naive viewer here puts together again.
#include "http_case.h"
#include "suites.h"
#include "viewer_case.h"

#include "inspector/inspector.h"
#include "text/text.h"
#include "transport/transport.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static uint32_t state;

static uint32_t random_below(uint32_t bound)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % bound;
}

// ---- random results

enum { SLOTS = 12, ROUNDS = 4000 };

typedef struct model_row {
    uint32_t created; // 0: there is none
    uint32_t has, values[3], label;
} model_row;

typedef struct model {
    model_row rows[SLOTS];
    uint32_t order[SLOTS]; // of slots
    bool is_ordered, has_cut;
    uint32_t total;
} model;

static void change_model(model *model)
{
    for (uint32_t n = random_below(4); n > 0; n--) {
        model_row *row = &model->rows[random_below(SLOTS)];
        uint32_t what = random_below(6), component = random_below(3);
        if (what == 0)
            *row = (model_row){.created = row->created == 0 || random_below(3) == 0 ? 1 + random_below(9) : 0};
        else if (what == 1)
            row->has ^= 1u << component;
        else if (what == 2)
            row->label = random_below(4);
        else
            row->values[component] = random_below(8);
    }
    uint32_t a = random_below(SLOTS), b = random_below(SLOTS), kept = model->order[a];
    if (random_below(6) == 0) {
        model->order[a] = model->order[b];
        model->order[b] = kept;
    }
    model->is_ordered = random_below(20) == 0 ? !model->is_ordered : model->is_ordered;
    model->has_cut = random_below(30) == 0 ? !model->has_cut : model->has_cut;
    model->total = random_below(5) == 0 ? random_below(9) : model->total;
}

static json_t *make_value(uint32_t value)
{
    static const char *const texts[] = {"a", "}],{\"e\":\"1:2\"", "\\\"", ""};
    switch (value) {
    case 0:
        return json_null();
    case 1:
        return json_true();
    case 2:
        return json_pack("{s:i, s:{s:i, s:s}}", "x", 1, "at", "y", 2, "z", "[");
    case 3:
        return json_pack("{s:i, s:{s:i, s:s}}", "x", 1, "at", "y", 3, "z", "[");
    case 4:
        return json_pack("{s:s, s:i}", "text", "long", "length", 5000);
    case 5:
        return json_pack("[i, {s:i}]", 1, "x", 2);
    default:
        return json_string(texts[value % 4]);
    }
}

static json_t *make_row(const model_row *row, uint32_t slot)
{
    static const char *const names[] = {"Position", "Team.side", "\\\"Name"}, *const labels[] = {"", "a", "b\\\"c"};
    char handle[32];
    snprintf(handle, sizeof handle, "%u:%u", (unsigned)row->created, (unsigned)slot * 3);
    json_t *values = json_object(), *object = json_pack("{s:s}", "e", handle);
    if (row->label > 0)
        json_object_set_new(object, "label", json_string(labels[row->label - 1]));
    for (uint32_t i = 0; i < 3; i++)
        if ((row->has >> i & 1) != 0)
            json_object_set_new(values, names[i], make_value(row->values[i]));
    json_object_set_new(object, "v", values);
    return object;
}

static json_t *make_result(const model *model)
{
    json_t *rows = json_array(), *result = json_pack("{s:[i, i]}", "frame", (int)random_below(3), 4);
    json_object_set_new(result, "total", json_integer(model->total));
    if (model->has_cut)
        json_object_set_new(result, "cut", json_true());
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint32_t slot = model->is_ordered ? model->order[i] : i;
        if (model->rows[slot].created != 0)
            json_array_append_new(rows, make_row(&model->rows[slot], slot));
    }
    json_object_set_new(result, "rows", rows);
    return result;
}

// Returns whether the results had a difference, and how long it was.
static bool follow_difference(kin__bounded_heap *heap, json_t *viewed, const json_t *now, bool has_rows, size_t *size)
{
    char *last_text = json_dumps(viewed, JSON_COMPACT), *text = json_dumps(now, JSON_COMPACT);
    kin__json_part from = {last_text, strlen(last_text)}, to = {text, strlen(text)};
    kin__json change = kin__json_make(heap, 1024 * 1024);
    bool has_difference = kin__difference_write(&change, from, to, has_rows);
    if (has_difference) {
        json_t *parsed = json_loads(change.at, 0, NULL);
        ck_assert_msg(parsed != NULL, "%s", change.at);
        viewer_apply(viewed, parsed);
        json_decref(parsed);
        *size += change.size;
    }
    kin__json_release(&change);
    free(last_text);
    free(text);
    return has_difference;
}

START_TEST(ins_50_differences_of_random_results_give_the_results_again)
{
    model model = {0};
    kin__bounded_heap heap;
    size_t sizes = 0;
    uint32_t differences = 0;
    kin__bounded_heap_init(&heap, (kin_allocator){0}, 16 * 1024 * 1024);
    for (uint32_t i = 0; i < SLOTS; i++)
        model.order[i] = SLOTS - 1 - i;
    json_t *viewed = make_result(&model);
    for (state = 7; differences < ROUNDS; differences++) {
        bool has_rows = random_below(5) != 0;
        change_model(&model);
        json_t *now = make_result(&model);
        if (follow_difference(&heap, viewed, now, has_rows, &sizes)) {
            viewer_expect_equal(viewed, now);
        } else {
            json_decref(viewed);
            viewed = json_deep_copy(now);
        }
        json_decref(now);
    }
    ck_assert_uint_lt(sizes / ROUNDS, 200);
    json_decref(viewed);
    ck_assert_uint_eq(atomic_load(&heap.used), 0);
}
END_TEST

static const struct {
    const char *last, *now, *change; // NULL: there is none
} known[] = {
    {"{'a':1,'b':{'x':1,'y':2}}", "{'a':1,'b':{'x':1,'y':3}}", "{'b':{'x':1,'y':3}}"},
    {"{'a':1,'b':2}", "{'a':1}", NULL},
    {"{'a':1}", "{'b':1}", NULL},
    {"[1]", "[2]", NULL},
    {"{'rows':[]}", "{'rows':[{'e':'1:0'}]}", "{'rows':[{'e':'1:0'}],'gone':[]}"},
    {"{'rows':[{'e':'1:0'},{'e':'2:4'}]}", "{'rows':[{'e':'3:0'},{'e':'2:4'}]}",
     "{'rows':[{'e':'3:0'}],'gone':['1:0']}"},
    {"{'rows':[{'e':'1:0','v':{'P':{'x':1,'y':2}}}]}", "{'rows':[{'e':'1:0','v':{'P':{'x':5,'y':2}}}]}",
     "{'rows':[{'e':'1:0','v':{'P':{'x':5}}}],'gone':[]}"},
    {"{'rows':[{'e':'1:0','v':{'P':1,'Q':2}}]}", "{'rows':[{'e':'1:0','v':{'P':1}}]}",
     "{'rows':[{'whole':true,'e':'1:0','v':{'P':1}}],'gone':[]}"},
    {"{'rows':[{'e':'1:0'},{'e':'2:4'}]}", "{'rows':[{'e':'2:4'},{'e':'1:0'}]}", NULL},
    {"{'rows':[{'e':'2:4','v':1},{'e':'1:0','v':1}]}", "{'rows':[{'e':'2:4','v':1},{'e':'1:0','v':2}]}",
     "{'rows':[{'e':'1:0','v':2}],'gone':[]}"},
};

START_TEST(ins_50_a_difference_has_what_differs_alone)
{
    kin__bounded_heap heap;
    kin__bounded_heap_init(&heap, (kin_allocator){0}, 1024 * 1024);
    kin__json change = kin__json_make(&heap, 1024);
    const char *last = inspect_quoted(known[_i].last), *now = inspect_quoted(known[_i].now);
    kin__json_part from = {last, strlen(last)}, to = {now, strlen(now)};
    ck_assert_int_eq(kin__difference_write(&change, from, to, true), known[_i].change != NULL);
    if (known[_i].change != NULL)
        ck_assert_str_eq(change.at, inspect_quoted(known[_i].change));
    kin__json_release(&change);
}
END_TEST

// ---- a stream

static char streamed[4 * 1024 * 1024];

// Takes the events of all that the stream has written.
static void take_events(viewer *viewer, kin__stream *stream)
{
    size_t size = kin__stream_read(stream, streamed, sizeof streamed - 1);
    streamed[size] = '\0';
    for (char *at = streamed; (at = strstr(at, "\ndata: ")) != NULL; at++)
        viewer_take(viewer, at + 7);
}

static void ask_stream(kin__stream *stream, uint64_t *moment)
{
    uint64_t next = UINT64_MAX;
    *moment += 1000000000;
    kin__task *task = kin__stream_ask(stream, 0, *moment, &next);
    ck_assert_ptr_nonnull(task);
    while (!task->is_done && !kin__task_step(task, UINT64_MAX))
        continue;
    task->is_done = true;
    kin__stream_take(stream, task);
}

static my_game_entity made[64];

static void change_game(void)
{
    static char name[64];
    for (uint32_t n = random_below(6); n > 0; n--) {
        my_game_entity *entity = &made[random_below(64)];
        bool is_alive = my_game_entity_is_alive(game, *entity);
        uint32_t what = random_below(5);
        snprintf(name, sizeof name, "{\"%u\"}", (unsigned)random_below(100));
        if (!is_alive)
            *entity = my_game_create_entity(game);
        if (is_alive && what == 0)
            my_game_destroy_entity(game, *entity);
        else if (!my_game_has_name(game, *entity))
            my_game_add_name(game, *entity, (my_Name){.value = name});
        else if (what == 1)
            my_game_remove_name(game, *entity);
        else
            my_game_replace_name(game, *entity, (my_Name){.value = name});
    }
}

static kin__stream *make_stream(const char *parameters)
{
    char request[512];
    kin__mistake mistake = {0};
    snprintf(request, sizeof request, "{'jsonrpc':'2.0','id':1,'method':'entities.query+watch','params':%s}",
             parameters);
    const char *text = inspect_quoted(request);
    kin__stream *stream = kin__stream_create(&inspector->service, text, strlen(text), &mistake);
    ck_assert_msg(stream != NULL, "%s", mistake.message);
    return stream;
}

static const char *const watched[] = {
    "{'context':'game','fields':['Name','Name.value'],'limit':1000}",
    "{'context':'game','fields':['Name'],'limit':10}",
    "{'context':'game','query':'Name order by Name.value','fields':['Name'],'limit':20}",
    "{'context':'game','query':'Name where value ~ \\\"*1*\\\"','fields':['Name']}",
};

static void expect_viewed(const viewer *viewer, const char *parameters)
{
    json_t *now = json_loads(inspect_ask("entities.query", parameters), 0, NULL);
    ck_assert_ptr_nonnull(now);
    json_object_del(now, "frame"); // an event without another difference is not sent
    json_t *seen = json_copy(viewer->result);
    json_object_del(seen, "frame");
    viewer_expect_equal(seen, now);
    json_decref(seen);
    json_decref(now);
}

START_TEST(ins_50_a_viewer_of_differences_sees_what_is_there)
{
    uint64_t moment = now();
    viewer viewer = {0};
    memset(made, 0, sizeof made);
    state = (uint32_t)_i + 1;
    kin__stream *stream = make_stream(watched[_i]);
    for (int round = 0; round < 500; round++) {
        change_game();
        ask_stream(stream, &moment);
        take_events(&viewer, stream);
        expect_viewed(&viewer, watched[_i]);
    }
    ck_assert_uint_gt(viewer.events, 250);
    ck_assert_uint_ge(viewer.whole, 1);
    ck_assert_uint_lt(viewer.whole, _i == 2 ? viewer.events : 10);
    json_decref(viewer.result);
    kin__stream_destroy(stream);
}
END_TEST

START_TEST(ins_50_after_a_loss_or_an_error_an_event_is_whole)
{
    uint64_t moment = now();
    viewer viewer = {0};
    kin__bounded_heap *heap = &inspector->service.heap;
    size_t limit = heap->limit;
    uint32_t lost = 0;
    memset(made, 0, sizeof made);
    state = 5;
    kin__stream *stream = make_stream(watched[0]);
    for (int round = 0; round < 300; round++) {
        uint64_t next = UINT64_MAX, dropped = stream->dropped;
        change_game();
        moment += 1000000000;
        kin__task *task = kin__stream_ask(stream, 0, moment, &next);
        stream->dropped = dropped; // periods that passed
        while (!task->is_done && !kin__task_step(task, UINT64_MAX))
            continue;
        heap->limit = random_below(4) == 0 ? atomic_load(&heap->used) + random_below(4096) : limit;
        kin__stream_take(stream, task);
        heap->limit = limit;
        uint32_t whole = viewer.whole, events = viewer.events;
        take_events(&viewer, stream);
        bool is_lost = stream->dropped > dropped, is_new = viewer.events > events;
        if (lost > 0 && is_new && viewer.result != NULL)
            ck_assert_uint_eq(viewer.whole, whole + 1);
        lost = is_lost ? lost + 1 : is_new && viewer.result != NULL ? 0 : lost;
        if (!is_lost && viewer.result != NULL && lost == 0)
            expect_viewed(&viewer, watched[0]);
    }
    ck_assert_uint_gt(viewer.whole, 5);
    ck_assert_uint_lt(viewer.whole, viewer.events);
    json_decref(viewer.result);
    kin__stream_destroy(stream);
}
END_TEST

// ---- a server

static void set_roof(uint32_t number, uint32_t tiles)
{
    char body[256];
    snprintf(body, sizeof body,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"components.set\",\"params\":{\"context\":\"houses\","
             "\"entity\":\"%u:%u\",\"path\":\"Roof.tiles\",\"value\":%u}}",
             (unsigned)number + 1, (unsigned)number, (unsigned)tiles);
    exchange(request_of(POST, HOST BEARER TYPE, body));
}

// Takes the events that have come whole; the rest of the text stays. A chunk of HTTP may end in the midst of an event.
static void take_received(viewer *viewer, char *text)
{
    char *end;
    while ((end = strstr(text, "\n\n")) != NULL) {
        char *data = strstr(text, "\ndata: ");
        if (data != NULL && data < end)
            viewer_take(viewer, data + 7);
        memmove(text, end + 2, strlen(end + 2) + 1);
    }
}

START_TEST(ins_50_a_server_sends_differences)
{
    static char text[RESPONSE_SIZE];
    static const char watch[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"entities.query+watch\",\"params\":{"
                                "\"context\":\"houses\",\"query\":\"Roof\",\"fields\":[\"Roof\"],\"period\":50}}";
    viewer viewer = {0};
    int connection = connect_to();
    const char *request = request_of("POST /stream HTTP/1.1", HOST BEARER TYPE, watch);
    struct timeval patience = {0, 100 * 1000};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    send_bytes(connection, request, strlen(request));
    bool is_seen = false;
    size_t used = 0;
    for (uint32_t i = 0; !is_seen; i++) {
        if (i < 20)
            set_roof(i, 1000 + i);
        ssize_t got = recv(connection, text + used, sizeof text - used - 1, 0);
        text[used += got > 0 ? (size_t)got : 0] = '\0';
        take_received(&viewer, text);
        used = strlen(text);
        char *seen = json_dumps(viewer.result, JSON_COMPACT);
        is_seen = i >= 20 && seen != NULL && strstr(seen, "{\"tiles\":1019}") != NULL;
        free(seen);
    }
    ck_assert(is_seen);
    ck_assert_uint_eq(viewer.whole, 1);
    ck_assert_uint_gt(viewer.events, 2);
    for (uint32_t i = 0; i < 20; i++) {
        const json_t *row = json_array_get(json_object_get(viewer.result, "rows"), i);
        const json_t *roof = json_object_get(json_object_get(row, "v"), "Roof");
        ck_assert_int_eq(json_integer_value(json_object_get(roof, "tiles")), 1000 + i);
    }
    close(connection);
    json_decref(viewer.result);
}
END_TEST

Suite *inspect_difference_suite(void)
{
    Suite *suite = suite_create("inspect_difference");
    TCase *texts = tcase_create("texts");
    tcase_set_timeout(texts, 60);
    tcase_add_checked_fixture(texts, inspect_begin, inspect_end);
    tcase_add_test(texts, ins_50_differences_of_random_results_give_the_results_again);
    tcase_add_loop_test(texts, ins_50_a_difference_has_what_differs_alone, 0, sizeof known / sizeof *known);
    tcase_add_loop_test(texts, ins_50_a_viewer_of_differences_sees_what_is_there, 0, sizeof watched / sizeof *watched);
    tcase_add_test(texts, ins_50_after_a_loss_or_an_error_an_event_is_whole);
    suite_add_tcase(suite, texts);
    TCase *server = tcase_create("server");
    tcase_set_timeout(server, 60);
    tcase_add_checked_fixture(server, http_begin, http_end);
    tcase_add_test(server, ins_50_a_server_sends_differences);
    suite_add_tcase(suite, server);
    return suite;
}
