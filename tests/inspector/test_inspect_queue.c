// Tasks that wait: budgets, slices, order, and the end of a world.
#include "inspect_case.h"
#include "suites.h"

#include "host/host.h"
#include "inspector/inspector.h"
#include "transport/transport.h"

#include <stdio.h>
#include <string.h>

enum { MANY = 100000 };

static uint32_t done_count;
static const kin__task *done_tasks[256];

static void note_done(kin__task *task, void *user)
{
    (void)user;
    done_tasks[done_count++ % 256] = task;
}

static kin__service *service(void)
{
    return &inspector->service;
}

static void begin(void)
{
    inspect_begin();
    service()->budget = 1;
    done_count = 0;
}

// Queues the task of a request.
static kin__exchange *queue(const char *method, const char *parameters)
{
    char request[512];
    snprintf(request, sizeof request, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method,
             inspect_quoted(parameters));
    kin__exchange *exchange = kin__exchange_create(service(), request, strlen(request));
    kin__task *task = exchange->calls[0].task;
    ck_assert_msg(task->mistake.code == 0, "%s", task->mistake.message);
    task->done = note_done;
    kin__queue_push(task);
    return exchange;
}

static void expect_shown(kin__exchange *exchange, const char *expected)
{
    kin__json json = kin__json_make(&service()->heap, KIN__MAX_ANSWER);
    kin__exchange_show(exchange, &json);
    ck_assert_msg(strstr(json.at, inspect_quoted(expected)) != NULL, "%s", json.at);
    kin__json_release(&json);
    kin__exchange_destroy(exchange);
}

static uint32_t frames_until(uint32_t count)
{
    uint32_t frames = 0;
    for (double delta = 1; done_count < count; frames++) {
        ck_assert(kin_inspector_frame(inspector, &delta));
        ck_assert_uint_lt(frames, 10000);
    }
    return frames;
}

START_TEST(ins_03_a_long_task_goes_on_in_the_next_updates)
{
    for (int i = 0; i < MANY; i++)
        kin_create(&game->base);
    kin__exchange *exchange =
        queue("entities.query", "{'context':'game','query':'where AllNumbers.i32 = 5','limit':1}");
    uint32_t frames = frames_until(1);
    char expected[64];
    ck_assert_uint_gt(frames, 10);
    ck_assert_uint_le(frames, MANY / 512 + 2); // a slice is 512 slots at least
    snprintf(expected, sizeof expected, "'frame':[0,%u],'total':0", frames - 1);
    expect_shown(exchange, expected);
    ck_assert_uint_eq(atomic_load(&service()->cut), frames - 1);
}
END_TEST

START_TEST(ins_03_lists_go_on_in_the_next_updates)
{
    static const char *const methods[] = {"groups.list", "indices.list"};
    for (uint32_t i = 0; i < 2; i++) {
        kin__exchange *exchange = queue(methods[i], "{'context':'game'}");
        while (!kin__task_step(exchange->calls[0].task, 0))
            ck_assert_int_eq(exchange->calls[0].task->mistake.code, 0);
        ck_assert_uint_eq(frames_until(i + 1), 1);
        expect_shown(exchange, i == 0 ? "{'name':'exact'" : "{'name':'by_all'");
    }
    kin__exchange *exchange = queue("groups.list", "{'context':'game'}");
    ck_assert(!kin__task_step(exchange->calls[0].task, 0)); // one group a slice
    frames_until(3);
    expect_shown(exchange, "{'name':'exact'");
}
END_TEST

START_TEST(ins_03_entities_that_stay_are_found_once_while_others_come_and_go)
{
    double delta = 1;
    for (int i = 0; i < MANY / 10; i++)
        my_game_set_marked(game, my_game_entity_of(kin_create(&game->base)), true);
    kin__exchange *exchange = queue("entities.query", "{'context':'game','query':'Marked','limit':0}");
    while (done_count == 0) {
        kin_inspector_frame(inspector, &delta);
        kin_destroy(&game->base, kin_create(&game->base));
    }
    expect_shown(exchange, "'total':10000");
}
END_TEST

START_TEST(ins_04_changes_come_first_and_in_order)
{
    kin__exchange *look = queue("entities.query", "{'context':'game','limit':0}");
    kin__exchange *first = queue("entities.create", "{'context':'game'}");
    kin__exchange *second = queue("entities.create", "{'context':'game'}");
    frames_until(3);
    ck_assert_ptr_eq(done_tasks[0], first->calls[0].task);
    ck_assert_ptr_eq(done_tasks[1], second->calls[0].task);
    ck_assert_ptr_eq(done_tasks[2], look->calls[0].task);
    expect_shown(first, "'entity':'1:0'");
    expect_shown(second, "'entity':'2:1'");
    expect_shown(look, "'total':2");
}
END_TEST

START_TEST(ins_04_at_most_64_changes_are_made_in_an_update)
{
    kin__exchange *exchanges[100];
    double delta = 1;
    for (int i = 0; i < 100; i++)
        exchanges[i] = queue("entities.destroy", "{'context':'game','entity':'1:1'}");
    kin_inspector_frame(inspector, &delta);
    ck_assert_uint_eq(done_count, 64);
    kin_inspector_frame(inspector, &delta);
    ck_assert_uint_eq(done_count, 100);
    for (int i = 0; i < 100; i++)
        kin__exchange_destroy(exchanges[i]);
}
END_TEST

START_TEST(a_task_is_taken_back_while_it_waits)
{
    kin__exchange *first = queue("entities.create", "{'context':'game'}");
    kin__exchange *second = queue("entities.create", "{'context':'game'}");
    ck_assert(kin__queue_take_back(second->calls[0].task));
    ck_assert(!kin__queue_take_back(second->calls[0].task));
    frames_until(1);
    ck_assert_uint_eq(my_game_entity_count(game), 1);
    ck_assert(!kin__queue_take_back(first->calls[0].task));
    kin__exchange_destroy(second);
    kin__exchange *third = queue("entities.create", "{'context':'game'}");
    frames_until(2);
    kin__exchange_destroy(first);
    kin__exchange_destroy(third);
}
END_TEST

START_TEST(tasks_end_with_the_inspector)
{
    kin__exchange *exchange = queue("entities.create", "{'context':'game'}");
    kin__queue_end(exchange->calls[0].task->host);
    ck_assert_uint_eq(done_count, 1);
    expect_shown(exchange, "'code':-33105");
    expect_in_answer("entities.create", "{'context':'game'}", "-33105");
}
END_TEST

Suite *inspect_queue_suite(void)
{
    Suite *suite = suite_create("inspect_queue");
    TCase *tests = tcase_create("inspect_queue");
    tcase_add_checked_fixture(tests, begin, inspect_end);
    tcase_add_test(tests, ins_03_a_long_task_goes_on_in_the_next_updates);
    tcase_add_test(tests, ins_03_lists_go_on_in_the_next_updates);
    tcase_add_test(tests, ins_03_entities_that_stay_are_found_once_while_others_come_and_go);
    tcase_add_test(tests, ins_04_changes_come_first_and_in_order);
    tcase_add_test(tests, ins_04_at_most_64_changes_are_made_in_an_update);
    tcase_add_test(tests, a_task_is_taken_back_while_it_waits);
    tcase_add_test(tests, tasks_end_with_the_inspector);
    suite_add_tcase(suite, tests);
    return suite;
}
